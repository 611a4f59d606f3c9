//! What the documents of a practice and the staff's work share.

use overturn_core::names;
use serde::{Deserialize, Serialize};
use std::fmt;

names! {
    DocumentState {
        /// The virus scan found nothing. The document can be downloaded.
        Available = "available",
        /// The virus scan could not be made yet. The document cannot be downloaded.
        Quarantined = "quarantined",
        /// A later virus scan found something. The file is gone.
        Infected = "infected",
        /// It was deleted. The file is gone.
        Deleted = "deleted",
    }
}

/// The sealed part of a document. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedPart {
    /// The name of the file, which can name the patient.
    pub name: String,
    /// The key of the object, in hexadecimal.
    pub key: String,
}

impl fmt::Debug for SealedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedPart(…)")
    }
}
