//! `cargo xtask bench`: what the `bench` crate measures, with all it needs built; and the proof that what it measures
//! against does the same job.

use crate::failure::Result;
use crate::paths::Paths;
use crate::{build, npm, package, run};

/// The command line, which the `bench` crate reads.
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

/// The types of the peer, and whether it answers as Overturn does and leaves the same rows. Then the same of the lean
/// peer beside the peer.
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
