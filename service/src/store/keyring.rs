//! The service's keys, from the secret `SEALING_KEYS`.
//!
//! ```text
//! SEALING_KEYS = "2:<base64 of 32 bytes>,1:<base64 of 32 bytes>"
//! ```
//!
//! The first key is used for all writes, the others only for reads. `docs/operations/rotate.md` says how to rotate: first add
//! the new key at the end everywhere, then move it to the front.

pub mod practice;

use crate::store::seal::SealingKey;
use crate::trail::TrailKeys;
use data_encoding::{BASE64, BASE64_NOPAD};
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::mac;
use overturn_core::base::sealed::KeyVersion;
use sha2::Sha256;
use std::fmt;
use std::num::NonZeroU32;

/// The name of the secret.
pub const SECRET: &str = "SEALING_KEYS";

/// The keys in use. Each is derived from a root in the secret, for one purpose.
pub struct Keyring {
    /// The version of the key for all writes.
    current: KeyVersion,
    /// The keys that wrap data keys, the current one first.
    wrapping: Vec<SealingKey>,
    /// The keys that seal second factors, the current one first.
    accounts: Vec<SealingKey>,
    /// The keys that sign device cookies, the current one first.
    pub devices: Vec<MacKey>,
    /// The keys that authenticate ceremonies, the current one first.
    pub ceremonies: Vec<MacKey>,
    /// The keys of the proof between date of birth and signature, the current one first.
    pub proofs: Vec<MacKey>,
    /// The keys that authenticate the audit trails, the current one first.
    pub trails: TrailKeys,
    /// The key that hashes the marks of sends.
    pub marks: [u8; 32],
}

/// A key that authenticates what browsers keep. `Debug` does not print it.
#[derive(Clone, Copy)]
pub struct MacKey(pub [u8; 32]);

impl fmt::Debug for MacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MacKey")
    }
}

/// A problem of the secret. It holds no part of the secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyringError {
    /// The secret has no key.
    #[error("names no key")]
    Empty,
    /// An entry is not `<number>:<base64 of 32 bytes>`.
    #[error("has an entry that is not <version>:<base64 of 32 bytes>")]
    Entry,
    /// Two entries have the same version.
    #[error("has two keys of one version")]
    Repeated,
}

impl Keyring {
    /// Parses a secret.
    ///
    /// # Errors
    ///
    /// The problem of the secret.
    pub fn parse(secret: &str) -> Result<Self, KeyringError> {
        let mut wrapping = Vec::<SealingKey>::new();
        let (mut accounts, mut devices) = (Vec::new(), Vec::new());
        let (mut proofs, mut ceremonies) = (Vec::new(), Vec::new());
        let mut trails = TrailKeys::default();
        let mut marks = None;
        for entry in entries(secret) {
            let (version, root) = entry.ok_or(KeyringError::Entry)?;
            if wrapping.iter().any(|key| key.version() == version) {
                return Err(KeyringError::Repeated);
            }
            wrapping.push(SealingKey::new(version, &derive(&root, b"overturn wrap v1")));
            accounts.push(SealingKey::new(version, &derive(&root, b"overturn account v1")));
            devices.push(MacKey(derive(&root, b"overturn device v1")));
            ceremonies.push(MacKey(derive(&root, b"overturn ceremony v1")));
            trails.push(version, derive(&root, b"overturn trail v1"));
            marks.get_or_insert_with(|| derive(&root, b"overturn marks v1"));
            proofs.push(MacKey(derive(&root, b"overturn signing v1")));
        }
        Ok(Self {
            current: wrapping.first().ok_or(KeyringError::Empty)?.version(),
            wrapping,
            accounts,
            devices,
            ceremonies,
            proofs,
            trails,
            marks: marks.ok_or(KeyringError::Empty)?,
        })
    }

    /// The version of the key for all writes.
    #[must_use]
    pub const fn current(&self) -> KeyVersion {
        self.current
    }

    /// The key of this version that wraps data keys; `None` if the secret does not have it.
    #[must_use]
    pub fn wrapping(&self, version: KeyVersion) -> Option<&SealingKey> {
        self.wrapping.iter().find(|key| key.version() == version)
    }

    /// The key of this version that seals second factors; `None` if the secret does not have it.
    #[must_use]
    pub fn account(&self, version: KeyVersion) -> Option<&SealingKey> {
        self.accounts.iter().find(|key| key.version() == version)
    }
}

/// The entries of a secret; `None` for an entry in a wrong form.
pub fn entries(secret: &str) -> impl Iterator<Item = Option<(KeyVersion, [u8; 32])>> {
    let entries = secret.split(',').map(str::trim);
    let entries = entries.filter(|entry| !entry.is_empty());
    entries.map(parse_entry)
}

fn parse_entry(entry: &str) -> Option<(KeyVersion, [u8; 32])> {
    let (version, root) = entry.split_once(':')?;
    let root = root.trim();
    let bytes = BASE64.decode(root.as_bytes()).or_else(|_| BASE64_NOPAD.decode(root.as_bytes())).ok()?;
    let version: NonZeroU32 = version.trim().parse().ok()?;
    Some((KeyVersion(version.get().into()), bytes.try_into().ok()?))
}

/// Derives one key per purpose from a uniformly random root, for which plain HMAC is a sound key derivation.
pub(crate) fn derive(root: &[u8; 32], purpose: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new(&mac::block(root).into());
    mac.update(purpose);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    const TWO: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";

    #[test]
    fn the_first_key_is_current_and_the_others_can_be_found() {
        let keys = Keyring::parse(&format!(" {TWO} , {ONE} ,")).ok().unwrap();
        assert_eq!(keys.current(), KeyVersion(2));
        assert!(keys.wrapping(KeyVersion(1)).is_some() && keys.account(KeyVersion(1)).is_some());
        assert!(keys.wrapping(KeyVersion(3)).is_none());
    }

    #[test]
    fn a_key_is_not_printed() {
        assert_eq!(format!("{:?}", MacKey([7; 32])), "MacKey");
    }

    #[test]
    fn a_bad_secret_says_what_is_wrong_and_not_what_it_holds() {
        for (secret, wrong) in [
            ("", KeyringError::Empty),
            (" , ", KeyringError::Empty),
            ("nonsense", KeyringError::Entry),
            ("1:c2hvcnQ=", KeyringError::Entry),
            ("x:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", KeyringError::Entry),
            ("0:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", KeyringError::Entry),
            (&format!("{ONE},{ONE}"), KeyringError::Repeated),
        ] {
            let found = Keyring::parse(secret).err().unwrap();
            assert_eq!(found, wrong);
            assert!(!found.to_string().contains("AQEB"));
        }
    }
}
