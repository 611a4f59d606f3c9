//! The store of objects, and bytes that come one after the other.

use super::step::{PlatformError, Step};
use bytes::Bytes;

/// Objects of bytes. It holds sealed bytes only, under keys that say nothing.
pub trait Bucket {
    /// Stores an object in one piece.
    ///
    /// # Errors
    ///
    /// It may have been stored.
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>>;

    /// The size of an object in bytes, `None` if there is none.
    ///
    /// # Errors
    ///
    /// The bucket did not answer.
    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>>;

    /// Begins an object of several parts.
    ///
    /// # Errors
    ///
    /// It may have been begun.
    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn Parts>, PlatformError>>;

    /// A range of an object, `None` if there is no such object.
    ///
    /// # Errors
    ///
    /// The bucket did not answer.
    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>>;

    /// Deletes an object. It is no error if there is none.
    ///
    /// # Errors
    ///
    /// It may have been deleted.
    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>>;

    /// Removes the parts of an object that was begun and never completed. It is no error if they are gone.
    ///
    /// # Errors
    ///
    /// They may have been removed.
    fn abort<'a>(&'a self, key: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>>;
}

/// An object that is written part by part.
pub trait Parts {
    /// The bucket keeps the parts under this id until they are completed or aborted.
    fn upload_id(&self) -> &str;

    /// Writes bytes. It returns when the bucket has taken them, so that none pile up. `bound` is the most bytes that can
    /// come, with these. They are the same number in every call but the last.
    ///
    /// # Errors
    ///
    /// Nothing more can be written.
    fn write(&mut self, bytes: Vec<u8>, bound: u64) -> Step<'_, Result<(), PlatformError>>;

    /// Ends the last part, and returns the length of the object. It may have more bytes than were written: zeros fill it up.
    ///
    /// # Errors
    ///
    /// Nothing more can be written.
    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>>;

    /// Makes the object of the parts.
    ///
    /// # Errors
    ///
    /// It may have been made.
    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>>;
}

/// Bytes that come one after the other. Dropping it says that no more is read.
pub trait Reader {
    /// The next bytes: at least `least`, fewer only at the end, and none after it. A host may give up to 64 KiB or `least`
    /// at once, whichever is more.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>>;

    /// All of the rest in one piece. A host with a faster way than piece by piece takes it.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    fn read_all(&mut self) -> Step<'_, Result<Vec<u8>, PlatformError>> {
        Box::pin(rest(self))
    }
}

/// Reads the rest piece by piece.
///
/// # Errors
///
/// The other side failed or went away.
pub async fn rest<R: Reader + ?Sized>(reader: &mut R) -> Result<Vec<u8>, PlatformError> {
    let mut all = Vec::new();
    loop {
        let bytes = reader.read(1).await?;
        if bytes.is_empty() {
            return Ok(all);
        }
        all.extend_from_slice(&bytes);
    }
}
