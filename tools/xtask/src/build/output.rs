//! The files of a built Worker, and the stamp that says what they were built from.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{digest, size};

/// A folder with a script and a module.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) folder: PathBuf,
    pub(super) names: [&'static str; 2],
}

impl Output {
    /// True if the files are those of these inputs.
    pub(super) fn is_built(&self, inputs: &str) -> bool {
        let stamp = self.stamp();
        stamp.get("inputs").is_some_and(|stamped| stamped == inputs)
            && self.digests().is_ok_and(|digests| stamp.get("outputs") == Some(&digests))
    }

    /// Stamps new files.
    pub(super) fn write_stamp(&self, paths: &Paths, inputs: &str) -> Result {
        // The gzipped size, measured as the platform does for its limit.
        let size = size::of(paths, self.names.map(|name| self.folder.join(name)))?;
        let stamp =
            json!({ "inputs": inputs, "outputs": self.digests()?, "size": size.to_string(), "gzipped": size.gzipped });
        let path = self.stamp_path();
        fs::write(&path, stamp.to_string()).context(|| format!("cannot write {}", path.display()))
    }

    /// The digests of the files when they were built; `null` if they were not.
    pub(super) fn built(&self) -> Value {
        self.stamp().get("outputs").cloned().unwrap_or_default()
    }

    /// The size, for people.
    pub(super) fn size(&self) -> String {
        let size = self.stamp().get("size").cloned().unwrap_or_default();
        size.as_str().unwrap_or_default().to_owned()
    }

    /// The gzipped size in bytes.
    pub(super) fn gzipped(&self) -> Option<u64> {
        self.stamp().get("gzipped").and_then(Value::as_u64)
    }

    fn digests(&self) -> Result<Value> {
        let names = self.names.iter();
        names.map(|name| digest::of_file(&self.folder.join(name)).map(Value::from)).collect()
    }

    fn stamp(&self) -> Value {
        let text = fs::read_to_string(self.stamp_path()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn stamp_path(&self) -> PathBuf {
        self.folder.join("stamp.json")
    }
}
