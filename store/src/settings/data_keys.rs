//! The queries about the data keys of practices.

use crate::json::json;
use crate::query::Query;
use crate::settings::sql::data_keys as sql;
use crate::statement::{Param, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;

/// The newest data key of a practice, as `StoredDataKey` reads it.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Query<Option<StoredDataKey>> {
    Query::optional("settings.data_key", sql::OF_PRACTICE, [text(practice)])
}

/// The newest data key of each practice, in their order.
#[must_use]
pub fn of_practices(practices: &[PracticeId]) -> Query<Vec<Option<StoredDataKey>>> {
    Query::or_default("settings.data_keys", sql::OF_PRACTICES, [Param::Text(json(&practices))])
}

/// The newest data key of the caller's practice, by the hash of the credential.
#[must_use]
pub fn of_caller(caller: &str) -> Query<Option<StoredDataKey>> {
    Query::optional("settings.data_key_of_caller", sql::OF_CALLER, [text(caller)])
}
