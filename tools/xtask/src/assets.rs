//! The API descriptions that are deployed beside the Worker, in build/assets/api. The Worker answers every path below
//! `/api`, so that they are public only by its routes. The console has the rest of build/assets.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::paths::Paths;
use crate::{native, run, stamp};

/// The texts, by their names in the folder.
const OUTPUTS: [&str; 2] = ["openapi.json", "accounts.json"];

/// What they are made of.
const INPUTS: [&str; 6] =
    ["docs/openapi.yaml", "docs/api", "tools/api/src", "core/src", "service/content/src", "service/src"];

/// Where the texts are.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.build().join("assets/api")
}

/// Writes the texts if an input or an output changed since they were written.
pub(crate) fn ensure(paths: &Paths) -> Result {
    let folder = folder(paths);
    let outputs = || Ok(OUTPUTS.map(|name| folder.join(name)).into());
    let stamp = paths.build().join("assets.stamp");
    stamp::ensure(paths, &stamp, &inputs(paths)?, "", outputs, || write(paths, &folder))
}

/// Writes the texts into a folder.
pub(crate) fn write(paths: &Paths, folder: &Path) -> Result {
    let program = native::program(paths, "overturn-api")?;
    run::run(paths.command(program).arg(folder))
}

fn inputs(paths: &Paths) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for input in INPUTS.map(|input| paths.root.join(input)) {
        if input.is_dir() {
            files.extend(stamp::files(&input)?);
        } else {
            files.push(input);
        }
    }
    files.sort();
    Ok(files)
}
