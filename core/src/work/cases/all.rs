//! `GET /api/v1/staff/cases`: the cases of all practices. The case that is due first comes first, cases of which nothing is
//! due come last, and older cases come first on the same day.

use super::view::CaseItem;
use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::plan::settings::PracticeName;
use crate::request::accept::ListForm;
use crate::request::due_place::DuePlace;
use crate::request::page::Listed;
use crate::request::problem::Problem;
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
}

const NAMES: [&str; 5] = ["limit", "cursor", "due_before", "practice_id", "open"];

impl ListQuery for CasesQuery {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &NAMES);
        let limit = query.limit(ListForm::Json);
        let after = query.cursor(DuePlace::parse);
        let due_before = query.date("due_before");
        let practice_id = query.id("practice_id");
        let open = query.read("open", "true or false", |text| text.trim().parse().ok());
        query.settle(Self {
            limit,
            after,
            due_before,
            practice_id,
            open,
        })
    }
}

/// A case in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseOfAll {
    /// The case.
    #[serde(flatten)]
    pub item: CaseItem,
    /// Its practice.
    pub practice: PracticeName,
    /// The number of its changes.
    pub version: i64,
    /// When something has to be filed for it: the first deadline of its claims that are in appeal, or of its last level.
    pub due: Option<Date>,
}

/// A page of cases.
#[must_use]
pub fn list_all(query: CasesQuery, cases: Vec<CaseOfAll>) -> Listed<CaseOfAll> {
    Listed::cut("cases", cases, query.limit, |last| {
        let place = DuePlace {
            due: last.due,
            id: last.item.id.0,
        };
        place.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{parsed, test};

    #[test]
    fn a_query_is_read_and_everything_wrong_with_it_is_reported() {
        let parse = parsed::<CasesQuery>;
        let query = parse(&[
            ("due_before", "2026-12-01"),
            ("open", "false"),
            ("limit", "7"),
        ]);
        let query = query.unwrap();
        assert_eq!((query.open, query.limit), (Some(false), 7));
        assert_eq!(query.due_before, Date::parse("2026-12-01"));
        let blank = parse(&[("due_before", ""), ("open", " "), ("practice_id", "")]).unwrap();
        assert_eq!(
            (blank.open, blank.due_before, blank.practice_id),
            (None, None, None)
        );
        let wrong = parse(&[
            ("due_before", "tomorrow"),
            ("open", "yes"),
            ("practice_id", "x"),
            ("cursor", "x"),
            ("due", "x"),
        ]);
        assert_eq!(
            wrong.unwrap_err(),
            [
                "due is not a known parameter; known are limit, cursor, due_before, practice_id, open",
                "cursor must be one that a page gave",
                "due_before must be a date (YYYY-MM-DD)",
                "practice_id must be an id",
                "open must be true or false",
            ]
        );
    }
}
