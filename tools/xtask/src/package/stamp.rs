//! What the package in build/package was built from, so that two steps of `cargo xtask test` build it once.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BINDGEN, SHRINK};
use crate::build::remit;
use crate::digest;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::tools::Tools;

/// The digest of everything that goes into the package.
pub(super) struct Stamp(String);

impl Stamp {
    pub(super) fn new(paths: &Paths, tools: &Tools, modules: &[PathBuf; 3]) -> Result<Self> {
        let root = &paths.root;
        // The lock file has the versions of wasm-opt and esbuild.
        let single = ["wasm/README.md", "LICENSE", "package-lock.json"];
        let single = single.map(|name| root.join(name));
        let mut files = files(&root.join("wasm/js"))?;
        files.extend(modules.iter().chain(&single).cloned());
        let sources = [include_str!("../package.rs"), env!("CARGO_PKG_VERSION")];
        let version = &tools.wasm_bindgen.version;
        let all =
            format!("{}{version}{BINDGEN:?}{}{}{sources:?}", digests(&files)?, SHRINK.inputs(), remit::SHRINK.inputs());
        Ok(Self(digest::of(all.as_bytes())))
    }

    /// True if the folder has exactly the files that were built from this.
    pub(super) fn is_on(&self, folder: &Path) -> bool {
        let stamped = fs::read_to_string(place(folder)).ok();
        stamped.is_some_and(|stamped| self.text(folder).is_ok_and(|text| text == stamped))
    }

    /// Stamps the files in the folder.
    pub(super) fn put_on(&self, folder: &Path) -> Result {
        let path = place(folder);
        fs::write(&path, self.text(folder)?).context(|| format!("cannot write {}", path.display()))
    }

    fn text(&self, folder: &Path) -> Result<String> {
        Ok(format!("{}\n{}", self.0, digests(&files(folder)?)?))
    }
}

/// Beside the folder, because everything in it is published.
fn place(folder: &Path) -> PathBuf {
    folder.with_extension("stamp")
}

/// The names and digests of files.
fn digests(files: &[PathBuf]) -> Result<String> {
    let line = |path: &PathBuf| Ok(format!("{} {}\n", digest::of_file(path)?, path.display()));
    files.iter().map(line).collect()
}

/// The files in a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(folder).context(unreadable)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut files: Vec<_> = paths.collect::<std::io::Result<_>>().context(unreadable)?;
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_input_and_a_changed_missing_or_spare_file_need_a_new_build() {
        let folder = std::env::temp_dir().join(format!("overturn-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        let stamp = Stamp("inputs".to_owned());
        write("one.js", "1");
        assert!(!stamp.is_on(&folder), "before it is stamped");
        stamp.put_on(&folder).unwrap();
        assert!(stamp.is_on(&folder));
        assert!(!Stamp("others".to_owned()).is_on(&folder));
        write("one.js", "2");
        assert!(!stamp.is_on(&folder));
        write("one.js", "1");
        write("two.js", "");
        assert!(!stamp.is_on(&folder));
        fs::remove_file(folder.join("two.js")).unwrap();
        assert!(stamp.is_on(&folder));
        fs::remove_file(folder.join("one.js")).unwrap();
        assert!(!stamp.is_on(&folder));
        fs::remove_file(place(&folder)).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
