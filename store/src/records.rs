//! Practices, keys and audit rows as statements.

use crate::json::json;
use crate::keyring::Keyring;
use crate::settings::sql;
use crate::{Param, Statement, instant, optional, text};
use overturn_core::base::id::{AuditId, PracticeId, SessionId};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::settings::{ApiKeyRecord, Practice};
use overturn_core::plan::{Actor, Plan};
use overturn_core::settings::trail::{Content, Trail};
use uuid::Uuid;

pub(crate) fn practice(record: &Practice) -> Statement {
    Statement::new(
        sql::INSERT_PRACTICE,
        [
            text(record.id),
            text(&record.name),
            text(record.state.name()),
            Param::Int(i64::from(record.appeal_button)),
            Param::Int(record.created_at.0),
        ],
    )
}

pub(crate) fn api_key(record: &ApiKeyRecord) -> Statement {
    Statement::new(
        sql::INSERT_API_KEY,
        [
            text(record.practice_id),
            text(record.id),
            text(&record.name),
            text(&record.hash),
            text(&record.hint),
            text(record.scopes),
            Param::Int(record.created_at.0),
            Param::Int(record.expires_at.0),
            instant(record.revoked_at),
            optional(record.created_by),
        ],
    )
}

/// A row of a practice's trail that says no more than what was done to which record.
pub(crate) fn entry(practice: PracticeId, event: Event, record: impl ToString) -> Entry {
    Entry {
        id: AuditId(Uuid::nil()),
        practice_id: Some(practice),
        event,
        record: record.to_string(),
        detail: None,
        session_id: None,
    }
}

pub(crate) fn audit(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> Statement {
    let detail = entry.detail.as_ref().map(json);
    Statement::new(
        sql::trail::AUDIT,
        [
            trail(entry),
            text(entry.id),
            Param::Int(plan.at.0),
            text(plan.actor),
            text(entry.event.name()),
            text(&entry.record),
            text(plan.request_id),
            optional(detail.as_ref()),
            optional(plan.address()),
            optional(session(plan, entry)),
            mac(plan, entry, keys),
        ],
    )
}

/// What the trail says of a send beside what its statement finds: the action, the address and the MAC.
pub(crate) fn noted(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> [Param; 3] {
    [
        text(entry.event.name()),
        optional(plan.address()),
        mac(plan, entry, keys),
    ]
}

fn session(plan: &Plan<'_>, entry: &Entry) -> Option<SessionId> {
    plan.session().or(entry.session_id)
}

/// What authenticates a row. The operator's have none: its command line has no keys.
fn mac(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> Param {
    if plan.actor == Actor::Operator {
        return Param::Null;
    }
    let detail = entry.detail.as_ref().map(json);
    let session = session(plan, entry).map(|id| id.to_string());
    let content = Content {
        id: &entry.id.to_string(),
        at: plan.at,
        actor: &plan.actor.to_string(),
        action: entry.event.name(),
        record: &entry.record,
        request_id: &plan.request_id.to_string(),
        detail: detail.as_deref(),
        address: plan.address(),
        session_id: session.as_deref(),
    };
    optional(keys.trails.row_mac(Trail(entry.practice_id), &content))
}

/// Whose trail a row belongs to.
pub(crate) fn trail(entry: &Entry) -> Param {
    text(Trail(entry.practice_id))
}
