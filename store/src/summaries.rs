//! Queries for summaries, and for the names that filters offer. They read counts and names, and no claims.

mod sql;

use crate::query::Query;
use crate::statement::{Param, count, optional, text};
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_core::summaries::{
    COLLEAGUES_MAX, Colleague, DAYS, DECISIONS_MAX, ListedPractice, PAYERS_MAX, Payer, PracticesQuery, StoredCount,
};

/// How many days after today a deadline is soon.
const SOON_DAYS: i32 = 7;

/// A later date. After the year 9999 there is none, and the last date serves as well.
fn later(today: Date, days: i32) -> Param {
    text(today.plus_days(days).unwrap_or(today))
}

#[must_use]
pub fn of_practice(caller: &str, today: Date) -> Query<Vec<StoredCount>> {
    let params = [text(caller), text(today), later(today, DAYS)];
    Query::one("summaries.of_practice", sql::OF_PRACTICE, params)
}

/// The counts of a practice, or of all practices.
#[must_use]
pub fn of_scope(practice: Option<PracticeId>, today: Date) -> Query<Vec<StoredCount>> {
    let (sql, scope) = match practice {
        Some(practice) => (sql::OF_ONE, text(practice)),
        None => (sql::OF_ALL, text("all")),
    };
    let params = [scope, text(today), later(today, DAYS)];
    Query::one("summaries.of_scope", sql, params)
}

/// How many decisions are due in the cases of a practice, or of all practices.
#[must_use]
pub fn decisions_due(practice: Option<PracticeId>, today: Date) -> Query<i64> {
    let params = [later(today, 1), count(DECISIONS_MAX)];
    match practice {
        Some(practice) => {
            let params = [&params[..], &[text(practice)]].concat();
            Query::one("summaries.decisions_due_of", sql::DECISIONS_DUE_OF, params)
        }
        None => Query::one("summaries.decisions_due", sql::DECISIONS_DUE, params),
    }
}

/// A page of the practices.
#[must_use]
pub fn practices(query: &PracticesQuery, today: Date) -> Query<Vec<ListedPractice>> {
    let params = [
        text(query.name.as_deref().unwrap_or_default()),
        optional(query.after),
        count(query.reads()),
        text(today),
        later(today, SOON_DAYS),
    ];
    Query::one("summaries.practices", sql::PRACTICES, params)
}

/// The staff who work on claims.
#[must_use]
pub fn colleagues() -> Query<Vec<Colleague>> {
    Query::one("summaries.colleagues", sql::COLLEAGUES, [count(COLLEAGUES_MAX)])
}

/// The payers of the practice of a caller.
#[must_use]
pub fn payers(caller: &str) -> Query<Vec<Payer>> {
    let params = [text(caller), count(PAYERS_MAX)];
    Query::one("summaries.payers", sql::PAYERS, params)
}

/// The payers of a practice, or of all practices.
#[must_use]
pub fn payers_of(practice: Option<PracticeId>) -> Query<Vec<Payer>> {
    let (sql, first) = match practice {
        Some(practice) => (sql::PAYERS_OF, vec![text(practice)]),
        None => (sql::ALL_PAYERS, Vec::new()),
    };
    let params = [first, vec![count(PAYERS_MAX)]].concat();
    Query::one("summaries.payers_of", sql, params)
}
