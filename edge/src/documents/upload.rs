//! Takes a file from a form into the bucket: each chunk is shown to an observer, hashed, sealed and written before the
//! next one is read.
//!
//! A file of up to [`SMALL`] chunks is held sealed and stored in one piece when it is completed. A larger one becomes
//! an object of several parts. R2 wants to know the length of a part when it begins, and the form says only at its end
//! how long a file is. So the length of a part is the most that can come, and zero bytes fill up the last part.

mod parts;

use super::cipher::{Cipher, CipherError, Sha256};
use crate::bucket::{Bucket, BucketError};
use crate::byte_reader::release;
use crate::multipart::{FormError, Part, Source};
use overturn_store::documents::stream::{self, CHUNK};
use parts::Parts;
use worker::js_sys::Uint8Array;

/// How many chunks are held at most: 1 MiB.
const SMALL: usize = 8;

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
    pub(crate) bucket: &'t Bucket,
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
    Small(Chunks),
    Large(Parts),
}

/// Sealed chunks, whose memory is given back with them.
#[derive(Default)]
struct Chunks(Vec<Uint8Array>);

impl Drop for Chunks {
    fn drop(&mut self) {
        self.0.iter().for_each(release);
    }
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
        sha256: Sha256::new()?,
        plain: Vec::with_capacity(CHUNK),
        buffer: Uint8Array::new_with_length(u32::try_from(CHUNK).unwrap_or(u32::MAX)),
        chunk: 0,
        held: Held::Small(Chunks::default()),
    };
    match taking.all(part).await {
        Ok(size) => taking.end(size).await,
        Err(error) => {
            release(&taking.buffer);
            // The first error is the one to report. The sweep aborts what this cannot.
            if let Held::Large(parts) = taking.held {
                let _failed = parts.abort(to.bucket).await;
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
    /// The same bytes for the platform. It is used for every chunk.
    buffer: Uint8Array,
    /// The number of that chunk.
    chunk: u32,
    held: Held,
}

impl<O: Observer> Taking<'_, O> {
    async fn all<S: Source>(
        &mut self,
        part: &mut Part<'_, S>,
    ) -> Result<u64, ReceiveError<O::Refusal>> {
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
        let length = u32::try_from(self.plain.len()).unwrap_or(u32::MAX);
        let plain = self.buffer.subarray(0, length);
        plain.copy_from(&self.plain);
        self.plain.clear();
        self.sha256.update(&plain).await?;
        let sealed = self.to.cipher.seal(self.chunk, is_last, &plain).await?;
        self.chunk = self.chunk.saturating_add(1);
        if let Held::Small(chunks) = &mut self.held {
            if chunks.0.len() < SMALL {
                chunks.0.push(sealed);
                return Ok(());
            }
            let chunks = std::mem::take(chunks);
            self.grow(chunks, follow).await?;
        }
        if let Held::Large(parts) = &mut self.held {
            parts.write(&sealed, stream::sealed_length(follow)).await?;
            release(&sealed);
        }
        Ok(())
    }

    /// Begins an object of several parts with the chunks that were held.
    async fn grow(&mut self, chunks: Chunks, follow: u64) -> Result<(), ReceiveError<O::Refusal>> {
        let (upload, id) = self.to.bucket.begin(self.to.key).await?;
        self.held = Held::Large(Parts::new(upload, self.to.key.into(), id.clone()));
        let recorded = self.observer.begun(&id).await;
        recorded.map_err(ReceiveError::Refused)?;
        let Held::Large(parts) = &mut self.held else {
            return Ok(());
        };
        let mut left: u64 = chunks.0.iter().map(|chunk| u64::from(chunk.length())).sum();
        for chunk in &chunks.0 {
            let bound = left.saturating_add(stream::sealed_length(follow));
            parts.write(chunk, bound).await?;
            left = left.saturating_sub(chunk.length().into());
        }
        Ok(())
    }

    async fn end(self, size: u64) -> Result<Received, ReceiveError<O::Refusal>> {
        release(&self.buffer);
        let sha256 = self.sha256.finish().await;
        let (object_length, held) = match self.held {
            Held::Small(chunks) => (stream::sealed_length(size), Held::Small(chunks)),
            Held::Large(mut parts) => match (parts.pad().await, &sha256) {
                (Ok(length), Ok(_)) => (length, Held::Large(parts)),
                (padded, _) => {
                    let _failed = parts.abort(self.to.bucket).await;
                    padded?;
                    return Err(ReceiveError::Cipher);
                }
            },
        };
        Ok(Received {
            size,
            sha256: sha256?,
            object_length,
            held,
        })
    }
}

impl Received {
    /// Makes the object: from then on the bucket has it under its key. After an error, [`Received::abort`] removes what
    /// there may be.
    ///
    /// # Errors
    ///
    /// The bucket failed, and does not have the object as far as it says.
    pub(crate) async fn complete(&self, bucket: &Bucket, key: &str) -> Result<(), BucketError> {
        let done = match &self.held {
            Held::Small(chunks) => {
                let all = joined(&chunks.0);
                let put = bucket.put(key, &all).await;
                release(&all);
                put
            }
            Held::Large(parts) => parts.complete().await,
        };
        let Err(failed) = done else { return Ok(()) };
        // The answer may be lost, and the object be there nevertheless.
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let length = self.object_length as f64;
        match bucket.size(key).await {
            Ok(Some(size)) if size.to_bits() == length.to_bits() => Ok(()),
            _ => Err(failed),
        }
    }

    /// Removes what the bucket has of the file, whether it was completed or not.
    ///
    /// # Errors
    ///
    /// The bucket failed, and may have it still.
    pub(crate) async fn abort(self, bucket: &Bucket, key: &str) -> Result<(), BucketError> {
        if let Held::Large(parts) = self.held {
            parts.abort(bucket).await?;
        }
        bucket.delete(key).await
    }
}

fn joined(chunks: &[Uint8Array]) -> Uint8Array {
    let lengths = chunks.iter().map(Uint8Array::length);
    let all = Uint8Array::new_with_length(lengths.fold(0, u32::saturating_add));
    let mut at = 0_u32;
    for chunk in chunks {
        all.set(chunk, at);
        at = at.saturating_add(chunk.length());
    }
    all
}
