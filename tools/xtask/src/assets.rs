//! What is made of the descriptions and deployed beside the Worker: the API descriptions in build/assets/api, and the pages
//! for developers in build/assets/docs. The Worker answers every path below `/api`, so that the descriptions are public only
//! by its routes. The console has the rest of build/assets.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::paths::Paths;
use crate::{native, run, stamp};

/// The program that writes them.
pub(crate) const PROGRAM: &str = "overturn-api";

/// The texts, by their names in the folder.
const OUTPUTS: [&str; 2] = ["openapi.json", "accounts.json"];

/// What they are made of.
const INPUTS: [&str; 9] = [
    "CHANGELOG.md",
    "clients/examples",
    "docs/api",
    "docs/guides/developers.md",
    "docs/openapi.yaml",
    "tools/api/src",
    "core/src",
    "service/content/src",
    "service/src",
];

/// Where the texts are.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.build().join("assets/api")
}

/// Writes the texts and the pages if an input or an output changed since they were written.
pub(crate) fn ensure(paths: &Paths) -> Result {
    let folder = folder(paths);
    let pages = paths.build().join("assets/docs");
    let outputs = || {
        let mut files: Vec<PathBuf> = OUTPUTS.map(|name| folder.join(name)).into();
        files.push(paths.build().join("assets/llms.txt"));
        files.extend(stamp::files(&pages)?);
        Ok(files)
    };
    let stamp = paths.build().join("assets.stamp");
    stamp::ensure(paths, &stamp, &inputs(paths)?, "", outputs, || {
        write(paths, &folder)?;
        // Pages of an older build must go.
        let _ = fs::remove_dir_all(&pages);
        let program = native::program(paths, PROGRAM)?;
        run::run(paths.command(program).arg("pages").arg(paths.build().join("assets")))
    })
}

/// Writes the texts into a folder.
pub(crate) fn write(paths: &Paths, folder: &Path) -> Result {
    let program = native::program(paths, PROGRAM)?;
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
