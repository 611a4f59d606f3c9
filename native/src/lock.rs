//! The lock on a data folder. Limits and bans are in memory, so two servers on one folder would not know of each other's.

use crate::error::{Context as _, Result};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The folder is this program's until this is dropped or the program ends, in any way.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    path: PathBuf,
}

/// The name of its file.
pub(crate) const NAME: &str = "overturn.lock";

impl Lock {
    /// Takes a folder, which is made if there is none.
    ///
    /// # Errors
    ///
    /// Another program has it, or it cannot be used.
    pub(crate) fn take(data: &Path) -> Result<Self> {
        let cannot = || format!("cannot use {}", data.display());
        let mut folder = DirBuilder::new();
        folder.recursive(true).mode(0o700);
        folder.create(data).context(cannot)?;
        let mut options = OpenOptions::new();
        options.create(true).append(true).mode(0o600);
        let path = data.join(NAME);
        let file = options.open(&path).context(cannot)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file, path }),
            Err(TryLockError::WouldBlock) => {
                let folder = data.display();
                Err(format!("another overturn-server uses {folder}: stop it first").into())
            }
            Err(TryLockError::Error(error)) => Err(error).context(cannot),
        }
    }

    /// Removes its file, for a folder that was made for nothing.
    pub(crate) fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::tests::Folder;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_folder_has_one_program_and_is_private() {
        let folder = Folder::new();
        let data = folder.0.join("data");
        let lock = Lock::take(&data).unwrap();
        let mode = fs::metadata(&data).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let refused = Lock::take(&data).unwrap_err().to_string();
        assert!(refused.contains("another overturn-server"), "{refused}");
        drop(lock);
        Lock::take(&data).unwrap();
    }
}
