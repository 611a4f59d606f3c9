//! The lookups of the operator's commands. They run rarely, across practices, and need no index.

use crate::accounts::account::{ENROLLED, UserState};
use crate::auth::role::Role;
use crate::prelude::*;
use overturn_core::base::id::{ApiKeyId, DocumentId};
use overturn_core::base::sealed::StoredDataKey;

/// The parts of an active or invited account that commands need.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredUser {
    pub id: UserId,
    /// Its practice; `None` for staff.
    pub practice_id: Option<PracticeId>,
    pub role: Role,
    pub state: UserState,
    /// The number of changes of its rights.
    pub epoch: i64,
    /// Whether it has a second factor.
    pub enrolled: bool,
}

/// The active and invited accounts with this id or this address, by its key.
pub fn people(id: &str, email_key: &str) -> Query<Vec<StoredUser>> {
    select!(
        "operations.people",
        "SELECT json_group_array(json_object('id', u.id, 'practice_id', u.practice_id, 'role', u.role, 'state', u.state,
           'epoch', u.epoch, 'enrolled', json(iif({ENROLLED}, 'true', 'false')))) AS json
         FROM users u WHERE u.state <> 'removed' AND (u.id = {id} OR u.email_key = {email_key})
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = u.practice_id)"
        [ENROLLED]; id, email_key
    )
    .or_default()
}

/// The practice with this id, if it exists.
pub fn practice_of_id(id: PracticeId) -> Query<Option<PracticeId>> {
    select!("operations.practice", "SELECT json_quote(p.id) AS json FROM practices p WHERE p.id = {id}"; id).optional()
}

/// A practice as the operator lists it.
#[derive(Deserialize, Debug)]
pub struct PracticeRow {
    pub id: PracticeId,
    pub name: String,
    /// The name of its state.
    pub state: String,
    pub created_at: Time,
    /// The practice whose sandbox it is, if it is one.
    pub sandbox_of: Option<PracticeId>,
}

/// Every practice, oldest first, with the sandboxes.
pub fn practices() -> Query<Vec<PracticeRow>> {
    select!(
        "operations.practices",
        "SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'state', p.state, 'created_at', p.created_at,
           'sandbox_of', p.sandbox_of)) AS json
         FROM (SELECT * FROM practices WHERE state IN ('active', 'inactive') ORDER BY id) p"
    )
    .or_default()
}

/// Every practice that has had a data key, with its newest one.
pub fn data_keys() -> Query<Vec<(PracticeId, StoredDataKey)>> {
    const DATA_KEY: &str = data_key!("p.practice_id");
    select!(
        "operations.data_keys",
        "SELECT json_group_array(json_array(p.practice_id, {DATA_KEY})) AS json
         FROM (SELECT DISTINCT practice_id FROM practice_keys) p"[DATA_KEY]
    )
    .or_default()
}

/// Every document with an object in the bucket.
pub fn documents() -> Query<Vec<DocumentId>> {
    select!("operations.documents", "SELECT json_group_array(id) AS json FROM documents WHERE sealed IS NOT NULL")
        .or_default()
}

/// The parts of an API key that commands need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredKey {
    pub practice_id: PracticeId,
    pub id: ApiKeyId,
}

/// The API keys with this id, or with this beginning of the key.
pub fn keys(id_or_hint: &str) -> Query<Vec<StoredKey>> {
    select!(
        "operations.keys",
        "SELECT json_group_array(json_object('practice_id', k.practice_id, 'id', k.id)) AS json
         FROM api_keys k WHERE k.id = {id_or_hint} OR k.hint = {id_or_hint}";
        id_or_hint
    )
    .or_default()
}
