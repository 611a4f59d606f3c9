//! The steps with the disk. They wait for it.

use crate::clock::SystemEntropy;
use overturn_service::host::Entropy as _;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of what is not whole yet.
const PARTS: &str = ".parts";
/// The length of an upload's id.
const ID_LENGTH: usize = 32;
/// An upload that is older is never completed.
const ABANDONED: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Makes the folder, and removes the files of abandoned uploads.
pub(super) fn prepare(root: &Path) -> io::Result<()> {
    let parts = root.join(PARTS);
    DirBuilder::new().recursive(true).mode(0o700).create(&parts)?;
    sync(root)?;
    for entry in fs::read_dir(parts)? {
        let entry = entry?;
        let age = entry.metadata()?.modified()?.elapsed();
        if age.is_ok_and(|age| age > ABANDONED) {
            found(fs::remove_file(entry.path()))?;
        }
    }
    Ok(())
}

/// The file of an upload.
pub(super) fn upload(root: &Path, id: &str) -> PathBuf {
    root.join(PARTS).join(id)
}

/// True if an upload can have this id.
pub(super) fn is_upload_id(id: &str) -> bool {
    id.len() == ID_LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A new file for an upload, and its id.
pub(super) fn begin(root: &Path) -> io::Result<(File, String)> {
    let mut bytes = [0; ID_LENGTH.div_euclid(2)];
    SystemEntropy.fill(&mut bytes).map_err(io::Error::other)?;
    let id = format!("{:0ID_LENGTH$x}", u128::from_be_bytes(bytes));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    Ok((options.open(upload(root, &id))?, id))
}

/// Stores an object in one piece.
pub(super) fn put(root: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (mut file, id) = begin(root)?;
    let stored = file.write_all(bytes).and_then(|()| complete(root, &file, &id, path));
    if stored.is_err() {
        // The first error is the one to report.
        let _removed = fs::remove_file(upload(root, &id));
    }
    stored
}

/// Gives the file of an upload the name of its object.
pub(super) fn complete(root: &Path, file: &File, id: &str, path: &Path) -> io::Result<()> {
    file.sync_all()?;
    let folder = folder(path)?;
    make(root, folder)?;
    fs::rename(upload(root, id), path)?;
    sync(folder)
}

/// Removes a file. It is no error if there is none.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match found(fs::remove_file(path))? {
        Some(()) => sync(folder(path)?),
        None => Ok(()),
    }
}

/// What was found. `None` if there is nothing.
pub(super) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            _ => Err(error),
        },
    }
}

fn folder(path: &Path) -> io::Result<&Path> {
    path.parent().ok_or_else(|| ErrorKind::InvalidInput.into())
}

/// Makes the folders between the root and a folder below it.
fn make(root: &Path, folder: &Path) -> io::Result<()> {
    if folder == root || folder.is_dir() {
        return Ok(());
    }
    let above = self::folder(folder)?;
    make(root, above)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        // Another thread was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made?,
    }
    sync(above)
}

/// Writes the entries of a folder to the disk.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
