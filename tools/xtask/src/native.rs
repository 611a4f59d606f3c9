//! Compiles programs of this workspace for this machine.
//!
//! Cargo compiles a crate once for each set of features, and the chosen packages decide the features of what they share.
//! So every command here chooses the whole workspace, as `cargo test --workspace` does. tests/src/project.rs does the same.

use std::path::PathBuf;

use crate::build;
use crate::error::Result;
use crate::paths::Paths;
use crate::run;

/// The native host of the service.
pub(crate) const SERVER: &str = "overturn-server";

/// Builds a program unless it is built, and returns its path.
pub(crate) fn program(paths: &Paths, name: &str) -> Result<PathBuf> {
    built(paths, "dev", "--bin", name).map(|folder| folder.join(name))
}

/// The same, optimized.
pub(crate) fn optimized(paths: &Paths, name: &str) -> Result<PathBuf> {
    built(paths, "optimized", "--bin", name).map(|folder| folder.join(name))
}

/// Builds the server as it is installed.
pub(crate) fn for_use(paths: &Paths) -> Result {
    let mut command = paths.command("cargo");
    run::run(command.args(["build", "--locked", "--profile=native", "--package=overturn-native"]))
}

/// Builds an example unless it is built, and returns its path.
pub(crate) fn example(paths: &Paths, name: &str) -> Result<PathBuf> {
    built(paths, "dev", "--example", name).map(|folder| folder.join("examples").join(name))
}

/// Builds a target, and returns cargo's folder for all of them.
fn built(paths: &Paths, profile: &str, kind: &str, name: &str) -> Result<PathBuf> {
    let what = ["build", "--quiet", "--workspace", "--all-features", "--profile", profile];
    run::run(paths.command("cargo").args(what).args([kind, name]).env_remove("CARGO_BUILD_TARGET"))?;
    Ok(build::target_dir(paths)?.join(build::folder_of(profile)))
}
