//! Opens sealed values, or refuses.

use crate::base::sealed::{KeyVersion, Place};
use crate::request::denied::Denied;
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::DeserializeOwned;

/// Opens what is sealed.
pub trait Open {
    /// Returns the opened value.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] if the key is not here, [`Denied::Tampered`] if the key does not open the value for
    /// this place.
    fn open(&self, place: Place, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Denied>;

    /// The refusal if the value does not belong at its place. A host reports it as well.
    fn tampered(&self, place: Place) -> Denied {
        Denied::Tampered(place)
    }

    /// The opened value, parsed from its JSON. A failure has no cause, because its text could repeat the sealed text.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value of another form is [`Denied::Tampered`].
    fn open_json<T: DeserializeOwned>(
        &self,
        place: Place,
        version: KeyVersion,
        sealed: &str,
    ) -> Result<T, Denied> {
        let opened = self.open(place, version, sealed)?;
        serde_json::from_slice(&opened).map_err(|_| self.tampered(place))
    }

    /// The opened value as text. A failure has no cause, because it would hold the sealed text.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]; a value that is not UTF-8 is [`Denied::Tampered`].
    fn open_text(&self, place: Place, version: KeyVersion, sealed: &str) -> Result<String, Denied> {
        let opened = self.open(place, version, sealed)?;
        String::from_utf8(opened).map_err(|_| self.tampered(place))
    }
}

impl<F: Fn(Place, KeyVersion, &str) -> Result<Vec<u8>, Denied>> Open for F {
    fn open(&self, place: Place, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Denied> {
        self(place, version, sealed)
    }
}
