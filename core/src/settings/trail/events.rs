//! `/api/v1/settings/audit`: the actions in a practice, with their actors.

use crate::base::id::AuditId;
use crate::base::time::Time;
use crate::request::page::{Listed, Page};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A row of the trail, as read.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct StoredTrailEvent {
    /// Its id.
    pub id: AuditId,
    /// When it was done.
    pub at: Time,
    /// The actor, as [`crate::plan::Actor`] writes it.
    pub actor: String,
    /// The actor's name, if it belongs to the practice.
    pub actor_name: Option<String>,
    /// The action.
    pub action: String,
    /// The record.
    pub record: String,
    /// The request.
    pub request_id: String,
    /// Further details.
    pub detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub sequence: i64,
    /// The IP address. Never a patient's.
    pub address: Option<String>,
    /// The session.
    pub session_id: Option<String>,
}

/// A row, as shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AuditView {
    /// Its id.
    pub id: AuditId,
    /// When it was done.
    pub at: Time,
    /// The actor.
    pub actor: ActorView,
    /// The action.
    pub action: String,
    /// The id of the record.
    pub record: String,
    /// The request.
    pub request_id: String,
    /// Further details.
    pub detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub sequence: i64,
    /// The IP address. Never a patient's.
    pub address: Option<String>,
    /// The session.
    pub session_id: Option<String>,
}

/// The actor of a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActorView {
    /// `user`, `api_key`, `api_token`, `signing_link`, `operator` or `service`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id; the operator and the service have none.
    pub id: Option<String>,
    /// Its current name.
    pub name: Option<String>,
}

/// A page of the trail, newest first.
#[must_use]
pub fn list(page: Page, rows: Vec<StoredTrailEvent>) -> Listed<AuditView> {
    let rows = rows.into_iter().map(view).collect();
    page.list("audit", rows, |row: &AuditView| row.id.0)
}

fn view(row: StoredTrailEvent) -> AuditView {
    let (kind, id) = match row.actor.split_once(':') {
        Some((kind, id)) => (kind, Some(id.into())),
        None => (&*row.actor, None),
    };
    AuditView {
        id: row.id,
        at: row.at,
        actor: ActorView {
            kind: kind.into(),
            id,
            name: row.actor_name,
        },
        action: row.action,
        record: row.record,
        request_id: row.request_id,
        detail: row.detail,
        sequence: row.sequence,
        address: row.address,
        session_id: row.session_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::id::{ApiKeyId, ApiTokenId, UserId};
    use crate::plan::Actor;
    use crate::testing::test;
    use alloc::string::ToString;
    use serde_json::json;
    use uuid::Uuid;

    #[test]
    fn every_actor_is_shown_by_what_it_is() {
        let id = Uuid::from_u128(7);
        for (actor, kind, shown) in [
            (Actor::User(UserId(id)), "user", Some(id)),
            (Actor::ApiKey(ApiKeyId(id)), "api_key", Some(id)),
            (Actor::ApiToken(ApiTokenId(id)), "api_token", Some(id)),
            (Actor::Operator, "operator", None),
        ] {
            let row = json!({ "id": id, "at": 0, "actor": actor.to_string(), "actor_name": "x", "action": "a",
                "record": "r", "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
                "session_id": null });
            let row = view(serde_json::from_value(row).unwrap());
            let actor = json!({ "type": kind, "id": shown, "name": "x" });
            let expected = json!({ "id": id, "at": "1970-01-01T00:00:00.000Z", "actor": actor, "action": "a",
                "record": "r", "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
                "session_id": null });
            assert_eq!(serde_json::to_value(row).unwrap(), expected);
        }
    }
}
