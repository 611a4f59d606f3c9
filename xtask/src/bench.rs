//! `cargo xtask bench`: builds what the `bench` crate needs and runs it. It also proves that the peers do the same job
//! as Overturn.

use crate::failure::Result;
use crate::paths::Paths;
use crate::{build, npm, package, run};

/// Runs the command line. The `bench` crate parses the rest of it.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let args: Vec<_> = args.raw_args()?.collect();
    prepare(paths)?;
    package::build(paths)?;
    run::run(
        paths
            .wrangler_command("cargo")
            .args([
                "run",
                "--quiet",
                "--release",
                "--package",
                "overturn-bench",
                "--",
            ])
            .args(args)
            .env("OVERTURN_NODE", paths.node()),
    )
}

/// Checks the types of the peer, and that it gives the same answers and leaves the same rows as Overturn. Then it
/// compares the lean peer with the peer.
pub(crate) fn check(paths: &Paths) -> Result {
    prepare(paths)?;
    let folder = npm::BENCH.folder(paths);
    run::run(
        paths
            .command(folder.join("node_modules/.bin/tsc"))
            .current_dir(&folder)
            .arg("--noEmit"),
    )?;
    run::run(
        paths
            .wrangler_command(paths.node())
            .current_dir(&folder)
            .args(["--test", "test/equal.mjs"]),
    )
}

fn prepare(paths: &Paths) -> Result {
    build::build(paths)?;
    npm::ensure(paths, &npm::BENCH)
}
