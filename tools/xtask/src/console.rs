//! The console: bundled into build/assets by console/build.mjs, with types made from the API description and from `core`.

mod browse;
mod check;
mod generate;
mod measure;
mod sizes;

use std::fs;
use std::path::{Path, PathBuf};

use lexopt::Arg;
use serde_json::Value;

use crate::build::{Profile, remit};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{digest, npm, run, say};

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
    let stamp = paths.build().join("console.stamp");
    let wanted = inputs(paths)?;
    if fs::read_to_string(&stamp).is_ok_and(|there| Some(there) == state(paths, &wanted)) {
        return Ok(());
    }
    let printed = run::output(paths.command(paths.node()).arg("console/build.mjs"))?;
    say::out(printed.trim());
    let written = state(paths, &wanted).ok_or("the console was not written")?;
    fs::write(&stamp, written).context(|| format!("cannot write {}", stamp.display()))
}

/// The digest that identifies what is built; `null` if nothing is.
pub(crate) fn built(paths: &Paths) -> Value {
    let stamp = fs::read_to_string(paths.build().join("console.stamp"));
    stamp.map_or(Value::Null, Value::from)
}

/// One digest of the inputs and the outputs; `None` if an output is missing.
fn state(paths: &Paths, inputs: &str) -> Option<String> {
    let folder = paths.build().join("assets");
    // The shell and the headers name every other file by its content.
    let named = ["index.html", "404.html", "_headers", "_redirects"].map(|name| folder.join(name));
    let bundled = files(&folder.join("assets")).ok()?;
    let mut all = inputs.to_owned();
    for file in named {
        all.push_str(&digest::of_file(&file).ok()?);
    }
    for file in bundled {
        all.push_str(&file.display().to_string());
    }
    Some(digest::of(all.as_bytes()))
}

/// One digest of the sources and the tools.
fn inputs(paths: &Paths) -> Result<String> {
    let folder = paths.root.join("console");
    let mut all = files(&folder.join("src"))?;
    all.extend(["build.mjs", "tsconfig.json", "package-lock.json"].map(|name| folder.join(name)));
    // What reads remittances.
    all.extend(["run.js", "host.js"].map(|name| paths.root.join("wasm/js").join(name)));
    all.push(remit::output(paths));
    // The version of esbuild.
    all.push(paths.root.join("package-lock.json"));
    let digests: Result<Vec<String>> = all.iter().map(|path| digest::of_file(path)).collect();
    Ok(digest::of(format!("{all:?}{}", digests?.concat()).as_bytes()))
}

/// Every file below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let listed = fs::read_dir(&folder).context(|| format!("cannot list {}", folder.display()))?;
        for path in listed.flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}
