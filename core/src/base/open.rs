//! Opens sealed values, or refuses.

use crate::base::sealed::{KeyVersion, SealedPlace};
use alloc::string::String;
use alloc::vec::Vec;
use overturn_service::request::error::RequestError;
use serde::de::DeserializeOwned;

/// Opens what is sealed.
pub trait Open {
    /// Returns the opened value.
    ///
    /// # Errors
    ///
    /// [`RequestError::KeyUnavailable`] if the key is not here, [`RequestError::Tampered`] if the key does not open the value for
    /// this place.
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, RequestError>;

    /// The refusal if the value does not belong at its place. A host reports it as well.
    fn tampered(&self, place: SealedPlace) -> RequestError {
        RequestError::Tampered(place)
    }

    /// The opened value, parsed from its JSON.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value of another form is [`RequestError::Tampered`].
    fn open_json<T: DeserializeOwned>(
        &self,
        place: SealedPlace,
        version: KeyVersion,
        sealed: &str,
    ) -> Result<T, RequestError> {
        let opened = self.open(place, version, sealed)?;
        // The cause stays out: its text could repeat what was sealed.
        serde_json::from_slice(&opened).map_err(|_| self.tampered(place))
    }

    /// The opened value as text.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value that is not UTF-8 is [`RequestError::Tampered`].
    fn open_text(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<String, RequestError> {
        let opened = self.open(place, version, sealed)?;
        // The cause stays out: it holds what was sealed.
        String::from_utf8(opened).map_err(|_| self.tampered(place))
    }
}

impl<F: Fn(SealedPlace, KeyVersion, &str) -> Result<Vec<u8>, RequestError>> Open for F {
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, RequestError> {
        self(place, version, sealed)
    }
}
