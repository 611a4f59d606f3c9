//! Field encryption: what is confidential about a record, sealed before it reaches the database.
//!
//! XChaCha20-Poly1305 under a versioned key, one blob a record, in base64 without padding:
//! `nonce (24 bytes) || ciphertext || tag (16 bytes)`. The additional data binds a blob to its place: two ids (practice
//! and claim, or account and factor) and the key version. A blob moved to another row does not open.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, AeadInOut, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use overturn_core::identity::KeyVersion;
use std::fmt;
use uuid::Uuid;

const NONCE: usize = 24;
const TAG: usize = 16;

/// Bytes for a nonce. They must be random and used once: 24 are enough to draw them without a counter.
pub type Nonce = [u8; NONCE];

/// What a blob belongs to: the ids of its owner and of its record.
pub type Place = [Uuid; 2];

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

/// A blob was not made by this key for this place, or was changed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotOpen;

impl SealingKey {
    /// A key from 32 secret bytes.
    #[must_use]
    pub fn new(version: KeyVersion, secret: &[u8; 32]) -> Self {
        Self {
            version,
            cipher: XChaCha20Poly1305::new(secret.into()),
        }
    }

    /// The version of the key.
    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.version
    }

    /// Seals for one place. `None` only for a text beyond the cipher's 256 GB.
    #[must_use]
    pub fn seal(&self, place: Place, text: &[u8], nonce: Nonce) -> Option<String> {
        let mut blob = Vec::with_capacity(text.len().saturating_add(NONCE).saturating_add(TAG));
        blob.extend_from_slice(&nonce);
        blob.extend_from_slice(text);
        let aad = self.aad(place);
        let sealed = blob.get_mut(NONCE..)?;
        let tag = self
            .cipher
            .encrypt_inout_detached(&XNonce::from(nonce), &aad, sealed.into())
            .ok()?;
        blob.extend_from_slice(&tag);
        Some(STANDARD_NO_PAD.encode(blob))
    }

    /// Opens what was sealed for this place.
    ///
    /// # Errors
    ///
    /// [`CannotOpen`], with no telling why.
    pub fn open(&self, place: Place, blob: &str) -> Result<Vec<u8>, CannotOpen> {
        let blob = STANDARD_NO_PAD.decode(blob).map_err(|_| CannotOpen)?;
        let (nonce, sealed) = blob.split_first_chunk::<NONCE>().ok_or(CannotOpen)?;
        let aad = self.aad(place);
        self.cipher
            .decrypt(
                &XNonce::from(*nonce),
                Payload {
                    msg: sealed,
                    aad: &aad,
                },
            )
            .map_err(|_| CannotOpen)
    }

    fn aad(&self, place: Place) -> [u8; 36] {
        let mut aad = [0_u8; 36];
        let ids = place.iter().flat_map(|id| id.as_bytes()).copied();
        for (to, from) in aad.iter_mut().zip(ids.chain(self.version.0.to_be_bytes())) {
            *to = from;
        }
        aad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(version: u32) -> SealingKey {
        SealingKey::new(KeyVersion(version), &[9; 32])
    }
    const PLACE: Place = [Uuid::from_u128(1), Uuid::from_u128(2)];

    #[test]
    fn what_was_sealed_opens_in_its_place_only() {
        let blob = key(1).seal(PLACE, b"Jane", [5; 24]).unwrap();
        assert_eq!(key(1).open(PLACE, &blob).as_deref(), Ok(b"Jane".as_slice()));
        assert_eq!(key(1).open([PLACE[1], PLACE[1]], &blob), Err(CannotOpen));
        assert_eq!(key(1).open([PLACE[0], PLACE[0]], &blob), Err(CannotOpen));
        assert_eq!(key(2).open(PLACE, &blob), Err(CannotOpen));
        let changed = blob.replace(blob.chars().last().unwrap(), "A");
        assert_eq!(key(1).open(PLACE, &changed), Err(CannotOpen));
        for short in ["", "AAAA", "not base64!"] {
            assert_eq!(key(1).open(PLACE, short), Err(CannotOpen));
        }
    }

    #[test]
    fn the_stored_format_is_pinned() {
        let blob = key(1).seal(PLACE, b"Jane", [5; 24]).unwrap();
        assert_eq!(
            blob,
            "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9d7LDp6gr+VeHaN1OIzDL4k"
        );
    }

    #[test]
    fn a_key_is_not_printed() {
        assert_eq!(format!("{:?}", key(1)), "SealingKey(1)");
    }
}
