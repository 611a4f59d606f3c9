//! The API descriptions that are deployed beside the Worker, in build/assets/api. The Worker answers every path below
//! `/api`, so that they are public only by its routes. The console has the rest of build/assets.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{digest, native, run};

/// The texts, by their names in the folder.
const OUTPUTS: [&str; 2] = ["openapi.json", "accounts.json"];

/// What they are made of. Folders without the folders below them.
const INPUTS: [&str; 3] = ["docs/openapi.yaml", "docs/api", "tools/api/src"];

/// Where the texts are.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.build().join("assets/api")
}

/// Writes the texts if an input or an output changed since they were written.
pub(crate) fn ensure(paths: &Paths) -> Result {
    let folder = folder(paths);
    let stamp = paths.build().join("assets.stamp");
    let wanted = inputs(paths)?;
    if fs::read_to_string(&stamp).is_ok_and(|there| Some(there) == state(paths, &wanted)) {
        return Ok(());
    }
    write(paths, &folder)?;
    let written = state(paths, &wanted).ok_or("a text is missing in build/assets/api")?;
    fs::write(&stamp, written).context(|| format!("cannot write {}", stamp.display()))
}

/// Writes the texts into a folder.
pub(crate) fn write(paths: &Paths, folder: &Path) -> Result {
    let program = native::program(paths, "overturn-api")?;
    run::run(paths.command(program).arg(folder))
}

/// One digest of the inputs and the outputs; `None` if an output is missing.
fn state(paths: &Paths, inputs: &str) -> Option<String> {
    let folder = folder(paths);
    let outputs = OUTPUTS.map(|name| digest::of_file(&folder.join(name)).ok());
    let outputs: Option<Vec<String>> = outputs.into_iter().collect();
    Some(digest::of(format!("{inputs}{}", outputs?.concat()).as_bytes()))
}

fn inputs(paths: &Paths) -> Result<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for input in INPUTS.map(|input| paths.root.join(input)) {
        if input.is_dir() {
            let listed = fs::read_dir(&input).context(|| format!("cannot list {}", input.display()))?;
            files.extend(listed.flatten().map(|entry| entry.path()).filter(|path| path.is_file()));
        } else {
            files.push(input);
        }
    }
    files.sort();
    let digests: Result<Vec<String>> = files.iter().map(|path| digest::of_file(path)).collect();
    Ok(digests?.concat())
}
