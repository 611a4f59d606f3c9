//! Documents: the form of their sealed objects, and the legal hold.

pub mod stream;

use crate::store::statement::{Statement, text};
use overturn_core::base::id::{DocumentId, PracticeId};

/// The name of a document's object in the bucket.
#[must_use]
pub fn object_name(id: DocumentId) -> String {
    format!("documents/{id}")
}

/// The guard that the practice may delete documents.
pub(crate) fn no_hold(practice: PracticeId) -> Statement {
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM document_settings WHERE practice_id = ?1 AND legal_hold = 1)",
        [text(practice)],
    )
}
