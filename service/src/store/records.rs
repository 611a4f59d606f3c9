//! Audit rows and notices as statements, used by several contexts.

pub(crate) mod sql;

use crate::plan::audit::Entry;
use crate::plan::notice::Notice;
use crate::plan::{Actor, Plan};
use crate::store::json::json;
use crate::store::keyring::Keyring;
use crate::store::statement::{Param, Statement, instant, optional, text};
use crate::trail::{Content, Trail};
use overturn_core::base::id::{AuditId, SessionId};
use overturn_core::base::instant::Instant;
use serde::Serialize;

pub(crate) fn audit(plan: &Plan, entry: &Entry, keys: &Keyring) -> Statement {
    let detail = entry.detail.as_ref().map(json);
    Statement::new(
        sql::AUDIT,
        [
            trail(entry),
            text(entry.id),
            Param::Int(plan.at.0),
            text(actor(plan, entry)),
            text(entry.event.name()),
            text(&entry.record),
            text(plan.request_id),
            optional(detail.as_ref()),
            optional(address(plan, entry)),
            optional(session(plan, entry)),
            mac(plan, entry, keys),
        ],
    )
}

/// Several audit rows of a plan's actor, in their order.
pub(crate) fn audit_all(plan: &Plan, entries: &[&Entry], keys: &Keyring) -> Statement {
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

/// An audit row of a plan that is written if a condition holds. The statement has the parameters of the condition.
pub(crate) fn audit_if(plan: &Plan, entry: &Entry, condition: &Statement, keys: &Keyring) -> Statement {
    let mut row = audit(plan, entry, keys);
    row.sql = condition.sql;
    row.params.extend(condition.params.iter().cloned());
    row
}

fn actor(plan: &Plan, entry: &Entry) -> Actor {
    if entry.by_service { Actor::Service } else { plan.actor }
}

fn address<'p>(plan: &'p Plan, entry: &Entry) -> Option<&'p str> {
    plan.address().filter(|_| !entry.by_service)
}

fn session(plan: &Plan, entry: &Entry) -> Option<SessionId> {
    plan.session().or(entry.session_id).filter(|_| !entry.by_service)
}

fn mac(plan: &Plan, entry: &Entry, keys: &Keyring) -> Param {
    optional(row_mac(plan, entry, keys))
}

/// The MAC of a row. The operator's rows have none, because its command line has no keys.
fn row_mac(plan: &Plan, entry: &Entry, keys: &Keyring) -> Option<String> {
    if plan.actor == Actor::Operator {
        return None;
    }
    let detail = entry.detail.as_ref().map(json);
    let session = session(plan, entry).map(|id| id.to_string());
    let content = Content {
        id: &entry.id.to_string(),
        at: plan.at,
        actor: &actor(plan, entry).to_string(),
        action: entry.event.name(),
        record: &entry.record,
        request_id: &plan.request_id.to_string(),
        detail: detail.as_deref(),
        address: address(plan, entry),
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
