//! The module for remittances: an asset of the console, and a part of the npm package.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::programs::Shrink;
use super::{Profile, SMALL, folder_of, target_dir};
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

/// The name of the cargo profile. The package and the console for production have the same module.
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
    compiler_for(paths, "remit", profile(paths))
}

/// The same for a module of the package: `remit` or `payer`.
pub(crate) fn compiler_for(paths: &Paths, name: &str, profile: &str) -> Command {
    let package = format!("overturn-wasm-{name}");
    let mut command = paths.command("cargo");
    command.args(["build", "--lib", "--package", &package, "--profile", profile, "--target", TARGET]);
    // Without optimization, the browser would be slow to read a large file.
    command.envs([SMALL]).args(["--config", "profile.dev.package.overturn-remit.opt-level=1"]);
    command
}

/// The compiled module of a profile.
pub(crate) fn compiled(paths: &Paths, name: &str, profile: &str) -> Result<PathBuf> {
    let folder = target_dir(paths)?.join(TARGET).join(folder_of(profile));
    Ok(folder.join(format!("overturn_wasm_{name}.wasm")))
}

/// Writes the console's module unless it is that of the compiled one.
pub(crate) fn link(paths: &Paths) -> Result {
    let (compiled, output) = (compiled(paths, "remit", profile(paths))?, output(paths));
    // The lock file has the version of wasm-opt.
    let inputs = [compiled.clone(), paths.root.join("package-lock.json")];
    let outputs = || Ok(vec![output.clone()]);
    stamp::ensure(paths, &output.with_extension("stamp"), &inputs, &SHRINK.inputs(), outputs, || {
        let unwritable = || format!("cannot write {}", output.display());
        fs::create_dir_all(paths.build()).context(unwritable)?;
        match paths.profile {
            Profile::Release => SHRINK.copy(paths, &compiled, &output),
            Profile::Development => fs::copy(&compiled, &output).map(drop).context(unwritable),
        }
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
