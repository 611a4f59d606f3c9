//! `/api/v1/settings/audit`: the actions in a practice, with their actors.

use crate::base::id::AuditId;
use crate::base::time::Time;
use crate::request::page::{CsvRow, Listed};
use crate::settings::trail::query::AuditQuery;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A row of the trail, as read.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct StoredTrailEvent {
    pub id: AuditId,
    pub at: Time,
    /// The actor, as [`crate::plan::Actor`] writes it.
    pub actor: String,
    /// The actor's name, if it belongs to the practice.
    pub actor_name: Option<String>,
    /// True if the actor is one of our staff.
    pub is_staff: bool,
    pub action: String,
    pub record: String,
    /// The number of the claim that the record is or belongs to.
    pub claim_number: Option<String>,
    /// The record's name, if it is a person, a key, a token or the practice.
    pub record_name: Option<String>,
    pub request_id: String,
    /// Further details.
    pub detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub sequence: i64,
    /// The IP address. Never a patient's.
    pub address: Option<String>,
    pub session_id: Option<String>,
}

/// A row, as shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AuditView {
    pub id: AuditId,
    pub at: Time,
    pub actor: ActorView,
    pub action: String,
    pub record: String,
    /// The number of the claim that the record is or belongs to.
    pub claim_number: Option<String>,
    /// The record's name, if it is a person, a key, a token or the practice.
    pub record_name: Option<String>,
    pub request_id: String,
    /// Further details.
    pub detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub sequence: i64,
    /// The IP address. Never a patient's.
    pub address: Option<String>,
    pub session_id: Option<String>,
}

/// The actor of a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActorView {
    /// `user`, `staff`, `api_key`, `api_token`, `signing_link`, `operator` or `service`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id; the operator and the service have none.
    pub id: Option<String>,
    /// Its current name.
    pub name: Option<String>,
}

impl CsvRow for AuditView {
    const FILE: &'static str = "audit.csv";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "at",
        "actor.type",
        "actor.id",
        "actor.name",
        "action",
        "record",
        "claim_number",
        "record_name",
        "request_id",
        "detail",
        "sequence",
        "address",
        "session_id",
    ];
}

/// The result of the statement for a page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct FoundEvents {
    /// The rows that pass the filter, at most [`AuditQuery::reads`].
    pub rows: Vec<StoredTrailEvent>,
    /// True if more rows passed, but did not fit into one value of the database.
    pub cut: bool,
    /// How far the scan went, if the page is not full.
    pub scanned: Option<ScannedRows>,
}

/// The scanned rows of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct ScannedRows {
    /// How many, at most [`AuditQuery::scans`].
    pub count: usize,
    /// The last one.
    pub id: Option<AuditId>,
}

/// A page of the trail, newest first. If few rows pass the filter, it ends after the maximum scan, with a cursor.
#[must_use]
pub fn list(query: &AuditQuery, found: FoundEvents) -> Listed<AuditView> {
    let mut rows = found.rows;
    let is_full = rows.len() > query.limit || found.cut;
    rows.truncate(query.limit);
    let last = rows.last().filter(|_| is_full).map(|row| row.id);
    let scanned = found.scanned.filter(|seen| seen.count >= query.scans());
    let next = last.or_else(|| scanned.and_then(|seen| seen.id));
    let next = next.map(|id| id.0.simple().to_string());
    Listed::new("audit", rows.into_iter().map(view).collect(), next)
}

/// The type of an actor who is one of our staff. They are stored as `user`.
pub const STAFF: &str = "staff";

fn view(row: StoredTrailEvent) -> AuditView {
    let (kind, id) = match row.actor.split_once(':') {
        Some((kind, id)) => (kind, Some(id.into())),
        None => (&*row.actor, None),
    };
    let kind = if row.is_staff { STAFF } else { kind };
    AuditView {
        id: row.id,
        at: row.at,
        actor: ActorView { kind: kind.into(), id, name: row.actor_name },
        action: row.action,
        record: row.record,
        claim_number: row.claim_number,
        record_name: row.record_name,
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
    use serde_json::json;
    use uuid::Uuid;

    fn row(id: u128) -> StoredTrailEvent {
        let row = json!({ "id": Uuid::from_u128(id), "at": 0, "actor": "service", "actor_name": null, "is_staff": false,
            "action": "a.b", "record": "r", "claim_number": null, "record_name": null, "request_id": "q", "detail": { "by": "=x" }, "sequence": 3, "address": null,
            "session_id": null });
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn a_page_with_a_filter_ends_after_its_scan_with_a_cursor() {
        let query = |action: Option<&str>| AuditQuery {
            limit: 2,
            after: None,
            action: action.map(|_| crate::plan::audit::Event::ApiKeyCreated),
            actor: None,
            record: None,
            claim_number: None,
            from: None,
            before: None,
        };
        let next = |action, rows: &[u128], scanned: Option<(usize, u128)>| {
            let found = FoundEvents {
                rows: rows.iter().copied().map(row).collect(),
                cut: action == Some("cut"),
                scanned: scanned.map(|(count, id)| ScannedRows { count, id: Some(AuditId(Uuid::from_u128(id))) }),
            };
            let listed = list(&query(action), found);
            listed.next_cursor().map(|text| text.parse::<Uuid>().unwrap().as_u128())
        };
        assert_eq!(next(None, &[9, 8, 7], None), Some(8));
        assert_eq!(next(None, &[9, 8], Some((2, 8))), None);
        assert_eq!(next(Some("a.b"), &[9], Some((2_000, 4))), Some(4));
        assert_eq!(next(Some("a.b"), &[], Some((2_000, 4))), Some(4));
        assert_eq!(next(Some("a.b"), &[9], Some((1_999, 4))), None);
        assert_eq!(next(Some("cut"), &[9], None), Some(9));
    }

    #[test]
    fn the_columns_of_the_table_are_the_fields_of_a_row() {
        let shown = serde_json::to_value(view(row(1))).unwrap();
        let mut fields = Vec::new();
        for (name, value) in shown.as_object().unwrap() {
            match value.as_object().filter(|_| name == "actor") {
                Some(inner) => fields.extend(inner.keys().map(|key| alloc::format!("{name}.{key}"))),
                None => fields.push(name.clone()),
            }
        }
        fields.sort_unstable();
        let mut columns = AuditView::COLUMNS.to_vec();
        columns.sort_unstable();
        assert_eq!(columns, fields);
    }

    #[test]
    fn every_actor_is_shown_by_what_it_is() {
        let id = Uuid::from_u128(7);
        for (actor, is_staff, kind, shown) in [
            (Actor::User(UserId(id)), false, "user", Some(id)),
            (Actor::User(UserId(id)), true, "staff", Some(id)),
            (Actor::ApiKey(ApiKeyId(id)), false, "api_key", Some(id)),
            (Actor::ApiToken(ApiTokenId(id)), false, "api_token", Some(id)),
            (Actor::Operator, false, "operator", None),
        ] {
            let row = json!({ "id": id, "at": 0, "actor": actor.to_string(), "actor_name": "x",
                "is_staff": is_staff, "action": "a", "record": "r", "claim_number": "CH-1", "record_name": null, "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
                "session_id": null });
            let row = view(serde_json::from_value(row).unwrap());
            let actor = json!({ "type": kind, "id": shown, "name": "x" });
            let expected = json!({ "id": id, "at": "1970-01-01T00:00:00.000Z", "actor": actor, "action": "a",
                "record": "r", "claim_number": "CH-1", "record_name": null, "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
                "session_id": null });
            assert_eq!(serde_json::to_value(row).unwrap(), expected);
        }
    }
}
