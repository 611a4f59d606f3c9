//! The chain of audit trails: queries, and the statements that link rows.

use crate::json::json;
use crate::query::Query;
use crate::settings::sql::trail as sql;
use crate::statement::{Param, Statement, count, text};
use overturn_core::base::sealed::KeyVersion;
use overturn_core::request::page::Page;
use overturn_core::settings::trail::events::StoredEvent;
use overturn_core::settings::trail::{Head, Linked, Proof, Row, Trail, TrailKeys};
use uuid::Uuid;

/// The name of the staff's own trail, as stored.
pub(crate) const STAFF: &str = "staff";

/// The rows of a trail after a number, in order.
#[must_use]
pub fn rows(trail: Trail, after: i64, most: usize) -> Query<Vec<Row>> {
    Query::or_default(
        "trail.rows",
        sql::ROWS,
        [text(trail), Param::Int(after), count(most)],
    )
}

/// The next unlinked rows of a trail.
#[must_use]
pub fn unlinked(trail: Trail) -> Query<Vec<Row>> {
    Query::or_default("trail.unlinked", sql::UNLINKED, [text(trail)])
}

/// The last linked row of a trail.
#[must_use]
pub fn head(trail: Trail) -> Query<Option<Head>> {
    Query::optional("trail.head", sql::HEAD, [text(trail)])
}

/// The statements that link rows; none if there is nothing to link.
#[must_use]
pub fn link(trail: Trail, linked: &Linked) -> Vec<Statement> {
    let Some(head) = &linked.head else {
        return Vec::new();
    };
    let rows = Param::Text(json(&linked.rows));
    vec![
        Statement::new(sql::LINK, [text(trail), rows]),
        of_head(sql::MOVE_HEAD, &trail.to_string(), head),
    ]
}

fn of_head(sql: &'static str, trail: &str, head: &Head) -> Statement {
    Statement::new(
        sql,
        [
            text(trail),
            Param::Int(head.sequence),
            text(&head.digest),
            Param::Int(head.key_version.0),
            text(&head.mac),
        ],
    )
}

/// The next trails with unlinked rows, after a trail by its text.
#[must_use]
pub fn behind(after: &str) -> Query<Vec<String>> {
    Query::or_default("trail.behind", sql::BEHIND, [text(after)])
}

/// A trail by its text.
#[must_use]
pub fn parse(text: &str) -> Option<Trail> {
    if text == STAFF {
        return Some(Trail(None));
    }
    let id: Uuid = text.parse().ok()?;
    Some(Trail(Some(overturn_core::base::id::PracticeId(id))))
}

/// The heads that are not under the current key.
#[must_use]
pub fn old_heads(current: KeyVersion) -> Query<Vec<(String, Head)>> {
    Query::or_default("trail.old_heads", sql::OLD_HEADS, [Param::Int(current.0)])
}

/// Signs heads again with the current key, if their old MAC is correct.
#[must_use]
pub fn renew(heads: &[(String, Head)], keys: &TrailKeys) -> Vec<Statement> {
    let renewed = heads.iter().filter_map(|(of, head)| {
        let trail = parse(of)?;
        let place = overturn_core::settings::trail::ChainPlace {
            sequence: head.sequence,
            digest: head.digest.clone(),
        };
        let right = keys.check_head(trail, head) == Proof::Right;
        let head = keys.head(trail, &place).filter(|_| right)?;
        Some(of_head(sql::RENEW_HEAD, of, &head))
    });
    renewed.collect()
}

/// A page of the staff's own trail, newest first.
#[must_use]
pub fn of_staff(page: Page) -> Query<Option<Vec<StoredEvent>>> {
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
