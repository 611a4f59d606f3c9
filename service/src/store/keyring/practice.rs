//! The keys of one practice: its data key, which seals its records.
//!
//! A data key is 32 random bytes, stored wrapped under a key of the service. Two keys are derived from it, one for
//! sealing and one for fingerprints. So once it is destroyed, its records cannot be opened and its fingerprints cannot
//! be compared.

use super::{Keyring, derive};
use crate::plan::audit::{Entry, Event};
use crate::store::seal::{Nonce, OpenError, SealingKey};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{AuditId, DataKeyId, PracticeId};
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::claims::identity::IdentityKey;

/// The parts of a new data key.
pub struct Fresh {
    id: DataKeyId,
    audit_id: AuditId,
    secret: [u8; 32],
    nonce: Nonce,
}

impl Fresh {
    /// The nth new key of a request. `secret` and `nonce` must come from a cryptographic source.
    #[must_use]
    pub fn new(ctx: &Ctx, n: usize, secret: [u8; 32], nonce: Nonce) -> Self {
        let ids = n.saturating_mul(2);
        Self {
            id: DataKeyId(ctx.id(Purpose::DataKey, ids)),
            audit_id: AuditId(ctx.id(Purpose::DataKey, ids.saturating_add(1))),
            secret,
            nonce,
        }
    }
}

/// The row of a data key.
#[derive(Clone, Debug)]
pub struct Wrapped {
    pub practice: PracticeId,
    pub id: DataKeyId,
    /// The number of the data key within the practice, from 1.
    pub version: u32,
    /// The key of the service that wraps it.
    pub key_version: KeyVersion,
    /// The wrapped key.
    pub wrapped: String,
    /// The audit row of its creation.
    pub audit: Entry,
}

/// A data key ready for use.
pub struct DataKey {
    id: DataKeyId,
    number: u32,
    sealing: SealingKey,
    identity: IdentityKey,
    new: Option<Wrapped>,
}

impl DataKey {
    fn of(id: DataKeyId, number: u32, secret: &[u8; 32], new: Option<Wrapped>) -> Self {
        let version = KeyVersion(number.into());
        Self {
            id,
            number,
            sealing: SealingKey::new(version, &derive(secret, b"overturn data seal v1")),
            identity: IdentityKey::new(version, &derive(secret, b"overturn data identity v1")),
            new,
        }
    }

    #[must_use]
    pub const fn id(&self) -> DataKeyId {
        self.id
    }

    /// Its number within the practice, from 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The version that is stored with its sealed values.
    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.sealing.version()
    }

    /// Seals a value for a place of the practice.
    #[must_use]
    pub fn seal(&self, place: SealedPlace, text: &[u8], nonce: Nonce) -> Option<String> {
        self.sealing.seal(place, text, nonce)
    }

    /// Its row, if it is not stored yet.
    #[must_use]
    pub const fn new_row(&self) -> Option<&Wrapped> {
        self.new.as_ref()
    }
}

pub struct PracticeKeys<'k> {
    service: &'k Keyring,
    practice: PracticeId,
    /// How many data keys it has had.
    newest: u32,
    /// The data key, if there is one that was not destroyed; or the reason why it cannot be used.
    data: Result<Option<DataKey>, Unopened>,
}

impl Keyring {
    /// The keys of a practice with this newest data key.
    #[must_use]
    pub fn of_practice(&self, practice: PracticeId, stored: Option<&StoredDataKey>) -> PracticeKeys<'_> {
        let data = stored.map(|stored| self.unwrap(practice, stored));
        PracticeKeys {
            service: self,
            practice,
            newest: stored.map_or(0, |stored| stored.version),
            data: data.transpose().map(Option::flatten),
        }
    }

    fn unwrap(&self, practice: PracticeId, stored: &StoredDataKey) -> Result<Option<DataKey>, Unopened> {
        let Some(secret) = self.unwrapped(practice, stored)? else {
            return Ok(None);
        };
        Ok(Some(DataKey::of(stored.id, stored.version, &secret, None)))
    }

    /// Unwraps a data key; `None` if it was destroyed.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] if the wrapping key is not here, [`Unopened::Tampered`] if that key does not open it.
    fn unwrapped(&self, practice: PracticeId, stored: &StoredDataKey) -> Result<Option<[u8; 32]>, Unopened> {
        let Some(wrapped) = &stored.wrapped else {
            return Ok(None);
        };
        let key = self.wrapping(stored.key_version);
        let place = SealedPlace::DataKey { practice, id: stored.id };
        let opened = key.ok_or(Unopened::KeyUnavailable)?.open(place, wrapped);
        let secret = opened.ok().and_then(|bytes| bytes.try_into().ok());
        secret.map(Some).ok_or(Unopened::Tampered(place))
    }

    fn wrap(
        &self,
        practice: PracticeId,
        id: DataKeyId,
        secret: &[u8; 32],
        nonce: Nonce,
    ) -> Result<(KeyVersion, String), Unopened> {
        let version = self.current();
        let place = SealedPlace::DataKey { practice, id };
        let wrapped = self.wrapping(version).and_then(|key| key.seal(place, secret, nonce));
        Ok((version, wrapped.ok_or(Unopened::KeyUnavailable)?))
    }

    /// Wraps a stored data key under the current key; `None` if it was destroyed.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] if the wrapping key is not here, [`Unopened::Tampered`] if that key does not open it.
    pub fn rewrap(
        &self,
        practice: PracticeId,
        stored: &StoredDataKey,
        nonce: Nonce,
    ) -> Result<Option<(KeyVersion, String)>, Unopened> {
        let secret = self.unwrapped(practice, stored)?;
        secret.map(|secret| self.wrap(practice, stored.id, &secret, nonce)).transpose()
    }
}

impl PracticeKeys<'_> {
    /// The same keys with a data key for sealing: a new one if the practice has none.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] or [`Unopened::Tampered`] if the practice has a data key that cannot be used.
    pub fn or_new(mut self, fresh: Fresh) -> Result<Self, Unopened> {
        if self.data.as_ref().map_err(Unopened::clone)?.is_none() {
            let (practice, id) = (self.practice, fresh.id);
            let version = self.newest.saturating_add(1);
            let (key_version, wrapped) = self.service.wrap(practice, id, &fresh.secret, fresh.nonce)?;
            let new = Wrapped {
                practice,
                id,
                version,
                key_version,
                wrapped,
                audit: Entry {
                    id: fresh.audit_id,
                    practice_id: Some(practice),
                    event: Event::DataKeyCreated,
                    record: id.to_string(),
                    detail: None,
                    session_id: None,
                    by_service: false,
                },
            };
            self.data = Ok(Some(DataKey::of(id, version, &fresh.secret, Some(new))));
        }
        Ok(self)
    }

    /// True if a data key of this version was destroyed, and so everything sealed with it.
    #[must_use]
    pub fn is_destroyed(&self, version: KeyVersion) -> bool {
        let newest = KeyVersion(self.newest.into());
        let live = matches!(&self.data, Ok(Some(_)) | Err(_));
        // No data key has a version below 1: such a value was altered.
        version >= KeyVersion(1) && (version < newest || version == newest && !live)
    }

    #[must_use]
    pub const fn practice(&self) -> PracticeId {
        self.practice
    }

    /// The data key for sealing, if there is one.
    #[must_use]
    pub fn data(&self) -> Option<&DataKey> {
        self.data.as_ref().ok()?.as_ref()
    }

    /// The key of fingerprints, if there is a data key.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] or [`Unopened::Tampered`] if there is a data key that cannot be used.
    pub fn identity(&self) -> Result<Option<&IdentityKey>, Unopened> {
        let data = self.data.as_ref().map_err(Unopened::clone)?;
        Ok(data.as_ref().map(|data| &data.identity))
    }
}

impl Open for PracticeKeys<'_> {
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Unopened> {
        if place.practice() != Some(self.practice) {
            return Err(Unopened::Tampered(place));
        }
        let data = self.data.as_ref().map_err(Unopened::clone)?.as_ref();
        let data = data.filter(|data| data.version() == version).ok_or(Unopened::KeyUnavailable)?;
        let opened = data.sealing.open(place, sealed);
        opened.map_err(|OpenError| Unopened::Tampered(place))
    }
}

#[cfg(test)]
mod tests;
