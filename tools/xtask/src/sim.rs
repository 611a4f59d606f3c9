//! `cargo xtask sim`: the whole service in a simulated world (`tools/sim`).

use std::ffi::OsString;

use crate::error::Result;
use crate::paths::Paths;
use crate::{native, run};

/// A crate that `cargo xtask` does not wait for, as the operator's.
const PROGRAM: &str = "overturn-sim";
/// How many seeds the checks of a change run.
const SEEDS: &str = "200";

/// For many seeds: takes minutes to compile.
const OPTIMIZED: &str = "--optimized";

/// Passes the command line on.
pub(crate) fn command(paths: &Paths, mut words: Vec<OsString>) -> Result {
    let all = words.len();
    words.retain(|word| word != OPTIMIZED);
    let build = if words.len() < all { native::optimized } else { native::program };
    run::passed_on(paths.command(build(paths, PROGRAM)?).args(words))
}

/// The step of `cargo xtask test`.
pub(crate) fn check(paths: &Paths) -> Result {
    run::run(paths.command(native::program(paths, PROGRAM)?).args(["--seeds", SEEDS]))
}
