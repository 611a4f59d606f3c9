//! The core has no host.

use crate::failure::Result;
use crate::paths::Paths;
use crate::run;

/// Clock, randomness and JavaScript reach the core as arguments or not at all.
pub(crate) fn check(paths: &Paths) -> Result {
    const HOST: [&str; 6] = [
        "getrandom",
        "js-sys",
        "wasm-bindgen",
        "wasm-bindgen-futures",
        "web-sys",
        "worker",
    ];
    let args = [
        "tree",
        "--package",
        "overturn-core",
        "--edges",
        "normal",
        "--target",
        "wasm32-unknown-unknown",
        "--prefix",
        "none",
    ];
    let tree = run::output(paths.command("cargo").args(args))?;
    let name = |line: &str| {
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    match tree
        .lines()
        .map(name)
        .find(|name| HOST.contains(&name.as_str()))
    {
        Some(host) => Err(format!(
            "the core depends on {host}: `cargo tree -p overturn-core -i {host} --target wasm32-unknown-unknown`"
        )
        .into()),
        None => Ok(()),
    }
}
