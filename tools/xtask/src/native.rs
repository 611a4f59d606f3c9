//! Compiles programs of this workspace for this machine.
//!
//! Cargo compiles a crate once for each set of features, and the chosen packages decide the features of what they share.
//! So `cargo xtask test` chooses the whole workspace, as `cargo test --workspace` and tests/src/project.rs do.

use std::path::PathBuf;
use std::process::Command;

use crate::build;
use crate::error::Result;
use crate::paths::Paths;
use crate::run;

/// The native host of the service.
pub(crate) const SERVER: &str = "overturn-server";

/// The program of the operator.
pub(crate) const OPERATOR: &str = "operator";

/// What the server and the operator's program are compiled with. All other programs are only compiled with all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Features {
    /// What the tests compile: all features of the whole workspace.
    All,
    /// What the two need, which is compiled in half the time.
    Own,
    /// The same without the checks of foreign signatures, which takes half the time again.
    Fewest,
}

/// True if a server was built in this clone.
pub(crate) fn has_built(paths: &Paths) -> Result<bool> {
    Ok(build::target_dir(paths)?.join(build::folder_of("dev")).join(SERVER).exists())
}

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
    run::run(&mut compiler(paths, profile, kind, name))?;
    Ok(build::target_dir(paths)?.join(build::folder_of(profile)))
}

/// The command that builds a target.
pub(crate) fn compiler(paths: &Paths, profile: &str, kind: &str, name: &str) -> Command {
    let mut command = paths.command("cargo");
    command.args(["build", "--quiet", "--profile", profile, kind, name]).env_remove("CARGO_BUILD_TARGET");
    match paths.features {
        Features::Own | Features::Fewest if [SERVER, OPERATOR].contains(&name) => {
            command.args(["--package=overturn-native", "--package=overturn-operator"]);
            if paths.features == Features::Fewest {
                // What makes the next build faster takes a quarter of this one, and the next one has more features anyway.
                command.arg("--no-default-features").env("CARGO_INCREMENTAL", "0");
            }
        }
        _ => {
            command.args(["--workspace", "--all-features"]);
        }
    }
    command
}
