//! The identity Worker: a module for WASI, and the script that hosts it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::output::Output;
use super::programs::{FEATURES, Shrink, bundle};
use super::{Profile, target_dir};
use crate::digest;
use crate::error::{Context, Result};
use crate::paths::Paths;

const MODULE: &str = "identity.wasm";

const SHRINK: Shrink = Shrink { features: &FEATURES, options: &["-Oz", "--strip-debug", "--strip-producers"] };

/// Options of esbuild.
const BUNDLE: [&str; 4] = ["--bundle", "--minify", "--format=esm", "--external:./identity.wasm"];

/// The sources of the script.
const SCRIPTS: [&str; 2] = ["identity/worker.mjs", "identity/host.mjs"];

/// What is built.
pub(super) fn output(paths: &Paths) -> Output {
    Output { folder: paths.build().join("identity"), names: ["worker.js", MODULE] }
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

/// Runs wasm-opt and esbuild.
pub(super) fn link(paths: &Paths) -> Result {
    let output = output(paths);
    let module = output.folder.join(MODULE);
    let compiled = compiled(paths)?;
    fs::create_dir_all(&output.folder)
        .and_then(|()| fs::copy(compiled, &module))
        .context(|| format!("cannot write {}", module.display()))?;
    if paths.profile == Profile::Release {
        SHRINK.run(paths, &module)?;
    }
    let [script, _] = SCRIPTS;
    let outfile = output.folder.join("worker.js");
    bundle(paths, &paths.root.join(script), &outfile, &BUNDLE)
}

/// One digest of all inputs of [`link`].
pub(super) fn inputs(paths: &Paths) -> Result<String> {
    let mut parts = vec![
        digest::of_file(&compiled(paths)?)?,
        // The versions of wasm-opt and esbuild.
        digest::of_file(&paths.root.join("package-lock.json"))?,
        format!("{:?}{BUNDLE:?}", paths.profile),
        SHRINK.inputs(),
    ];
    for script in SCRIPTS {
        parts.push(digest::of_file(&paths.root.join(script))?);
    }
    Ok(digest::of(parts.join("\n").as_bytes()))
}

fn compiled(paths: &Paths) -> Result<PathBuf> {
    let folder = target_dir(paths)?.join("wasm32-wasip1");
    Ok(folder.join(profile(paths)).join("overturn_identity.wasm"))
}
