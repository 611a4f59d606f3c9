//! The queries about the data keys of practices.

use crate::store::json::json;
use crate::store::query::Query;
use crate::store::statement::{Param, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;

/// `?1` the practice. No row if it has no data key.
const OF_PRACTICE: &str =
    "SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) AS json FROM practice_keys dk
     WHERE dk.practice_id = ?1 ORDER BY dk.version DESC LIMIT 1";

/// `?1` the practices. The newest key of each, in this order; null for a practice that has none.
const OF_PRACTICES: &str = concat!(
    "SELECT json_group_array(json(data_key)) AS json FROM (SELECT ",
    data_key!("j.value"),
    " AS data_key FROM json_each(?1) j ORDER BY j.key)"
);

/// `?1` the caller's hash. No row for an unknown caller, or if the practice has no data key.
const OF_CALLER: &str = "SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) AS json
     FROM callers c CROSS JOIN practice_keys dk
     WHERE c.hash = ?1 AND dk.practice_id = c.practice_id ORDER BY dk.version DESC LIMIT 1";

/// The newest data key of a practice, as `StoredDataKey` reads it.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Query<Option<StoredDataKey>> {
    Query::optional("settings.data_key", OF_PRACTICE, [text(practice)])
}

/// The newest data key of each practice, in their order.
#[must_use]
pub fn of_practices(practices: &[PracticeId]) -> Query<Vec<Option<StoredDataKey>>> {
    Query::or_default("settings.data_keys", OF_PRACTICES, [Param::Text(json(&practices))])
}

/// The newest data key of the caller's practice, by the hash of the credential.
#[must_use]
pub fn of_caller(caller: &str) -> Query<Option<StoredDataKey>> {
    Query::optional("settings.data_key_of_caller", OF_CALLER, [text(caller)])
}
