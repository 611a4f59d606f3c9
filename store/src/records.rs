//! Audit rows and notices as statements, used by several contexts.

pub(crate) mod sql;

use crate::json::json;
use crate::keyring::Keyring;
use crate::statement::{Param, Statement, instant, optional, text};
use overturn_core::base::id::{AuditId, PracticeId, SessionId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::notice::Notice;
use overturn_core::plan::{Actor, Plan};
use overturn_core::trail::{Content, Trail};
use serde::Serialize;
use uuid::Uuid;

/// An audit row of a practice with only an action and a record.
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
        sql::AUDIT,
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

/// Several audit rows of a plan, in their order.
pub(crate) fn audit_all(plan: &Plan<'_>, entries: &[&Entry], keys: &Keyring) -> Statement {
    let rows = entries.iter().map(|entry| AuditRow {
        trail: Trail(entry.practice_id).to_string(),
        id: entry.id,
        action: entry.event.name(),
        record: &entry.record,
        detail: entry.detail.as_ref().map(json),
        session: session(plan, entry),
        mac: row_mac(plan, entry, keys),
    });
    let rows: Vec<_> = rows.collect();
    Statement::new(
        sql::AUDIT_ALL,
        [
            Param::Text(json(&rows)),
            Param::Int(plan.at.0),
            text(plan.actor),
            text(plan.request_id),
            optional(plan.address()),
        ],
    )
}

/// An audit row, in the form that the statement reads.
#[derive(Serialize)]
struct AuditRow<'a> {
    trail: String,
    id: AuditId,
    action: &'static str,
    record: &'a str,
    detail: Option<String>,
    session: Option<SessionId>,
    mac: Option<String>,
}

/// The parts of a send's audit row that its statement cannot find itself: the action, the address, the session of a person
/// who sends, and the MAC.
pub(crate) fn noted(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> [Param; 4] {
    [text(entry.event.name()), optional(plan.address()), optional(session(plan, entry)), mac(plan, entry, keys)]
}

fn session(plan: &Plan<'_>, entry: &Entry) -> Option<SessionId> {
    plan.session().or(entry.session_id)
}

fn mac(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> Param {
    optional(row_mac(plan, entry, keys))
}

/// The MAC of a row. The operator's rows have none, because its command line has no keys.
fn row_mac(plan: &Plan<'_>, entry: &Entry, keys: &Keyring) -> Option<String> {
    if plan.actor == Actor::Operator {
        return None;
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
    keys.trails.row_mac(Trail(entry.practice_id), &content)
}

/// Stops a batch that already ran. The audit row that the first run wrote shows this. The statement comes before all
/// guards, because the batch itself may have changed what they check. It also keeps a late run from undoing later
/// changes of others.
pub(crate) fn done(evidence: &Entry) -> Statement {
    Statement::new(sql::GUARD_DONE, [trail(evidence), text(evidence.id)])
}

/// The trail that a row belongs to.
pub(crate) fn trail(entry: &Entry) -> Param {
    text(Trail(entry.practice_id))
}

/// A notice to the owners of a practice.
pub(crate) fn notice(notice: &Notice, now: Instant) -> Statement {
    Statement::new(
        sql::INSERT_NOTICE,
        [
            text(notice.practice_id),
            text(notice.id),
            text(notice.kind.name()),
            Param::Int(now.0),
            instant(notice.due_at),
            optional(notice.about),
        ],
    )
}
