//! Clients in TypeScript and Python, made of the descriptions. What does not follow from them is in `clients/`.

mod model;
mod names;
mod python;
pub(crate) mod sample;
pub(crate) mod snippets;
mod typescript;

use std::fs;
use std::path::Path;

use crate::Result;
pub(crate) use model::{Answer, Call, Caller, Model};

/// Writes the generated files of the clients into a folder: those of TypeScript, those of Python, and `snippets.json` for
/// the tests of the pages. `docs` is the folder
/// of that name.
///
/// # Errors
/// A description lacks something, or a file cannot be written.
pub fn write(docs: &Path, folder: &Path) -> Result<()> {
    let model = Model::read(docs)?;
    let files = [
        ("typescript/types.ts", typescript::types(&model)?),
        ("typescript/codes.ts", typescript::codes(&model)),
        ("typescript/client.ts", typescript::client(&model)?),
        ("snippets.json", snippets::all(&model)?.to_string()),
        ("python/types.py", python::types(&model)?),
        ("python/codes.py", python::codes(&model)),
        ("python/client.py", python::client(&model)?),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(())
}
