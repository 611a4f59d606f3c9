//! The chain of audit trails: queries, and the statements that link rows.

use crate::query::Query;
use crate::settings::sql::{self as settings, trail as sql};
use crate::statement::{Param, after, count, instant, optional, text};
use overturn_core::base::sealed::KeyVersion;
use overturn_core::plan::audit::Event;
use overturn_core::settings::trail::events::FoundEvents;
use overturn_core::settings::trail::query::AuditQuery;
use overturn_core::settings::trail::{ChainHead, Trail, TrailRow};

/// The rows of a trail after a number, in order.
#[must_use]
pub fn rows(trail: Trail, after: i64, most: usize) -> Query<Vec<TrailRow>> {
    Query::or_default("trail.rows", sql::ROWS, [text(trail), Param::Int(after), count(most)])
}

/// The next unlinked rows of a trail.
#[must_use]
pub fn unlinked(trail: Trail) -> Query<Vec<TrailRow>> {
    Query::or_default("trail.unlinked", sql::UNLINKED, [text(trail)])
}

/// The last linked row of a trail.
#[must_use]
pub fn head(trail: Trail) -> Query<Option<ChainHead>> {
    Query::optional("trail.head", sql::HEAD, [text(trail)])
}

/// The next trails with unlinked rows, after a trail by its text.
#[must_use]
pub fn behind(after: &str) -> Query<Vec<String>> {
    Query::or_default("trail.behind", sql::BEHIND, [text(after)])
}

/// The heads that are not under the current key.
#[must_use]
pub fn old_heads(current: KeyVersion) -> Query<Vec<(String, ChainHead)>> {
    Query::or_default("trail.old_heads", sql::OLD_HEADS, [Param::Int(current.0)])
}

/// A page of the trail of the caller's practice, newest first. `caller` is the hash of the credential.
#[must_use]
pub fn of_caller(caller: &str, query: &AuditQuery) -> Query<FoundEvents> {
    let claim = optional(query.claim_number.as_deref());
    let params = page(text(caller), query).into_iter().chain([claim]).collect::<Vec<_>>();
    Query::one("settings.audit", settings::AUDIT, params)
}

/// A page of the staff's own trail, newest first.
#[must_use]
pub fn of_staff(query: &AuditQuery) -> Query<FoundEvents> {
    let trail = text(Trail(None));
    Query::one("settings.staff_audit", settings::STAFF_AUDIT, page(trail, query))
}

fn page(of: Param, query: &AuditQuery) -> [Param; 10] {
    [
        of,
        after(query.end_id()),
        count(query.reads()),
        count(query.scans()),
        optional(query.action.map(Event::name)),
        optional(query.actor),
        optional(query.record),
        query.first_id().map_or_else(|| text(""), text),
        instant(query.from),
        instant(query.before),
    ]
}

/// The addresses of the auditors.
#[must_use]
pub fn auditors() -> Query<Vec<String>> {
    Query::or_default("trail.auditors", sql::AUDITORS, [])
}
