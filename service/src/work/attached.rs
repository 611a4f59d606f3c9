//! Documents that are attached to a report or an appeal, as the practice sees them there.

use crate::auth::person::{Person, Via};
use crate::plan::documents::{DocumentState, SealedPart};
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use overturn_core::base::id::{DocumentId, PracticeId};
use overturn_core::base::open::Open;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use serde::{Deserialize, Serialize};

/// A stored document that is attached. `Debug` does not print its sealed part.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct StoredAttachment {
    pub(crate) practice_id: PracticeId,
    pub(crate) id: DocumentId,
    /// The version of the key that sealed its sealed part.
    pub(crate) key_version: KeyVersion,
    /// Its sealed part.
    pub(crate) sealed: Option<String>,
    /// The size of the file.
    pub(crate) size: u64,
    /// Its media type.
    pub(crate) content_type: String,
    pub(crate) state: DocumentState,
    /// The newest data key of the practice, under which its sealed part may be.
    pub(crate) data_key: Option<StoredDataKey>,
}

impl std::fmt::Debug for StoredAttachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoredAttachment({})", self.id)
    }
}

/// A document that our staff attached. Download it with `GET /api/v1/documents/{id}/content`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AttachmentView {
    pub(crate) id: DocumentId,
    /// The name of the file. `null` for an API token, because it can name the patient, and if it cannot be opened.
    pub(crate) name: Option<String>,
    /// Its size in bytes.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(crate) size: u64,
    /// The media type by content.
    #[cfg_attr(feature = "schema", schemars(length(min = 3)))]
    pub(crate) media_type: String,
    /// `quarantined` while it waits for its virus scan. It can be downloaded once it is `available`.
    #[cfg_attr(feature = "schema", schemars(with = "AsTaken<Attachable>"))]
    pub(crate) state: DocumentState,
}

#[cfg(feature = "schema")]
crate::request::declare::kinds::some_of! { Attachable: DocumentState = [DocumentState::Available, DocumentState::Quarantined] }

impl StoredAttachment {
    /// The document as the person sees it.
    #[must_use]
    pub(crate) fn view(self, person: &Person, keys: &impl Open) -> AttachmentView {
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
