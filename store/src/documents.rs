//! Documents: queries, changes, and the form of their sealed objects.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub mod stream;
pub(crate) mod writes;

use overturn_core::base::id::DocumentId;

/// The name of a document's object in the bucket.
#[must_use]
pub fn object_name(id: DocumentId) -> String {
    format!("documents/{id}")
}
