//! The chain of audit trails: queries, and the statements that link rows.

use crate::query::Query;
use crate::settings::sql::trail as sql;
use crate::statement::{Param, count, text};
use overturn_core::base::sealed::KeyVersion;
use overturn_core::request::page::Page;
use overturn_core::settings::trail::events::StoredTrailEvent;
use overturn_core::settings::trail::{ChainHead, Trail, TrailRow};

/// The rows of a trail after a number, in order.
#[must_use]
pub fn rows(trail: Trail, after: i64, most: usize) -> Query<Vec<TrailRow>> {
    Query::or_default(
        "trail.rows",
        sql::ROWS,
        [text(trail), Param::Int(after), count(most)],
    )
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

/// A page of the staff's own trail, newest first.
#[must_use]
pub fn of_staff(page: Page) -> Query<Option<Vec<StoredTrailEvent>>> {
    let after = page
        .after
        .map_or_else(|| text(crate::statement::BEHIND_ALL), text);
    Query::optional(
        "settings.staff_audit",
        sql::STAFF_AUDIT,
        [after, count(page.reads())],
    )
}

/// The addresses of the auditors.
#[must_use]
pub fn auditors() -> Query<Vec<String>> {
    Query::or_default("trail.auditors", sql::AUDITORS, [])
}
