//! The keys of one practice: its data key, which seals its records, and the keys of the service that sealed them before.
//!
//! A data key is 32 random bytes, stored wrapped under a key of the service. One key for sealing and one for fingerprints are
//! derived from it, so where it is destroyed, neither a record nor a fingerprint is worth anything.

use super::{Keyring, derive};
use crate::seal::{Nonce, OpenError, SealingKey};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{AuditId, DataKeyId, PracticeId};
use overturn_core::base::sealed::{KeyVersion, Place, StoredDataKey};
use overturn_core::claims::identity::{IdentityKey, IdentityKeys};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::request::denied::Denied;
use overturn_core::request::open::Open;

/// What a new data key is made of.
pub struct Fresh {
    id: DataKeyId,
    audit_id: AuditId,
    secret: [u8; 32],
    nonce: Nonce,
}

impl Fresh {
    /// The n-th new key of a request. `secret` and `nonce` must come from a cryptographic source.
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
    /// Whose key it is.
    pub practice: PracticeId,
    /// Its id.
    pub id: DataKeyId,
    /// Counts the practice's data keys from 1.
    pub version: u32,
    /// The key of the service that wraps it.
    pub key_version: KeyVersion,
    /// The wrapped key.
    pub wrapped: String,
    /// The audit row of its making.
    pub audit: Entry,
}

/// A data key that can be used.
pub struct DataKey {
    id: DataKeyId,
    number: u32,
    sealing: SealingKey,
    identity: IdentityKey,
    new: Option<Wrapped>,
}

impl DataKey {
    fn of(id: DataKeyId, number: u32, secret: &[u8; 32], new: Option<Wrapped>) -> Self {
        let version = KeyVersion::of_data_key(number);
        Self {
            id,
            number,
            sealing: SealingKey::new(version, &derive(secret, b"overturn data seal v1")),
            identity: IdentityKey::new(version, &derive(secret, b"overturn data identity v1")),
            new,
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> DataKeyId {
        self.id
    }

    /// Its number among the practice's data keys, from 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The version that stands beside what it sealed.
    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.sealing.version()
    }

    /// Seals for a place of the practice.
    #[must_use]
    pub fn seal(&self, place: Place, text: &[u8], nonce: Nonce) -> Option<String> {
        self.sealing.seal(place, text, nonce)
    }

    /// The key of fingerprints that goes with it.
    #[must_use]
    pub const fn identity(&self) -> &IdentityKey {
        &self.identity
    }

    /// Its row, where it is not stored yet.
    #[must_use]
    pub const fn new_row(&self) -> Option<&Wrapped> {
        self.new.as_ref()
    }
}

/// The keys of one practice.
pub struct PracticeKeys<'k> {
    service: &'k Keyring,
    practice: PracticeId,
    /// How many data keys it has had.
    newest: u32,
    /// The data key, where there is one that was not destroyed; or why it cannot be had.
    data: Result<Option<DataKey>, Denied>,
}

impl Keyring {
    /// The keys of a practice, whose newest data key is stored like this.
    #[must_use]
    pub fn of_practice(
        &self,
        practice: PracticeId,
        stored: Option<&StoredDataKey>,
    ) -> PracticeKeys<'_> {
        let data = stored.map(|stored| self.unwrap(practice, stored));
        PracticeKeys {
            service: self,
            practice,
            newest: stored.map_or(0, |stored| stored.version),
            data: data.transpose().map(Option::flatten),
        }
    }

    fn unwrap(
        &self,
        practice: PracticeId,
        stored: &StoredDataKey,
    ) -> Result<Option<DataKey>, Denied> {
        let Some(secret) = self.unwrapped(practice, stored)? else {
            return Ok(None);
        };
        Ok(Some(DataKey::of(stored.id, stored.version, &secret, None)))
    }

    /// The data key itself, `None` where it was destroyed.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] where the key that wraps it is not here, [`Denied::Tampered`] where that does not open it.
    fn unwrapped(
        &self,
        practice: PracticeId,
        stored: &StoredDataKey,
    ) -> Result<Option<[u8; 32]>, Denied> {
        let Some(wrapped) = &stored.wrapped else {
            return Ok(None);
        };
        let key = self.wrapping(stored.key_version);
        let place = Place::DataKey {
            practice,
            id: stored.id,
        };
        let opened = key.ok_or(Denied::KeyUnavailable)?.open(place, wrapped);
        let secret = opened.ok().and_then(|bytes| bytes.try_into().ok());
        secret.map(Some).ok_or(Denied::Tampered(place))
    }

    fn wrap(
        &self,
        practice: PracticeId,
        id: DataKeyId,
        secret: &[u8; 32],
        nonce: Nonce,
    ) -> Result<(KeyVersion, String), Denied> {
        let version = self.current();
        let place = Place::DataKey { practice, id };
        let wrapped = self
            .wrapping(version)
            .and_then(|key| key.seal(place, secret, nonce));
        Ok((version, wrapped.ok_or(Denied::KeyUnavailable)?))
    }

    /// A stored data key wrapped under the current key; `None` where it was destroyed.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] where the key that wraps it is not here, [`Denied::Tampered`] where that does not open it.
    pub fn rewrap(
        &self,
        practice: PracticeId,
        stored: &StoredDataKey,
        nonce: Nonce,
    ) -> Result<Option<(KeyVersion, String)>, Denied> {
        let secret = self.unwrapped(practice, stored)?;
        secret
            .map(|secret| self.wrap(practice, stored.id, &secret, nonce))
            .transpose()
    }
}

impl PracticeKeys<'_> {
    /// The same with a data key to seal under: a new one where the practice has none.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] or [`Denied::Tampered`] where the practice has one that cannot be had.
    pub fn or_new(mut self, fresh: Fresh) -> Result<Self, Denied> {
        if self.data.as_ref().map_err(Denied::clone)?.is_none() {
            let (practice, id) = (self.practice, fresh.id);
            let version = self.newest.saturating_add(1);
            let (key_version, wrapped) =
                self.service
                    .wrap(practice, id, &fresh.secret, fresh.nonce)?;
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
                },
            };
            self.data = Ok(Some(DataKey::of(id, version, &fresh.secret, Some(new))));
        }
        Ok(self)
    }

    /// That the data key can be had, or was destroyed, or that there never was one.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] or [`Denied::Tampered`] where there is one that cannot be had.
    pub fn usable(&self) -> Result<(), Denied> {
        self.data.as_ref().map(drop).map_err(Denied::clone)
    }

    /// Whether what a data key of this version sealed is destroyed with it.
    #[must_use]
    pub fn is_destroyed(&self, version: KeyVersion) -> bool {
        let newest = KeyVersion::of_data_key(self.newest);
        let live = matches!(&self.data, Ok(Some(_)) | Err(_));
        version.is_data_key() && (version > newest || version == newest && !live)
    }

    /// Whose keys they are.
    #[must_use]
    pub const fn practice(&self) -> PracticeId {
        self.practice
    }

    /// The data key to seal under, where there is one.
    #[must_use]
    pub fn data(&self) -> Option<&DataKey> {
        self.data.as_ref().ok()?.as_ref()
    }

    /// The keys of fingerprints: that of the data key makes new ones, those of the service compare with what they made before.
    #[must_use]
    pub fn identity(&self) -> IdentityKeys {
        let service = &self.service.identity;
        self.data().map_or_else(
            || service.clone(),
            |data| service.clone().behind(data.identity.clone()),
        )
    }
}

impl Open for PracticeKeys<'_> {
    fn open(&self, place: Place, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Denied> {
        if place.practice() != Some(self.practice) {
            return Err(Denied::Tampered(place));
        }
        let key = if version.is_data_key() {
            let data = self.data.as_ref().map_err(Denied::clone)?.as_ref();
            let data = data.filter(|data| data.version() == version);
            data.map(|data| &data.sealing)
        } else {
            self.service.sealing(version)
        };
        let opened = key.ok_or(Denied::KeyUnavailable)?.open(place, sealed);
        opened.map_err(|OpenError| Denied::Tampered(place))
    }
}

#[cfg(test)]
mod tests;
