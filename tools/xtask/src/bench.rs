//! `cargo xtask bench`: builds what the `bench` crate needs and runs it. It also proves that the peer and the floor
//! do the same job as Overturn.

use crate::error::Result;
use crate::paths::Paths;
use crate::state::Host;
use crate::{build, console, native, npm, package, run};

/// Runs the command line. The `bench` crate parses the rest of it, except for the console, which is measured in a browser.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    let mut args: Vec<_> = args.raw_args()?.collect();
    if args.first().is_some_and(|part| part == "console") {
        return console::bench(&mut paths, lexopt::Parser::from_args(args.split_off(1)));
    }
    if args.first().is_some_and(|part| part == "remit") {
        return remit(&paths);
    }
    prepare(&paths)?;
    package::build(&paths)?;
    native::for_use(&paths)?;
    run::run(
        paths
            .wrangler_command("cargo")
            .args(["run", "--quiet", "--release", "--package", "overturn-bench", "--"])
            .args(args)
            // The native program is measured on a copy of the Worker's database.
            .env("OVERTURN_HOST", Host::Workerd.name())
            .env("OVERTURN_NODE", paths.node()),
    )
}

/// Compares how fast remittances become claims with other parsers of X12. They need no Worker.
fn remit(paths: &Paths) -> Result {
    npm::ensure(paths, &npm::BENCH)?;
    package::build(paths)?;
    let folder = npm::BENCH.folder(paths).join("remit");
    let venv = folder.join("target/venv");
    let python = venv.join("bin/python");
    run::run(paths.command("python3").args(["-m", "venv"]).arg(&venv))?;
    run::run(
        paths
            .command(&python)
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .arg(folder.join("requirements.txt")),
    )?;
    run::run(
        paths
            .command("cargo")
            .args(["run", "--quiet", "--release", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .arg("--")
            .arg(paths.node())
            .arg(paths.build().join("package/remit.js"))
            .arg(&python)
            .arg(folder.join("target/files")),
    )
}

/// Checks the types of the peer, and that it and the floor give the same answers and leave the same claims as Overturn.
pub(crate) fn check(paths: &Paths) -> Result {
    prepare(paths)?;
    let folder = npm::BENCH.folder(paths);
    run::run(paths.command(folder.join("node_modules/.bin/tsc")).current_dir(&folder).arg("--noEmit"))?;
    run::run(paths.wrangler_command(paths.node()).current_dir(&folder).args(["--test", "test/equal.mjs"]))
}

fn prepare(paths: &Paths) -> Result {
    build::build(paths)?;
    npm::ensure(paths, &npm::BENCH)
}
