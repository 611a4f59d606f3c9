//! The lookups of the operator's commands. They run rarely, across practices, and need no index.

use crate::accounts::account::UserState;
use crate::prelude::*;
use overturn_core::auth::role::Role;
use overturn_core::base::id::ApiKeyId;

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

/// The accounts with this id or this address, by its key: active and invited ones.
pub fn people(id: &str, email_key: &str) -> Query<Vec<StoredUser>> {
    select!(
        "operations.people",
        "SELECT json_group_array(json_object('id', u.id, 'practice_id', u.practice_id, 'role', u.role, 'state', u.state,
           'epoch', u.epoch, 'enrolled', json(iif(EXISTS (SELECT 1 FROM factors f
             WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL), 'true', 'false')))) AS json
         FROM users u WHERE u.state <> 'removed' AND (u.id = {id} OR u.email_key = {email_key})"; id, email_key
    )
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
         FROM api_keys k WHERE k.id = {id_or_hint} OR k.hint = {id_or_hint}"; id_or_hint
    )
    .or_default()
}
