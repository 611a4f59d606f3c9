//! Practices, keys and audit rows as statements.

use super::json::json;
use super::{Param, Statement, instant, optional, sql, text};
use overturn_core::audit::Entry;
use overturn_core::plan::Plan;
use overturn_core::practice::{ApiKeyRecord, Practice};

/// The trail of what concerns the staff alone.
pub(super) const STAFF: &str = "staff";

pub(super) fn practice(record: &Practice) -> Statement {
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

pub(super) fn api_key(record: &ApiKeyRecord) -> Statement {
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

pub(super) fn audit(plan: &Plan<'_>, entry: &Entry) -> Statement {
    let detail = entry.detail.as_ref();
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
            detail.map_or(Param::Null, |detail| Param::Text(json(detail))),
        ],
    )
}

/// Whose trail a row belongs to.
pub(super) fn trail(entry: &Entry) -> Param {
    entry.practice_id.map_or_else(|| text(STAFF), text)
}
