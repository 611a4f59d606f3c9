//! Changes of documents.

use crate::base::id::{DocumentId, PracticeId, UserId};
use crate::base::instant::Instant;
use crate::plan::documents::{DocumentPlace, DocumentSettings, DocumentState, DocumentUse, NewDocument};
use alloc::string::String;

/// One change of documents.
#[derive(Clone, Debug)]
pub enum DocumentsWrite {
    /// An upload begins: its object belongs to no document, and the sweep removes it when it is due.
    Receiving {
        /// The future document.
        id: DocumentId,
        /// When the sweep removes the object.
        due_at: Instant,
    },
    /// The object is written in parts under this id of the bucket.
    InParts {
        /// The future document.
        id: DocumentId,
        /// The bucket's id of the multipart upload.
        upload_id: String,
    },
    /// A document, whose object is complete.
    New(NewDocument),
    /// A virus scan was begun, or its result. Changes only a quarantined document.
    Scanned {
        of: DocumentPlace,
        /// `Available` or `Quarantined`.
        state: DocumentState,
        /// When the next scan is due.
        scan_at: Option<Instant>,
    },
    /// The document is `Deleted` or `Infected`, and its key is forgotten. Its object is due to be removed.
    Removed { of: DocumentPlace, state: DocumentState },
    /// The object could not be removed. The sweep tries again later.
    RemovalPostponed {
        /// The document that the object was meant for.
        id: DocumentId,
        due_at: Instant,
    },
    /// The bucket no longer holds the object.
    ObjectGone(DocumentId),
    /// The document is attached to a record.
    Attached {
        /// The document and the record.
        to: DocumentUse,
        /// Who attached it.
        by: UserId,
    },
    /// The document is detached from a record.
    Detached(DocumentUse),
    /// The settings of a practice.
    Settings {
        practice: PracticeId,
        /// The settings.
        to: DocumentSettings,
    },
}
