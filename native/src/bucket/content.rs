//! Reads an object, or a range of it.

use super::{blocking, disk};
use bytes::Bytes;
use overturn_service::host::{PlatformError, Reader, Step};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

/// How much is read at once, unless a read asks for more.
const PIECE: u64 = 64 * 1024;

/// The content of an object. It stays readable after the object was deleted or replaced.
pub(super) struct Content {
    file: Arc<File>,
    offset: u64,
    left: u64,
}

impl Content {
    /// `None` if there is no such object.
    pub(super) fn open(path: &Path, offset: u64, length: u64) -> io::Result<Option<Self>> {
        let Some(file) = disk::found(File::open(path))? else {
            return Ok(None);
        };
        let found = file.metadata()?;
        let content = Self { file: Arc::new(file), offset, left: found.len().saturating_sub(offset).min(length) };
        Ok(found.is_file().then_some(content))
    }

    /// Reads up to `most` of what is left.
    async fn next(&mut self, most: u64) -> Result<Vec<u8>, PlatformError> {
        let length = usize::try_from(most.min(self.left)).map_err(|_| PlatformError)?;
        if length == 0 {
            return Ok(Vec::new());
        }
        let (file, offset) = (Arc::clone(&self.file), self.offset);
        let read = blocking(move || {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset)?;
            Ok(bytes)
        });
        let bytes = read.await?;
        self.offset = self.offset.saturating_add(bytes.len() as u64);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    }
}

impl Reader for Content {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        Box::pin(async move { Ok(self.next(PIECE.max(least as u64)).await?.into()) })
    }
}
