//! The chain of audit trails: what is read of it, and what linking writes.

use crate::json::json;
use crate::query::Query;
use crate::settings::sql::trail as sql;
use crate::statement::{Param, Statement, count, text};
use overturn_core::base::sealed::KeyVersion;
use overturn_core::request::page::Page;
use overturn_core::settings::trail::events::StoredEvent;
use overturn_core::settings::trail::{Head, Linked, Proof, Row, Trail, TrailKeys};
use uuid::Uuid;

/// The trail of what concerns the staff alone, as it is stored.
pub(crate) const STAFF: &str = "staff";

/// The rows of a trail behind a number, in their order.
#[must_use]
pub fn rows(trail: Trail, after: i64, most: usize) -> Query<Vec<Row>> {
    Query::or_default(
        "trail.rows",
        sql::ROWS,
        [text(trail), Param::Int(after), count(most)],
    )
}

/// The next rows of a trail that are not linked.
#[must_use]
pub fn unlinked(trail: Trail) -> Query<Vec<Row>> {
    Query::or_default("trail.unlinked", sql::UNLINKED, [text(trail)])
}

/// The last row of a trail that is linked.
#[must_use]
pub fn head(trail: Trail) -> Query<Option<Head>> {
    Query::optional("trail.head", sql::HEAD, [text(trail)])
}

/// What linking writes, nothing where there was nothing to link.
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

/// The next trails with rows that are not linked, behind one of them by its text.
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

/// Heads that are under another key than the current one.
#[must_use]
pub fn old_heads(current: KeyVersion) -> Query<Vec<(String, Head)>> {
    Query::or_default("trail.old_heads", sql::OLD_HEADS, [Param::Int(current.0)])
}

/// Brings heads under the current key, those at least that are right under theirs.
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

/// A page of the staff's own trail, the newest first.
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
