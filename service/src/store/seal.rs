//! Field encryption: seals the confidential parts of a record before they reach the database.
//!
//! ```text
//! 1.<base64 without padding of: nonce (24 bytes) || ciphertext || tag (16 bytes)>
//! ```
//!
//! The cipher is XChaCha20-Poly1305 under a versioned key. The additional data has seven parts, each after its length
//! in 4 bytes, big-endian: the name of this form, table, column, owner (the practice or the account), claim (empty if
//! there is none), record, and key version (8 bytes). A sealed value that was moved to another place does not open.
//!
//! The `1.` and the name of the form leave room for another cipher.

use chacha20poly1305::aead::{Aead, AeadInOut, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use data_encoding::BASE64_NOPAD;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use std::fmt;

#[cfg(test)]
mod tests;

const NONCE: usize = 24;
const TAG: usize = 16;
/// The start of every value in this form.
const MARK: &str = "1.";
/// The name of the form in the additional data.
const FORM: &[u8] = b"overturn sealed 1 XChaCha20-Poly1305";

/// A nonce. It must be random and used once. With 24 bytes, random nonces need no counter.
pub type Nonce = [u8; NONCE];

/// A key that seals and opens. `Debug` does not print it.
pub struct SealingKey {
    version: KeyVersion,
    cipher: XChaCha20Poly1305,
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKey({})", self.version.0)
    }
}

/// The value was not sealed by this key for this place, or was changed. The error has no cause: an attacker must not
/// learn how far a changed value was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the value was not sealed by this key for this place")]
pub struct OpenError;

impl SealingKey {
    /// A key from 32 secret bytes.
    #[must_use]
    pub fn new(version: KeyVersion, secret: &[u8; 32]) -> Self {
        Self { version, cipher: XChaCha20Poly1305::new(secret.into()) }
    }

    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.version
    }

    /// Seals a value for one place. `None` only for more than the cipher's 256 GB.
    #[must_use]
    pub fn seal(&self, place: SealedPlace, text: &[u8], nonce: Nonce) -> Option<String> {
        let mut blob = Vec::with_capacity(text.len().saturating_add(NONCE).saturating_add(TAG));
        blob.extend_from_slice(&nonce);
        blob.extend_from_slice(text);
        let sealed = blob.get_mut(NONCE..)?;
        let tag = self.cipher.encrypt_inout_detached(&XNonce::from(nonce), &self.bound(place), sealed.into()).ok()?;
        blob.extend_from_slice(&tag);
        let mut text = String::from(MARK);
        BASE64_NOPAD.encode_append(&blob, &mut text);
        Some(text)
    }

    /// Opens a value that was sealed for this place.
    ///
    /// # Errors
    ///
    /// [`OpenError`], without the reason.
    pub fn open(&self, place: SealedPlace, blob: &str) -> Result<Vec<u8>, OpenError> {
        let blob = blob.strip_prefix(MARK).ok_or(OpenError)?;
        // The cause stays out: an attacker must not learn how far a changed blob was read.
        let blob = BASE64_NOPAD.decode(blob.as_bytes()).map_err(|_| OpenError)?;
        let (nonce, sealed) = blob.split_first_chunk::<NONCE>().ok_or(OpenError)?;
        let payload = Payload { msg: sealed, aad: &self.bound(place) };
        self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|chacha20poly1305::Error| OpenError)
    }

    fn bound(&self, place: SealedPlace) -> Vec<u8> {
        let column = place.column();
        let (owner, claim, record) = (place.owner(), place.claim(), place.record());
        let version = self.version.0.to_be_bytes();
        let parts: [&[u8]; 7] = [
            FORM,
            column.table.as_bytes(),
            column.name.as_bytes(),
            owner.as_bytes(),
            claim.as_ref().map_or(&[], |claim| claim.0.as_bytes()),
            record.as_bytes(),
            &version,
        ];
        let mut aad = Vec::with_capacity(160);
        for part in parts {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            aad.extend_from_slice(&length.to_be_bytes());
            aad.extend_from_slice(part);
        }
        aad
    }
}
