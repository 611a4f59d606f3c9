//! Writes an object part by part: each is appended to the file of the upload.

use super::{blocking, disk};
use overturn_service::host::{self, PlatformError, Step};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An object that is written part by part.
pub(super) struct Parts {
    root: Arc<Path>,
    /// The path of the object.
    path: PathBuf,
    upload_id: String,
    /// `None` while a step has it, after a step that failed or was given up, and at the end.
    file: Option<File>,
    length: u64,
}

/// Begins an object.
pub(super) fn begin(root: &Path, path: PathBuf) -> io::Result<Parts> {
    let (file, upload_id) = disk::begin(root)?;
    Ok(Parts { root: root.into(), path, upload_id, file: Some(file), length: 0 })
}

impl host::Parts for Parts {
    fn upload_id(&self) -> &str {
        &self.upload_id
    }

    fn write(&mut self, bytes: Vec<u8>, _bound: u64) -> Step<'_, Result<(), PlatformError>> {
        Box::pin(async move {
            let mut file = self.file.take().ok_or(PlatformError)?;
            let length = bytes.len() as u64;
            let written = blocking(move || file.write_all(&bytes).map(|()| file));
            self.file = Some(written.await?);
            self.length = self.length.saturating_add(length);
            Ok(())
        })
    }

    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>> {
        Box::pin(async move {
            let ended = self.file.as_ref().map(|_| self.length);
            ended.ok_or(PlatformError)
        })
    }

    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>> {
        Box::pin(async move {
            let file = self.file.take().ok_or(PlatformError)?;
            let (root, path) = (Arc::clone(&self.root), self.path.clone());
            let id = self.upload_id.clone();
            blocking(move || disk::complete(&root, &file, &id, &path)).await
        })
    }
}
