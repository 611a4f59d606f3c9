//! The rows of the chain of an audit trail.

use crate::query::Query;
use crate::settings::sql::trail as sql;
use crate::statement::{Param, count, text};
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
