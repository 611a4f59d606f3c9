//! The programs of npm packages that make a Worker smaller.

use std::path::Path;

use crate::error::Result;
use crate::paths::Paths;
use crate::run;

/// The features that rustc and wasm-bindgen use, and none that the platform does not support.
pub(super) const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-exception-handling",
];

/// Runs wasm-opt on a module, which is replaced.
pub(super) fn rewrite(paths: &Paths, wasm: &Path, options: &[&str]) -> Result {
    let mut command = paths.command(paths.npm_bin().join("wasm-opt"));
    run::output(
        command
            .args(FEATURES)
            .args(options)
            .arg(wasm)
            .arg("-o")
            .arg(wasm),
    )
    .map(drop)
}

/// Runs esbuild on a script.
pub(super) fn bundle(paths: &Paths, script: &Path, outfile: &Path, options: &[&str]) -> Result {
    let mut command = paths.command(paths.npm_bin().join("esbuild"));
    command.arg(script).args(options);
    run::output(command.arg(format!("--outfile={}", outfile.display()))).map(drop)
}
