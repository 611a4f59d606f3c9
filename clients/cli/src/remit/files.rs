//! Finds the files that the arguments name.

use crate::error::CommandError;
use crate::text::shown;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// One file to read.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    /// False if it was found in a folder. Other files may be there too.
    pub(crate) named: bool,
}

/// All files to read.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) sources: Vec<Source>,
    /// The bytes of all, if they are known.
    pub(crate) length: Option<u64>,
    /// The bytes that were read.
    pub(crate) read: Arc<AtomicU64>,
}

impl Files {
    /// The files of the arguments, and those in folders, by name.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] when a folder cannot be read.
    pub(crate) fn find(remittances: &[String], claims: &[String]) -> Result<Self, CommandError> {
        let mut files = Self { sources: Vec::new(), length: Some(0), read: Arc::default() };
        for name in remittances.iter().chain(claims) {
            files.add(name, true)?;
        }
        Ok(files)
    }

    fn add(&mut self, name: &str, named: bool) -> Result<(), CommandError> {
        let about = fs::metadata(name).ok().filter(|_| name != "-");
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return self.add_folder(name);
        }
        let length = about.filter(fs::Metadata::is_file).map(|about| about.len());
        self.length = self.length.zip(length).map(|(all, one)| all.saturating_add(one));
        self.sources.push(Source { name: name.into(), named });
        Ok(())
    }

    fn add_folder(&mut self, folder: &str) -> Result<(), CommandError> {
        let failed = |error| CommandError::Usage(format!("cannot read {}: {error}", shown(folder)));
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            // A link could lead back to the folder.
            let is_link = entry.file_type().map_err(failed)?.is_symlink() && entry.path().is_dir();
            if let Some(path) = entry.path().to_str().filter(|_| !hidden && !is_link) {
                names.push(path.to_owned());
            }
        }
        names.sort();
        names.iter().try_for_each(|name| self.add(name, false))
    }
}
