//! Locks between the steps of `cargo xtask test`, which run in processes of their own.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use crate::error::{Context, Result};

/// Waits for the lock of this file, which is made if it is missing. The lock is released when the file is dropped.
pub(crate) fn wait(path: &Path) -> Result<File> {
    let locked = open(path).and_then(|file| file.lock().map(|()| file));
    locked.context(|| format!("cannot lock {}", path.display()))
}

/// The same without waiting: `None` while somebody else holds the lock.
pub(crate) fn if_free(path: &Path) -> Result<Option<File>> {
    let file = open(path).context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error).context(|| format!("cannot lock {}", path.display())),
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}
