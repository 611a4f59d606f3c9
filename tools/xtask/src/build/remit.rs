//! The module for remittances: an asset of the console, and a part of the npm package.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::programs::Shrink;
use super::{Profile, folder_of, target_dir};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{package, run, stamp};

const TARGET: &str = "wasm32-unknown-unknown";

/// More than `-O1` makes the module larger and not faster, because its hosts compile it once more.
pub(crate) const SHRINK: Shrink = Shrink {
    features: &package::FEATURES,
    options: &["-O1", "--strip-debug", "--strip-producers", "--strip-target-features"],
};

/// The console's module. console/build.mjs reads it.
pub(crate) fn output(paths: &Paths) -> PathBuf {
    paths.build().join("remittances.wasm")
}

/// The name of the cargo profile. The package and the console have the same module.
const fn profile(paths: &Paths) -> &'static str {
    match paths.profile {
        Profile::Release => "release",
        Profile::Development => Profile::Development.name(),
    }
}

/// The command that compiles the module.
///
/// It is a build of its own. In one build with the Worker, cargo would give the crates that both use the features that the
/// Worker needs, and the module would import functions of JavaScript.
pub(crate) fn compiler(paths: &Paths) -> Command {
    compiler_for(paths, "overturn-wasm-remit")
}

/// The same for any module of the package, by the name of its crate.
pub(crate) fn compiler_for(paths: &Paths, package: &str) -> Command {
    let mut command = paths.command("cargo");
    command.args(["build", "--lib", "--package", package, "--profile", profile(paths), "--target", TARGET]);
    // Without optimization, a browser would be slow to read a large file.
    command.args(["--config", "profile.dev.package.overturn-remit.opt-level=1"]);
    command
}

/// The compiled module of a crate.
pub(crate) fn compiled(paths: &Paths, package: &str) -> Result<PathBuf> {
    let folder = target_dir(paths)?.join(TARGET).join(folder_of(profile(paths)));
    Ok(folder.join(format!("{}.wasm", package.replace('-', "_"))))
}

/// Writes the console's module unless it is that of the compiled one.
pub(crate) fn link(paths: &Paths) -> Result {
    let (compiled, output) = (compiled(paths, "overturn-wasm-remit")?, output(paths));
    // The lock file has the version of wasm-opt.
    let inputs = [compiled.clone(), paths.root.join("package-lock.json")];
    let outputs = || Ok(vec![output.clone()]);
    stamp::ensure(paths, &output.with_extension("stamp"), &inputs, &SHRINK.inputs(paths), outputs, || {
        fs::create_dir_all(paths.build()).context(|| format!("cannot write {}", output.display()))?;
        SHRINK.copy(paths, &compiled, &output)
    })
}

/// Builds the console's module if there is none.
pub(crate) fn ensure(paths: &Paths) -> Result {
    if output(paths).exists() {
        return Ok(());
    }
    run::run(&mut compiler(paths))?;
    link(paths)
}
