//! Checks that core, service and its inspector of files do not depend on a host.

use crate::error::Result;
use crate::paths::Paths;
use crate::run;

/// The crates that build and test without a host.
const CRATES: [&str; 3] = ["overturn-core", "overturn-content", "overturn-service"];
/// Crates that reach a clock, randomness or JavaScript.
const HOST: [&str; 6] = ["getrandom", "js-sys", "wasm-bindgen", "wasm-bindgen-futures", "web-sys", "worker"];
const TARGET: &str = "wasm32-unknown-unknown";

/// Checks that clock, randomness and JavaScript reach these crates only as arguments.
pub(crate) fn check(paths: &Paths) -> Result {
    CRATES.iter().try_for_each(|name| check_crate(paths, name))
}

fn check_crate(paths: &Paths, name: &str) -> Result {
    let what = ["tree", "--package", name, "--edges", "normal"];
    let how = ["--target", TARGET, "--prefix", "none"];
    let tree = run::output(paths.command("cargo").args(what).args(how))?;
    let mut dependencies = tree.lines().filter_map(|line| line.split_whitespace().next());
    match dependencies.find(|dependency| HOST.contains(dependency)) {
        Some(host) => {
            Err(format!("{name} depends on {host}: `cargo tree -p {name} -i {host} --target {TARGET}`").into())
        }
        None => Ok(()),
    }
}
