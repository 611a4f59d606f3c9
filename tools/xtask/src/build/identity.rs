//! The identity Worker: a module for WASI, and the script that hosts it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::programs::{FEATURES, Shrink, bundle};
use super::{Profile, folder_of, linked, target_dir};
use crate::error::{Context, Result};
use crate::paths::Paths;

const MODULE: &str = "identity.wasm";

const SHRINK: Shrink = Shrink { features: &FEATURES, options: &["-Oz", "--strip-debug", "--strip-producers"] };

/// Options of esbuild.
const BUNDLE: [&str; 4] = ["--bundle", "--minify", "--format=esm", "--external:./identity.wasm"];

/// The sources of the script.
const SCRIPTS: [&str; 2] = ["identity/worker.mjs", "identity/host.mjs"];

/// What is built.
pub(super) fn outputs(paths: &Paths) -> [PathBuf; 2] {
    ["worker.js", MODULE].map(|name| paths.build().join("identity").join(name))
}

const fn profile(paths: &Paths) -> &'static str {
    match paths.profile {
        Profile::Release => "identity",
        Profile::Development => Profile::Development.name(),
    }
}

pub(super) fn compiler(paths: &Paths) -> Command {
    let mut command = paths.command("cargo");
    command.args([
        "build",
        "--package",
        "overturn-identity",
        "--lib",
        "--profile",
        profile(paths),
        "--target",
        "wasm32-wasip1",
    ]);
    command
}

/// Links it. The lock file has the versions of wasm-opt and esbuild.
pub(super) fn ensure(paths: &Paths) -> Result {
    let mut inputs = vec![compiled(paths)?, paths.root.join("package-lock.json")];
    inputs.extend(SCRIPTS.map(|script| paths.root.join(script)));
    let options = format!("{BUNDLE:?}{}", SHRINK.inputs(paths));
    linked(paths, &outputs(paths), &inputs, &options, || link(paths))
}

/// Runs wasm-opt and esbuild.
fn link(paths: &Paths) -> Result {
    let [outfile, module] = outputs(paths);
    let compiled = compiled(paths)?;
    fs::create_dir_all(paths.build().join("identity"))
        .and_then(|()| fs::copy(compiled, &module))
        .context(|| format!("cannot write {}", module.display()))?;
    SHRINK.run(paths, &module)?;
    let [script, _] = SCRIPTS;
    bundle(paths, &paths.root.join(script), &outfile, &BUNDLE)
}

fn compiled(paths: &Paths) -> Result<PathBuf> {
    let folder = target_dir(paths)?.join("wasm32-wasip1");
    Ok(folder.join(folder_of(profile(paths))).join("overturn_identity.wasm"))
}
