//! The file for a new key.

use crate::error::CommandError;
use crate::system;
use crate::text::shown;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

/// A file that does not exist yet. Another one beside it, which only its owner may read, proves that there is a place,
/// and takes its name once it has the whole text.
pub(super) struct Place {
    name: PathBuf,
    beside: PathBuf,
    file: File,
}

impl Place {
    /// # Errors
    ///
    /// [`CommandError::Usage`] if the file exists, or cannot be made.
    pub(super) fn new(name: &str) -> Result<Self, CommandError> {
        let wrong = |why: &str| CommandError::Usage(format!("cannot make the file {}: {why}", shown(name)));
        if fs::symlink_metadata(name).is_ok() {
            return Err(wrong("it exists"));
        }
        let beside = PathBuf::from(format!("{name}.{}", system::fresh()?.request_id));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&beside).map_err(|error| wrong(&error.to_string()))?;
        Ok(Self { name: name.into(), beside, file })
    }

    /// Writes the text. Unlike a rename, a link never replaces a file.
    pub(super) fn keep(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()?;
        fs::hard_link(&self.beside, &self.name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What cannot be removed is empty, or its owner's only.
        let _ = fs::remove_file(&self.beside);
    }
}
