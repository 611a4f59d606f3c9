//! `GET /api/v1/staff/cases`: the cases of all practices. The case that is due first comes first, cases of which nothing is
//! due come last, and older cases come first on the same day.

use super::case::LAST_LEVEL;
use super::standing::CaseStanding;
use super::view::{CaseItem, IN_APPEAL, LISTED, OPENED_BY};
use crate::plan::practice::PracticeName;
use crate::prelude::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::kinds::{Cursor, Day, Limit, OneOf, Truth};
use crate::request::declare::query::query;
use crate::request::due_place::DuePlace;
use crate::request::page::merged;
use crate::request::query::QueryReader;
use crate::work::sql::{LEVEL, practice};
use overturn_core::base::date::Date;
use overturn_core::names;
use overturn_core::request::problem::Rule;

names! {
    /// What a case waits for.
    Awaited {
        Decision = "decision",
    }
}

query! {
    /// The query of the list.
    pub(crate) CasesQuery {
        limit: Limit,
        cursor: Cursor<DuePlace>,
        /// Only cases whose current level has still to be filed and is due before this day.
        due_before: Day,
        /// Only cases of this practice.
        practice_id: Id<PracticeId>,
        /// `true`: only cases in which a claim is still appealed. `false`: only the others. The default is both.
        open: Truth,
        /// Only cases that wait for the payer's decision, sorted by the day on which to ask for it. It cannot be used
        /// together with `due_before`.
        awaiting: OneOf<Awaited>,
        /// The same, and only those whose decision has to be asked for before this day. The day after today gives the
        /// decisions that are due or overdue.
        ask_before: Day,
    }
    refuses both_days
}

fn both_days(query: &CasesQuery, reader: &mut QueryReader<'_>) {
    if query.is_awaiting() && query.due_before.is_some() {
        reader.refuse("due_before", Rule::NotWith("awaiting or ask_before"));
    }
}

impl CasesQuery {
    /// Only those that wait for the payer's decision, sorted by the day on which a person asks for it.
    const fn is_awaiting(&self) -> bool {
        self.awaiting.is_some() || self.ask_before.is_some()
    }
}

/// A case in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CaseOfAll {
    #[serde(flatten)]
    pub item: CaseItem,
    pub practice: PracticeName,
    /// The number of its changes.
    pub version: i64,
    /// The earliest deadline of its claims that are in appeal, or the `due_on` of its level until that is filed or
    /// decided.
    pub due: Option<Date>,
    /// When to ask for the payer's decision: the `follow_up_on` of its level, or else the `decision_due`. `null` if the
    /// case does not wait for a decision or no day is known.
    pub ask_on: Option<Date>,
}

/// A case in the list, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CaseOfAll"))]
pub(crate) struct ListedOfAll {
    #[serde(flatten)]
    pub case: CaseOfAll,
    /// Where it stands.
    pub standing: CaseStanding,
}

impl Item for ListedOfAll {
    const LIST: &'static str = "cases";
    #[cfg(feature = "schema")]
    const CURSOR: &'static str = DuePlace::FORM;
    #[cfg(feature = "schema")]
    const OF_ALL: bool = true;
}

/// A page of the cases of all practices whose patient data may be read, sorted by `$key`; `$more` narrows it. The states are
/// 1 for open cases and 0 for the others. Each state is one range of an index, read in order for at most one page.
macro_rules! all {
    ($key:literal, $of:literal, $more:literal) => {
        concat!(
            "SELECT json_group_array(json_object({LISTED}, 'practice', ",
            practice!("k"),
            ", 'version', k.version, 'due', k.due, 'ask_on', nullif(k.ask_on, '~'))) AS json
             FROM (SELECT k.* FROM json_each({states}) o CROSS JOIN json_each((SELECT json_group_array(json(of)) FROM (
                 SELECT json_array(q.practice_id, q.id) AS of FROM cases q
                 WHERE q.sandbox = 0 AND q.is_open = o.value AND (",
            $key,
            ", q.id) > ({key}, {id}) AND ",
            $key,
            " < {before} AND ",
            $more,
            readable!("q.practice_id"),
            " ORDER BY ",
            $key,
            ", q.id LIMIT CAST({most} AS INTEGER)))) r
               CROSS JOIN cases k ON k.practice_id = r.value ->> 0 AND k.id = r.value ->> 1
               ORDER BY ",
            $of,
            ", k.id LIMIT CAST({most} AS INTEGER)) k"
        )
    };
}
const ALL: &str = all!("ifnull(q.due, '~')", "ifnull(k.due, '~')", "");
const OF_PRACTICE: &str = all!("ifnull(q.due, '~')", "ifnull(k.due, '~')", "q.practice_id = {practice} AND ");
/// The cases that wait for the payer's decision, sorted by the day on which to ask for it.
const AWAITING: &str = all!("q.ask_on", "k.ask_on", "");
const AWAITING_OF_PRACTICE: &str = all!("q.ask_on", "k.ask_on", "q.practice_id = {practice} AND ");

pub(in crate::work) fn of_all(query: &CasesQuery) -> Query<Option<Vec<CaseOfAll>>> {
    let states: &[u8] = match query.open {
        None => &[0, 1],
        Some(false) => &[0],
        Some(true) => &[1],
    };
    let (key, id) = query.cursor.map(|place| (place.due_key(), place.id.to_string())).unwrap_or_default();
    let day = if query.is_awaiting() { query.ask_before } else { query.due_before };
    // Every day comes before this text, also a missing one.
    let before = day.map_or_else(|| "~~".to_owned(), |day| day.to_string());
    macro_rules! find {
        ($name:literal, $text:literal $part:ident $(, $practice:ident)?) => {
            select!($name, $text [$part, LISTED, OPENED_BY, IN_APPEAL, LAST_LEVEL, LEVEL];
                states = Json(states), key, id, most = query.limit.saturating_add(1), before $(, $practice)?)
        };
    }
    let found = match (query.practice_id, query.is_awaiting()) {
        (None, false) => find!("work.all_cases", "{ALL}" ALL),
        (None, true) => find!("work.all_cases", "{AWAITING}" AWAITING),
        (Some(practice), false) => find!("work.all_cases_of_practice", "{OF_PRACTICE}" OF_PRACTICE, practice),
        (Some(practice), true) => {
            find!("work.all_cases_of_practice", "{AWAITING_OF_PRACTICE}" AWAITING_OF_PRACTICE, practice)
        }
    };
    found.optional()
}

/// `listAllCases`: List the cases of all practices.
///
/// Staff only. The case that is due first comes first. It is due with the earliest deadline of its claims that are
/// in appeal, and with its current level until that is filed or decided. Cases of which nothing is due come last.
/// Cases with the same day are sorted by age, the oldest first. The list does not name a patient. The cursor is a
/// place in this order.
pub(crate) async fn list(request: ReadRequest<CasesQuery>) -> Result<Gives<Listed<ListedOfAll>>, AppError> {
    let load = |query: &CasesQuery, _: Option<&Person>| of_all(query);
    request.list_of_all(load, joined, |query, cases| Ok(listed(query, cases.unwrap_or_default()))).await
}

impl CasesQuery {
    pub(in crate::work) fn place(&self, case: &CaseOfAll) -> DuePlace {
        let due = if self.is_awaiting() { case.ask_on } else { case.due };
        DuePlace { due, id: case.item.id.0 }
    }
}

/// The first cases of two cells.
pub(in crate::work) fn joined(
    query: &CasesQuery,
    cases: Option<Vec<CaseOfAll>>,
    more: Option<Vec<CaseOfAll>>,
) -> Option<Vec<CaseOfAll>> {
    let key = |case: &CaseOfAll| {
        let place = query.place(case);
        (place.due_key(), place.id)
    };
    let both = [cases, more].map(Option::unwrap_or_default);
    Some(merged(both, query.limit.saturating_add(1), |a, b| key(a).cmp(&key(b))))
}

fn listed(query: &CasesQuery, cases: Vec<CaseOfAll>) -> Listed<ListedOfAll> {
    let cases = cases.into_iter().map(|case| ListedOfAll { standing: case.item.standing(), case });
    Listed::cut(cases.collect(), query.limit, |last| query.place(&last.case).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::parsed;

    #[test]
    fn a_query_is_read_and_everything_wrong_with_it_is_reported() {
        let parse = parsed::<CasesQuery>;
        let query = parse(&[("due_before", "2026-12-01"), ("open", "false"), ("limit", "7")]);
        let query = query.unwrap();
        assert_eq!((query.open, query.limit), (Some(false), 7));
        assert_eq!(query.due_before, Date::parse("2026-12-01"));
        assert!(!query.is_awaiting());
        let blank = parse(&[("due_before", ""), ("open", " "), ("practice_id", "")]).unwrap();
        assert_eq!((blank.open, blank.due_before, blank.practice_id), (None, None, None));
        let wrong = parse(&[
            ("due_before", "tomorrow"),
            ("open", "yes"),
            ("practice_id", "x"),
            ("cursor", "x"),
            ("due", "x"),
            ("awaiting", "payer"),
            ("ask_before", "soon"),
        ]);
        assert_eq!(
            wrong.unwrap_err(),
            [
                "due is not a known parameter; known are limit, cursor, due_before, practice_id, open, awaiting, ask_before",
                "cursor must be one that a page gave",
                "due_before must be a date (YYYY-MM-DD)",
                "practice_id must be an id",
                "open must be true or false",
                "awaiting must be decision",
                "ask_before must be a date (YYYY-MM-DD)",
            ]
        );
    }

    #[test]
    fn a_day_to_ask_before_is_about_the_cases_that_wait_for_a_decision() {
        let parse = |pairs: &[(&'static str, &'static str)]| parsed::<CasesQuery>(pairs).unwrap();
        assert!(!parse(&[("awaiting", " ")]).is_awaiting());
        assert!(parse(&[("awaiting", "decision")]).is_awaiting());
        let overdue = parse(&[("ask_before", "2026-12-01")]);
        assert_eq!((overdue.is_awaiting(), overdue.ask_before), (true, Date::parse("2026-12-01")));
        let both = parsed::<CasesQuery>(&[("awaiting", "decision"), ("due_before", "2026-12-01")]);
        assert_eq!(both.unwrap_err(), ["due_before must not be given beside awaiting or ask_before"]);
    }
}
