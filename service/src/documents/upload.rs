//! Takes a file from a form into the bucket: each chunk is shown to who watches it, hashed, sealed and written before the
//! next one is read.
//!
//! A file of up to [`SMALL`] chunks is held sealed and stored in one piece when it is completed. A larger one becomes
//! an object of several parts. A bucket can want to know the length of a part when it begins, and the form says only at
//! its end how long a file is. So it is told the most that can come, and may fill up the last part with zero bytes.

mod parts;

use super::cipher::{Cipher, CipherError};
use crate::app::App;
use crate::bucket::{self, BucketError};
use crate::error::AppError;
use crate::host::Sha256;
use crate::multipart::{Part, Source};
use crate::plan::sandbox::SANDBOX_DOCUMENT;
use crate::request::file_limits::{TOO_LARGE, TOO_LARGE_FOR_SANDBOX};
use crate::store::documents::stream::{self, CHUNK, SEALED_CHUNK};
use parts::Parts;

/// How many chunks are held at most: 1 MiB.
const SMALL: usize = 8;
/// As many bytes when they are sealed.
const SMALL_SEALED: usize = SMALL * SEALED_CHUNK;

/// Where a file goes.
pub(crate) struct Target<'t> {
    pub(crate) app: &'t App,
    pub(crate) key: &'t str,
    pub(crate) cipher: &'t Cipher,
    /// The most bytes that the file may have.
    pub(crate) max: u64,
}

/// A file whose bytes were all taken. It is an object of the bucket only after [`Taken::complete`].
pub(crate) struct Taken {
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

/// Takes a file. `watch` sees its next plain bytes, never none, and may refuse it. `begun` hears under which id the bucket
/// keeps parts of the object until the upload is completed or aborted: once before the first part of a large file, and
/// never for a small one.
///
/// # Errors
///
/// Why it was not taken. The parts that the bucket had are removed.
pub(crate) async fn take<S: Source>(
    part: &mut Part<'_, S>,
    to: &Target<'_>,
    watch: impl AsyncFnMut(&[u8]) -> Result<(), AppError>,
    begun: impl AsyncFnMut(&str) -> Result<(), AppError>,
) -> Result<Taken, AppError> {
    let mut taking = Taking {
        to,
        watch,
        begun,
        sha256: to.app.host.crypto.sha256().map_err(CipherError::from)?,
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

struct Taking<'t, W, B> {
    to: &'t Target<'t>,
    watch: W,
    begun: B,
    sha256: Box<dyn Sha256>,
    /// The plain bytes of the chunk that is being read.
    plain: Vec<u8>,
    /// The number of that chunk.
    chunk: u32,
    held: Held,
}

impl<W, B> Taking<'_, W, B>
where
    W: AsyncFnMut(&[u8]) -> Result<(), AppError>,
    B: AsyncFnMut(&str) -> Result<(), AppError>,
{
    async fn all<S: Source>(&mut self, part: &mut Part<'_, S>) -> Result<u64, AppError> {
        let mut size = 0_u64;
        while let Some(bytes) = part.chunk().await? {
            size = size.saturating_add(bytes.len() as u64);
            // The rest is not read.
            let refusal = if self.to.max == SANDBOX_DOCUMENT { TOO_LARGE_FOR_SANDBOX } else { TOO_LARGE };
            let allowed = self.to.max.checked_sub(size).ok_or(refusal)?;
            let follow = part.remaining_upper_bound().unwrap_or(u64::MAX);
            let follow = follow.min(allowed);
            (self.watch)(&bytes).await?;
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
    async fn seal(&mut self, is_last: bool, follow: u64) -> Result<(), AppError> {
        let follow = follow.saturating_add(self.plain.len() as u64);
        self.sha256.update(&self.plain).await.map_err(CipherError::from)?;
        let sealed = self.to.cipher.seal(self.chunk, is_last, &self.plain).await?;
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
    async fn grow(&mut self, held: &[u8], follow: u64) -> Result<(), AppError> {
        let parts = Parts::begin(self.to.app, self.to.key).await?;
        let id = parts.upload_id().to_owned();
        self.held = Held::Large(parts);
        (self.begun)(&id).await?;
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

    async fn end(self, size: u64) -> Result<Taken, AppError> {
        let sha256 = self.sha256.finish().await.map_err(CipherError::from);
        let (object_length, held) = match self.held {
            Held::Small(held) => (stream::sealed_length(size), Held::Small(held)),
            Held::Large(mut parts) => match (parts.end(self.to.app).await, &sha256) {
                (Ok(length), Ok(_)) => (length, Held::Large(parts)),
                (ended, _) => {
                    let _failed = parts.abort(self.to.app).await;
                    ended?;
                    return Err(CipherError.into());
                }
            },
        };
        Ok(Taken { size, sha256: sha256?, object_length, held })
    }
}

impl Taken {
    /// Makes the object: from then on the bucket has it under its key. After an error, [`Taken::abort`] removes what
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
