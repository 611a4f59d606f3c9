//! The console: bundled into build/assets by console/build.mjs, with types made from the API description and from `core` and `service`.

mod browse;
mod check;
mod generate;
mod measure;
mod sizes;

use std::path::PathBuf;

use lexopt::Arg;

use crate::build::{Profile, remit};
use crate::error::Result;
use crate::paths::Paths;
use crate::{npm, run, say, stamp};

pub(crate) use check::{check, check_serving};
pub(crate) use measure::bench;

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    match args.next()? {
        Some(Arg::Value(word)) if word == "generate" => generate::write(&paths),
        Some(Arg::Value(word)) if word == "build" => {
            paths.profile = Profile::Development;
            npm::ensure(&paths, &npm::TOOLS)?;
            remit::ensure(&paths)?;
            ensure(&paths)
        }
        Some(Arg::Value(word)) if word == "picture" => measure::picture(&mut paths),
        Some(other) => Err(other.unexpected().into()),
        None => Err("name what to do: `cargo xtask console generate`, `build` or `picture`".into()),
    }
}

/// Bundles the console if a source or an output changed since it was bundled. Its module has been built.
pub(crate) fn ensure(paths: &Paths) -> Result {
    npm::ensure(paths, &npm::TOOLS)?;
    npm::ensure(paths, &npm::CONSOLE)?;
    let outputs = || {
        let folder = paths.build().join("assets");
        let mut files = stamp::files(&folder.join("assets"))?;
        files.extend(["index.html", "404.html", "_headers", "_redirects"].map(|name| folder.join(name)));
        Ok(files)
    };
    stamp::ensure(paths, &paths.build().join("console.stamp"), &inputs(paths)?, "", outputs, || {
        let printed = run::output(paths.command(paths.node()).arg("console/build.mjs"))?;
        say::out(printed.trim());
        Ok(())
    })
}

/// The sources, and what has the versions of the tools.
fn inputs(paths: &Paths) -> Result<Vec<PathBuf>> {
    let folder = paths.root.join("console");
    let mut all = stamp::files(&folder.join("src"))?;
    all.extend(["build.mjs", "tsconfig.json", "package-lock.json"].map(|name| folder.join(name)));
    // What reads remittances.
    all.extend(["run.js", "host.js"].map(|name| paths.root.join("clients/wasm/js").join(name)));
    all.push(remit::output(paths));
    // The version of esbuild.
    all.push(paths.root.join("package-lock.json"));
    Ok(all)
}
