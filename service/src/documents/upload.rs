//! Takes a file from a form into the bucket: each chunk is shown to an observer, hashed, sealed and written before the
//! next one is read.
//!
//! A file of up to [`SMALL`] chunks is held sealed and stored in one piece when it is completed. A larger one becomes
//! an object of several parts. A bucket can want to know the length of a part when it begins, and the form says only at
//! its end how long a file is. So it is told the most that can come, and may fill up the last part with zero bytes.

mod parts;

use super::cipher::{Cipher, CipherError, Sha256};
use crate::app::App;
use crate::bucket::{self, BucketError};
use crate::multipart::{FormError, Part, Source};
use overturn_store::documents::stream::{self, CHUNK, SEALED_CHUNK};
use parts::Parts;

/// How many chunks are held at most: 1 MiB.
const SMALL: usize = 8;
/// As many bytes when they are sealed.
const SMALL_SEALED: usize = SMALL * SEALED_CHUNK;

/// What sees a file while it streams.
pub(crate) trait Observer {
    /// Why it refuses a file.
    type Refusal;

    /// The next plain bytes of the file, never none.
    ///
    /// # Errors
    ///
    /// A refusal ends the upload.
    async fn bytes(&mut self, plain: &[u8]) -> Result<(), Self::Refusal>;

    /// The bucket keeps parts of the object under this id until the upload is completed or aborted. It is called once
    /// before the first part of a large file, and never for a small one.
    ///
    /// # Errors
    ///
    /// A refusal ends the upload.
    async fn begun(&mut self, upload_id: &str) -> Result<(), Self::Refusal>;
}

/// Where a file goes.
pub(crate) struct Target<'t> {
    pub(crate) app: &'t App,
    pub(crate) key: &'t str,
    pub(crate) cipher: &'t Cipher,
    /// The most bytes that the file may have.
    pub(crate) max: u64,
}

/// Why a file was not taken. Nothing of it is left, unless the bucket failed.
#[derive(Debug)]
pub(crate) enum ReceiveError<R> {
    /// The form cannot be read.
    Form(FormError),
    /// The file has more bytes than it may have. The rest of it was not read.
    TooLarge,
    /// The observer refused it.
    Refused(R),
    /// The bucket failed.
    Bucket(BucketError),
    /// The platform could not seal or hash.
    Cipher,
}

impl<R> From<FormError> for ReceiveError<R> {
    fn from(error: FormError) -> Self {
        Self::Form(error)
    }
}

impl<R> From<BucketError> for ReceiveError<R> {
    fn from(error: BucketError) -> Self {
        Self::Bucket(error)
    }
}

impl<R> From<CipherError> for ReceiveError<R> {
    fn from(_: CipherError) -> Self {
        Self::Cipher
    }
}

/// A file whose bytes were all taken. It is an object of the bucket only after [`Received::complete`].
pub(crate) struct Received {
    /// Its plain bytes.
    pub(crate) size: u64,
    /// The SHA-256 of its plain bytes.
    pub(crate) sha256: [u8; 32],
    /// The bytes of the object, with padding.
    pub(crate) object_length: u64,
    held: Held,
}

enum Held {
    /// Sealed chunks.
    Small(Vec<u8>),
    Large(Parts),
}

/// Takes a file.
///
/// # Errors
///
/// Why it was not taken. The parts that the bucket had are removed.
pub(crate) async fn receive<S: Source, O: Observer>(
    part: &mut Part<'_, S>,
    to: &Target<'_>,
    observer: &mut O,
) -> Result<Received, ReceiveError<O::Refusal>> {
    let mut taking = Taking {
        to,
        observer,
        sha256: Sha256::new(to.app)?,
        plain: Vec::with_capacity(CHUNK),
        chunk: 0,
        held: Held::Small(Vec::new()),
    };
    match taking.all(part).await {
        Ok(size) => taking.end(size).await,
        Err(error) => {
            // The first error is the one to report. The sweep aborts what this cannot.
            if let Held::Large(parts) = taking.held {
                let _failed = parts.abort(to.app).await;
            }
            Err(error)
        }
    }
}

struct Taking<'t, O> {
    to: &'t Target<'t>,
    observer: &'t mut O,
    sha256: Sha256,
    /// The plain bytes of the chunk that is being read.
    plain: Vec<u8>,
    /// The number of that chunk.
    chunk: u32,
    held: Held,
}

impl<O: Observer> Taking<'_, O> {
    async fn all<S: Source>(&mut self, part: &mut Part<'_, S>) -> Result<u64, ReceiveError<O::Refusal>> {
        let mut size = 0_u64;
        while let Some(bytes) = part.chunk().await? {
            size = size.saturating_add(bytes.len() as u64);
            let allowed = self.to.max.checked_sub(size);
            let allowed = allowed.ok_or(ReceiveError::TooLarge)?;
            let follow = part.remaining_upper_bound().unwrap_or(u64::MAX);
            let follow = follow.min(allowed);
            let seen = self.observer.bytes(&bytes).await;
            seen.map_err(ReceiveError::Refused)?;
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                if self.plain.len() == CHUNK {
                    let bound = follow.saturating_add(rest.len() as u64);
                    self.seal(false, bound).await?;
                }
                let room = CHUNK.saturating_sub(self.plain.len());
                let (now, later) = rest.split_at(rest.len().min(room));
                self.plain.extend_from_slice(now);
                rest = later;
            }
        }
        self.seal(true, 0).await?;
        Ok(size)
    }

    /// Seals the chunk. `follow` is the most plain bytes that can come behind it.
    async fn seal(&mut self, is_last: bool, follow: u64) -> Result<(), ReceiveError<O::Refusal>> {
        let follow = follow.saturating_add(self.plain.len() as u64);
        self.sha256.update(&self.plain).await?;
        let sealed = self.to.cipher.seal(self.chunk, is_last, &self.plain);
        let sealed = sealed.await?;
        self.plain.clear();
        self.chunk = self.chunk.saturating_add(1);
        if let Held::Small(held) = &mut self.held {
            if held.len() < SMALL_SEALED {
                held.extend_from_slice(&sealed);
                return Ok(());
            }
            let held = std::mem::take(held);
            self.grow(&held, follow).await?;
        }
        if let Held::Large(parts) = &mut self.held {
            let bound = stream::sealed_length(follow);
            parts.write(self.to.app, sealed, bound).await?;
        }
        Ok(())
    }

    /// Begins an object of several parts with the chunks that were held.
    async fn grow(&mut self, held: &[u8], follow: u64) -> Result<(), ReceiveError<O::Refusal>> {
        let parts = Parts::begin(self.to.app, self.to.key).await?;
        let id = parts.upload_id().to_owned();
        self.held = Held::Large(parts);
        let recorded = self.observer.begun(&id).await;
        recorded.map_err(ReceiveError::Refused)?;
        let Held::Large(parts) = &mut self.held else {
            return Ok(());
        };
        let mut left = held.len() as u64;
        for chunk in held.chunks(SEALED_CHUNK) {
            let bound = left.saturating_add(stream::sealed_length(follow));
            parts.write(self.to.app, chunk.to_vec(), bound).await?;
            left = left.saturating_sub(chunk.len() as u64);
        }
        Ok(())
    }

    async fn end(self, size: u64) -> Result<Received, ReceiveError<O::Refusal>> {
        let sha256 = self.sha256.finish().await;
        let (object_length, held) = match self.held {
            Held::Small(held) => (stream::sealed_length(size), Held::Small(held)),
            Held::Large(mut parts) => match (parts.end(self.to.app).await, &sha256) {
                (Ok(length), Ok(_)) => (length, Held::Large(parts)),
                (ended, _) => {
                    let _failed = parts.abort(self.to.app).await;
                    ended?;
                    return Err(ReceiveError::Cipher);
                }
            },
        };
        Ok(Received { size, sha256: sha256?, object_length, held })
    }
}

impl Received {
    /// Makes the object: from then on the bucket has it under its key. After an error, [`Received::abort`] removes what
    /// there may be. It is called once.
    ///
    /// # Errors
    ///
    /// The bucket failed, and does not have the object as far as it says.
    pub(crate) async fn complete(&mut self, app: &App, key: &str) -> Result<(), BucketError> {
        let done = match &mut self.held {
            Held::Small(held) => bucket::put(app, key, std::mem::take(held)).await,
            Held::Large(parts) => parts.complete(app).await,
        };
        let Err(failed) = done else { return Ok(()) };
        // The answer may be lost, and the object be there nevertheless.
        match bucket::size(app, key).await {
            Ok(Some(size)) if size == self.object_length => Ok(()),
            _ => Err(failed),
        }
    }

    /// Removes what the bucket has of the file, whether it was completed or not.
    ///
    /// # Errors
    ///
    /// The bucket failed, and may have it still.
    pub(crate) async fn abort(self, app: &App, key: &str) -> Result<(), BucketError> {
        if let Held::Large(parts) = self.held {
            parts.abort(app).await?;
        }
        bucket::delete(app, key).await
    }
}
