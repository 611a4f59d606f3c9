//! Opens sealed values, or says why not.

use crate::base::sealed::{KeyVersion, SealedPlace};
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::DeserializeOwned;

/// Why a sealed value does not open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unopened {
    /// It was sealed under a key that this instance does not have, as during a rotation. A retry may succeed.
    #[error("a record's key is not in the keyring")]
    KeyUnavailable,
    /// The key does not open the value at this place, so it was changed or moved.
    #[error("tampered: {}", .0.column())]
    Tampered(SealedPlace),
}

/// Opens what is sealed.
pub trait Open {
    /// Returns the opened value.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] if the key is not here, [`Unopened::Tampered`] if the key does not open the value for this
    /// place.
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Unopened>;

    /// The refusal if the value does not belong at its place. A host reports it as well.
    fn tampered(&self, place: SealedPlace) -> Unopened {
        Unopened::Tampered(place)
    }

    /// The opened value, parsed from its JSON.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value of another form is [`Unopened::Tampered`].
    fn open_json<T: DeserializeOwned>(
        &self,
        place: SealedPlace,
        version: KeyVersion,
        sealed: &str,
    ) -> Result<T, Unopened> {
        let opened = self.open(place, version, sealed)?;
        // The cause stays out: its text could repeat what was sealed.
        serde_json::from_slice(&opened).map_err(|_| self.tampered(place))
    }

    /// The opened value as text.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value that is not UTF-8 is [`Unopened::Tampered`].
    fn open_text(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<String, Unopened> {
        let opened = self.open(place, version, sealed)?;
        // The cause stays out: it holds what was sealed.
        String::from_utf8(opened).map_err(|_| self.tampered(place))
    }
}

impl<F: Fn(SealedPlace, KeyVersion, &str) -> Result<Vec<u8>, Unopened>> Open for F {
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Unopened> {
        self(place, version, sealed)
    }
}
