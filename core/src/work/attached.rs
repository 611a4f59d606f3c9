//! Documents that are attached to a report or an appeal, as the practice sees them there.

use crate::auth::person::{Person, Via};
use crate::base::id::{DocumentId, PracticeId};
use crate::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use crate::plan::documents::{DocumentState, SealedPart};
use crate::request::open::Open;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A stored document that is attached. `Debug` does not print its sealed part.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredAttachment {
    pub practice_id: PracticeId,
    pub id: DocumentId,
    /// The version of the key that sealed its sealed part.
    pub key_version: KeyVersion,
    /// Its sealed part.
    pub sealed: Option<String>,
    /// The size of the file.
    pub size: u64,
    /// Its media type.
    pub content_type: String,
    pub state: DocumentState,
    /// The newest data key of the practice, under which its sealed part may be.
    pub data_key: Option<StoredDataKey>,
}

impl core::fmt::Debug for StoredAttachment {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "StoredAttachment({})", self.id)
    }
}

/// A document that is attached, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AttachmentView {
    pub id: DocumentId,
    /// The name of its file. It is `null` for an API token, because it can name the patient, and if its key is not here.
    pub name: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// Its media type, by content.
    pub media_type: String,
    /// Its state: a quarantined document cannot be downloaded yet.
    pub state: DocumentState,
}

impl StoredAttachment {
    /// The document as the person sees it.
    #[must_use]
    pub fn view(self, person: &Person, keys: &impl Open) -> AttachmentView {
        let place = SealedPlace::Document { practice: self.practice_id, id: self.id };
        let sealed = self.sealed.as_ref().filter(|_| matches!(person.via, Via::Session(_)));
        let opened: Option<SealedPart> = sealed.and_then(|sealed| keys.open_json(place, self.key_version, sealed).ok());
        AttachmentView {
            id: self.id,
            name: opened.map(|opened| opened.name),
            size: self.size,
            media_type: self.content_type,
            state: self.state,
        }
    }
}
