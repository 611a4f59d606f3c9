//! Counting resends that were not for the claim of their number, as statements.

use crate::json::json;
use crate::sql::mismatches as sql;
use crate::{Param, Statement, text};
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_core::claims::intake::{Bound, Mismatches};
use overturn_core::plan::Write;

/// The claims, one more of each, and the practice, with their bounds.
fn rows(found: &Mismatches) -> [Param; 3] {
    let of_claim = |id: String| (id, 1, found.bounds.claim);
    let claims = found.claims.iter().map(|(_, id)| of_claim(id.to_string()));
    let mut rows: Vec<_> = claims.collect();
    rows.push((String::new(), rows.len(), found.bounds.practice));
    let rows = Param::Text(json(&rows));
    [text(found.practice_id), text(found.day), rows]
}

pub(super) fn guard(found: &Mismatches) -> Statement {
    Statement::new(sql::GUARD, rows(found))
}

pub(super) fn guard_untold(practice: PracticeId, day: Date, bound: Bound) -> Statement {
    Statement::new(sql::GUARD_UNTOLD, told(practice, day, bound))
}

/// The statement of a write about mismatches, `None` for any other.
pub(super) fn record(write: &Write<'_>) -> Option<Statement> {
    match write {
        Write::Mismatches(found) if found.closes => {
            let bound = Param::Int(found.bounds.practice.into());
            let params = [text(found.practice_id), text(found.day), bound];
            Some(Statement::new(sql::CLOSE, params))
        }
        Write::Mismatches(found) => Some(Statement::new(sql::COUNT, rows(found))),
        Write::MismatchesTold(practice, day, bound) => {
            Some(Statement::new(sql::TELL, told(*practice, *day, *bound)))
        }
        _ => None,
    }
}

/// Forgets what was counted before a day.
#[must_use]
pub fn forget(day: Date) -> Statement {
    Statement::new(sql::FORGET, [text(day)])
}

fn told(practice: PracticeId, day: Date, bound: Bound) -> [Param; 3] {
    [text(practice), text(day), Param::Int(bound.bit().into())]
}
