//! `cargo xtask sim`: the whole service in a simulated world (`tools/sim`).

use std::ffi::OsString;
use std::process::Command;

use crate::error::Result;
use crate::paths::Paths;
use crate::{native, run};

/// A crate that `cargo xtask` does not wait for, as the operator's.
const PROGRAM: &str = "overturn-sim";
/// How many seeds the checks of a change run.
const SEEDS: &str = "200";

fn program(paths: &Paths) -> Result<Command> {
    Ok(paths.command(native::program(paths, PROGRAM)?))
}

/// Passes the command line on.
pub(crate) fn command(paths: &Paths, words: Vec<OsString>) -> Result {
    run::passed_on(program(paths)?.args(words))
}

/// The step of `cargo xtask test`.
pub(crate) fn check(paths: &Paths) -> Result {
    run::run(program(paths)?.args(["--seeds", SEEDS]))
}
