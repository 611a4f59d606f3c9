//! The queries of the operator's command line.

use super::sql;
use crate::query::Query;
use crate::statement::text;
use overturn_core::base::id::{DocumentId, PracticeId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::base::time::Time;
use serde::Deserialize;

/// The practice with this id, if it exists.
#[must_use]
pub fn practice_of_id(id: PracticeId) -> Query<Option<PracticeId>> {
    Query::optional("operations.practice", sql::PRACTICE, [text(id)])
}

/// A practice as the operator lists it.
#[derive(Deserialize, Debug)]
pub struct PracticeRow {
    pub id: PracticeId,
    pub name: String,
    /// The name of its state.
    pub state: String,
    pub created_at: Time,
}

/// Every practice.
#[must_use]
pub fn practices() -> Query<Vec<PracticeRow>> {
    Query::or_default("operations.practices", sql::PRACTICES, [])
}

/// Every practice that has had a data key, with its newest one.
#[must_use]
pub fn data_keys() -> Query<Vec<(PracticeId, StoredDataKey)>> {
    Query::or_default("operations.data_keys", sql::DATA_KEYS, [])
}

/// Every document with an object in the bucket.
#[must_use]
pub fn documents() -> Query<Vec<DocumentId>> {
    Query::or_default("operations.documents", sql::DOCUMENTS, [])
}
