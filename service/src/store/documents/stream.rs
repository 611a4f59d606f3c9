//! The form of a sealed document: the STREAM construction with AES-256-GCM, under a key of its own.
//!
//! The plain bytes are cut into chunks of [`CHUNK`]. Each chunk is sealed by itself, so a range of a document opens
//! only its chunks. The last one may be shorter, and an empty document is one empty chunk.
//!
//! ```text
//! object = chunk 0 || chunk 1 || … || padding
//! chunk  = ciphertext || tag (16 bytes)
//! nonce  = 7 zero bytes || number of the chunk (4 bytes, big-endian) || 1 for the last chunk, otherwise 0
//! ```
//!
//! A key seals one document once, so the nonces need no random part. The number and the flag in the nonce, and the
//! practice and the document in the additional data, make a chunk fail to open at any other place: in another order,
//! in another document, or before or behind the true end. A reader takes the length of the document from the
//! database. It never reads the padding, which is there because R2 must know the length of a part before the part ends.
//!
//! The nonces are those of `StreamBE32` in the crate `aead-stream`. The cipher itself is not here: the Worker uses the
//! platform's.

use overturn_core::base::id::PracticeId;
use uuid::Uuid;

#[cfg(test)]
mod tests;

/// The plain bytes of a chunk. All chunks but the last have this size.
pub const CHUNK: usize = 128 * 1024;
/// The bytes that sealing adds to a chunk.
pub const TAG: usize = 16;
/// The bytes of a sealed chunk.
pub const SEALED_CHUNK: usize = CHUNK + TAG;
/// The bytes of a key.
pub const KEY: usize = 32;
/// The bytes of a nonce.
pub const NONCE: usize = 12;

/// The name of the form in the additional data.
const FORM: &[u8] = b"overturn document 1 AES-256-GCM STREAM";

/// How many chunks a document of a length in bytes has.
#[must_use]
pub const fn chunks(length: u64) -> u64 {
    let chunks = length.div_ceil(CHUNK as u64);
    if chunks == 0 { 1 } else { chunks }
}

/// How many bytes a document of a length in bytes has when it is sealed, without padding.
#[must_use]
pub const fn sealed_length(length: u64) -> u64 {
    length.saturating_add(chunks(length).saturating_mul(TAG as u64))
}

/// The nonce of a chunk, counted from 0. `is_last` is true for the last chunk of the document.
#[must_use]
pub fn nonce(chunk: u32, is_last: bool) -> [u8; NONCE] {
    let [a, b, c, d] = chunk.to_be_bytes();
    [0, 0, 0, 0, 0, 0, 0, a, b, c, d, u8::from(is_last)]
}

/// The additional data of every chunk of a document: the name of the form, the practice and the document.
#[must_use]
pub fn aad(practice: PracticeId, document: Uuid) -> Vec<u8> {
    [FORM, practice.0.as_bytes(), document.as_bytes()].concat()
}

/// The part of an object that a range of its document needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first chunk.
    pub first: u32,
    /// The last chunk of the range.
    pub last: u32,
    /// Whether the last chunk of the range is the last one of the document.
    pub ends: bool,
    /// Where the bytes start in the object.
    pub offset: u64,
    /// How many bytes of the object are needed.
    pub sealed: u64,
    /// How many plain bytes of the first chunk come before the range.
    pub skip: usize,
    /// How many plain bytes the range has.
    pub length: u64,
}

impl Span {
    /// The span of `length` bytes from `start` in a document of `total` bytes. `None` if the document does not have
    /// these bytes or more than 2^32 chunks. The only empty range is an empty document.
    #[must_use]
    pub fn new(total: u64, start: u64, length: u64) -> Option<Self> {
        let is_empty = total == 0 && start == 0 && length == 0;
        let end = start.checked_add(length)?;
        if end > total || (length == 0 && !is_empty) {
            return None;
        }
        let size = CHUNK as u64;
        let first = start.div_euclid(size);
        let last = end.saturating_sub(1).div_euclid(size);
        let ends = last.checked_add(1)? == chunks(total);
        let offset = first.checked_mul(SEALED_CHUNK as u64)?;
        let behind = match ends {
            true => sealed_length(total),
            false => last.checked_add(1)?.checked_mul(SEALED_CHUNK as u64)?,
        };
        Some(Self {
            first: first.try_into().ok()?,
            last: last.try_into().ok()?,
            ends,
            offset,
            sealed: behind.checked_sub(offset)?,
            skip: start.rem_euclid(size).try_into().ok()?,
            length,
        })
    }
}
