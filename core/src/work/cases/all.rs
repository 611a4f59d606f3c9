//! `GET /api/v1/staff/cases`: the cases of all practices. The case that is due first comes first, cases of which nothing is
//! due come last, and older cases come first on the same day.

use super::standing::CaseStanding;
use super::view::CaseItem;
use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::plan::settings::PracticeName;
use crate::request::accept::ListForm;
use crate::request::due_place::DuePlace;
use crate::request::page::Listed;
use crate::request::problem::{Problem, Rule};
use crate::request::query::{ListQuery, QueryReader};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The query of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CasesQuery {
    /// Most items.
    pub limit: usize,
    /// The place to start after.
    pub after: Option<DuePlace>,
    /// Only those that are due before this day.
    pub due_before: Option<Date>,
    /// Only of this practice.
    pub practice_id: Option<PracticeId>,
    /// Only those in which a claim is in appeal (`true`), or only the others (`false`).
    pub open: Option<bool>,
    /// Only those that wait for the payer's decision, sorted by the day on which a person asks for it.
    pub awaiting: bool,
    /// Of those, only the ones whose day is before this day.
    pub ask_before: Option<Date>,
}

const NAMES: [&str; 7] = ["limit", "cursor", "due_before", "practice_id", "open", "awaiting", "ask_before"];

impl ListQuery for CasesQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &NAMES);
        let limit = query.limit(ListForm::Json);
        let after = query.cursor(DuePlace::parse);
        let due_before = query.date("due_before");
        let practice_id = query.id("practice_id");
        let open = query.read("open", "true or false", |text| text.trim().parse().ok());
        let known = "decision";
        let awaiting = query.read("awaiting", known, |text| (text.trim() == known).then_some(()));
        let ask_before = query.date("ask_before");
        let awaiting = awaiting.is_some() || ask_before.is_some();
        if awaiting && due_before.is_some() {
            query.refuse("due_before", Rule::NotWith("awaiting or ask_before"));
        }
        query.settle(Self { limit, after, due_before, practice_id, open, awaiting, ask_before })
    }
}

/// A case in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseOfAll {
    #[serde(flatten)]
    pub item: CaseItem,
    pub practice: PracticeName,
    /// The number of its changes.
    pub version: i64,
    /// When something has to be filed for it: the first deadline of its claims that are in appeal, or of its last level.
    pub due: Option<Date>,
    /// When a person asks for the payer's decision, `None` if the case does not wait for one or no day is known.
    pub ask_on: Option<Date>,
}

/// A case in the list, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedOfAll {
    #[serde(flatten)]
    pub case: CaseOfAll,
    /// Where it stands.
    pub standing: CaseStanding,
}

/// A page of cases.
#[must_use]
pub fn list_all(query: CasesQuery, cases: Vec<CaseOfAll>) -> Listed<ListedOfAll> {
    let cases = cases.into_iter().map(|case| ListedOfAll { standing: case.item.standing(), case });
    Listed::cut("cases", cases.collect(), query.limit, |last| {
        let due = match query.awaiting {
            true => last.case.ask_on,
            false => last.case.due,
        };
        let id = last.case.item.id.0;
        DuePlace { due, id }.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{parsed, test};

    #[test]
    fn a_query_is_read_and_everything_wrong_with_it_is_reported() {
        let parse = parsed::<CasesQuery>;
        let query = parse(&[("due_before", "2026-12-01"), ("open", "false"), ("limit", "7")]);
        let query = query.unwrap();
        assert_eq!((query.open, query.limit), (Some(false), 7));
        assert_eq!(query.due_before, Date::parse("2026-12-01"));
        assert!(!query.awaiting);
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
        assert!(!parse(&[("awaiting", " ")]).awaiting);
        assert!(parse(&[("awaiting", "decision")]).awaiting);
        let overdue = parse(&[("ask_before", "2026-12-01")]);
        assert_eq!((overdue.awaiting, overdue.ask_before), (true, Date::parse("2026-12-01")));
        let both = parsed::<CasesQuery>(&[("awaiting", "decision"), ("due_before", "2026-12-01")]);
        assert_eq!(both.unwrap_err(), ["due_before must not be given beside awaiting or ask_before"]);
    }
}
