//! What outputs were made from, so that they are not made twice.

use std::fs;
use std::path::{Path, PathBuf};

use crate::digest;
use crate::error::{Context, Result};
use crate::paths::Paths;

/// Makes files, unless exactly these were made of the same inputs. The file `stamp` says what they were made of. It holds for
/// a copy of the clone as well.
pub(crate) fn ensure(
    paths: &Paths,
    stamp: &Path,
    inputs: &[PathBuf],
    options: &str,
    outputs: impl Fn() -> Result<Vec<PathBuf>>,
    make: impl FnOnce() -> Result,
) -> Result {
    let inputs = digest::of(format!("{}{options}", digests(paths, inputs)?).as_bytes());
    let state = || -> Result<String> { Ok(format!("{inputs}\n{}", digests(paths, &outputs()?)?)) };
    let is_there = |there| state().is_ok_and(|state| state == there);
    if fs::read_to_string(stamp).is_ok_and(is_there) {
        return Ok(());
    }
    make()?;
    fs::write(stamp, state()?).context(|| format!("cannot write {}", stamp.display()))
}

/// The names and digests of files.
fn digests(paths: &Paths, files: &[PathBuf]) -> Result<String> {
    let line = |path: &PathBuf| {
        let name = path.strip_prefix(&paths.root).unwrap_or(path);
        Ok(format!("{} {}\n", digest::of_file(path)?, name.display()))
    };
    files.iter().map(line).collect()
}

/// Every file below a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_input_and_a_changed_missing_or_spare_file_need_a_new_build() {
        let root = std::env::temp_dir().join(format!("overturn-stamp-{}", std::process::id()));
        let (source, folder, stamp) = (root.join("source"), root.join("made"), root.join("made.stamp"));
        fs::create_dir_all(&folder).unwrap();
        let (paths, one) = (Paths::find().unwrap(), folder.join("one.js"));
        let is_made = |options: &str| {
            let mut made = false;
            let make = || {
                made = true;
                let _ = fs::remove_dir_all(&folder);
                fs::create_dir_all(&folder).unwrap();
                fs::write(&one, "1").unwrap();
                Ok(())
            };
            ensure(&paths, &stamp, std::slice::from_ref(&source), options, || files(&folder), make).unwrap();
            made
        };
        let edits: [(&Path, Option<&str>); 6] = [
            (&source, Some("1")),
            (&source, Some("2")),
            (&one, Some("2")),
            (&folder.join("two.js"), Some("")),
            (&one, None),
            (&stamp, None),
        ];
        for (path, text) in edits {
            match text {
                Some(text) => fs::write(path, text).unwrap(),
                None => fs::remove_file(path).unwrap(),
            }
            assert!(is_made("") && !is_made(""), "{} {text:?}", path.display());
        }
        assert!(is_made("--other"));
        fs::remove_dir_all(root).unwrap();
    }
}
