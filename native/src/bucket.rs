//! Objects as files below a folder. Every step that reports success is on the disk.
//!
//! An object is written to a file in `.parts` and moved to its name once it is whole, so no reader ever sees a part of
//! it. The names of objects cannot begin with a dot.

mod content;
mod disk;
mod parts;
#[cfg(test)]
mod tests;

use content::Content;
use overturn_service::host::{Bucket, Parts, PlatformError, Reader, Step};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The folder, for the service of one thread.
#[derive(Clone)]
pub(crate) struct FileBucket(Arc<Path>);

impl FileBucket {
    /// The objects below a folder, which is made if there is none. It removes what a program that ended left half
    /// written.
    ///
    /// # Errors
    ///
    /// The folder cannot be used.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        disk::prepare(folder)?;
        Ok(Self(folder.into()))
    }

    /// Copies an object from another folder, if that has it.
    ///
    /// # Errors
    ///
    /// A disk failed.
    pub(crate) fn take(&self, name: &str, from: &Path) -> io::Result<()> {
        let name = checked(name).ok_or(io::ErrorKind::InvalidInput)?;
        match disk::found(std::fs::read(from.join(name)))? {
            Some(bytes) => disk::put(&self.0, &self.0.join(name), &bytes),
            None => Ok(()),
        }
    }

    /// Does something with the folder and a key, on a thread that may wait.
    async fn at<T: Send + 'static>(
        &self,
        key: &str,
        work: impl FnOnce(&Path, PathBuf) -> io::Result<T> + Send + 'static,
    ) -> Result<T, PlatformError> {
        let key = checked(key).ok_or(PlatformError)?.to_owned();
        let root = Arc::clone(&self.0);
        blocking(move || work(&root, root.join(key))).await
    }
}

/// Waits for the disk. The cause of a failure stays out: it could name the key.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, PlatformError> {
    let done = spawn_blocking(work).await.map_err(|_| PlatformError)?;
    done.map_err(|_| PlatformError)
}

/// A key that is a path below the folder.
fn checked(key: &str) -> Option<&str> {
    let is_plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'_' | b'.' | b'-');
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains("..") && part.bytes().all(is_plain);
    key.split('/').all(is_part).then_some(key)
}

impl Bucket for FileBucket {
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.at(key, move |root, path| disk::put(root, &path, &bytes)))
    }

    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>> {
        Box::pin(self.at(key, |_, path| {
            let found = disk::found(std::fs::metadata(path))?;
            Ok(found.filter(|found| found.is_file()).map(|found| found.len()))
        }))
    }

    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn Parts>, PlatformError>> {
        Box::pin(async move {
            let begun = self.at(key, parts::begin);
            Ok(Box::new(begun.await?) as Box<dyn Parts>)
        })
    }

    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>> {
        Box::pin(async move {
            let content = self.at(key, move |_, path| Content::open(&path, offset, length));
            let content = content.await?;
            Ok(content.map(|content| Box::new(content) as Box<dyn Reader>))
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.at(key, |_, path| disk::remove(&path)))
    }

    fn abort<'a>(&'a self, key: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>> {
        let upload_id = upload_id.to_owned();
        Box::pin(self.at(key, move |root, _| match disk::is_upload_id(&upload_id) {
            true => disk::remove(&disk::upload(root, &upload_id)),
            // No upload ever had such an id.
            false => Ok(()),
        }))
    }
}
