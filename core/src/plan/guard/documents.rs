//! Conditions on documents.

use crate::base::id::{DocumentId, PracticeId};
use crate::plan::documents::{DocumentPlace, DocumentState, DocumentUse};

/// A condition on documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocumentsGuard {
    /// The sweep has not removed the object of an upload.
    Receiving(DocumentId),
    InState(DocumentPlace, DocumentState),
    /// The document is quarantined and was scanned this many times, so no other sweep scans it.
    Scanned(DocumentPlace, u32),
    /// No case or report uses the document.
    Unused(DocumentPlace),
    /// The practice may delete documents.
    NoHold(PracticeId),
    /// The practice has the record that a document is attached to.
    HasRecord(DocumentUse),
}
