//! The query parameters of summaries and of the lists of names.

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::base::instant::Instant;
use crate::request::accept::ListForm;
use crate::request::error::RequestError;
use crate::request::problem::{Problem, Rule};
use crate::request::query::{ListQuery, QueryReader};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use uuid::Uuid;

/// Most characters of a practice's name.
const NAME_MAX: usize = 200;
const NEAR_TODAY: Rule = Rule::MustBe(Cow::Borrowed("today's UTC date, or the day before or after it"));

/// The reader's date as requested; `None` for the current UTC date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Today(Option<Date>);

impl Today {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(query.date("today"))
    }

    /// The date from which deadlines are counted. No time zone is further from UTC than one date.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] for any other date than the current UTC date and those beside it.
    pub fn at(self, now: Instant) -> Result<Date, RequestError> {
        let utc = Date::of(now);
        let Some(today) = self.0 else {
            return Ok(utc);
        };
        let near = [-1, 0, 1].map(|days| utc.plus_days(days));
        if near.contains(&Some(today)) {
            return Ok(today);
        }
        Err(RequestError::invalid("today", NEAR_TODAY))
    }
}

/// The query of a practice's summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SummaryQuery {
    /// The reader's date.
    pub today: Today,
}

impl ListQuery for SummaryQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &["today"]);
        let today = Today::read(&mut query);
        query.settle(Self { today })
    }
}

/// The query of the staff's summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkSummaryQuery {
    /// The reader's date.
    pub today: Today,
    /// Only of this practice.
    pub practice_id: Option<PracticeId>,
}

impl ListQuery for WorkSummaryQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &["today", "practice_id"]);
        let today = Today::read(&mut query);
        let practice_id = query.id("practice_id");
        query.settle(Self { today, practice_id })
    }
}

/// The query of the staff's list of payers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayersQuery {
    /// Only of this practice.
    pub practice_id: Option<PracticeId>,
}

impl ListQuery for PayersQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &["practice_id"]);
        let practice_id = query.id("practice_id");
        query.settle(Self { practice_id })
    }
}

/// The query of the list of practices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PracticesQuery {
    /// Most practices of the page.
    pub limit: usize,
    /// The practice to start after.
    pub after: Option<Uuid>,
    /// Only practices whose name begins with this text. The case of ASCII letters does not matter.
    pub name: Option<String>,
    /// The reader's date.
    pub today: Today,
}

impl PracticesQuery {
    /// How many practices to read: one more than requested, which shows whether there is another page.
    #[must_use]
    pub const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }
}

impl ListQuery for PracticesQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &["limit", "cursor", "name", "today"]);
        let limit = query.limit(ListForm::Json);
        let after = query.cursor(|text| text.parse().ok());
        let name = query.text("name", NAME_MAX);
        let today = Today::read(&mut query);
        query.settle(Self { limit, after, name, today })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;
    use crate::request::problem::texts;
    use crate::testing::{said, test};

    fn parsed<Q: ListQuery>(query: &[(&'static str, &'static str)]) -> Result<Q, Vec<String>> {
        let query = query.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Q::parse(query).map_err(|problems| texts(&problems))
    }

    #[test]
    fn today_is_the_utc_date_or_the_one_beside_it() {
        let today = |query: &'static str, now: &str| {
            let query = parsed::<SummaryQuery>(&[("today", query)]).unwrap();
            let date = query.today.at(Time::parse(now).unwrap().0);
            date.map(|date| alloc::format!("{date}")).map_err(said)
        };
        let refused = "today must be today's UTC date, or the day before or after it";
        // The last millisecond of a leap day, and the first one after it.
        for (now, near, far) in [
            ("2028-02-29T23:59:59.999Z", ["2028-02-28", "2028-02-29", "2028-03-01"], ["2028-02-27", "2028-03-02"]),
            ("2028-03-01T00:00:00.000Z", ["2028-02-29", "2028-03-01", "2028-03-02"], ["2028-02-28", "2028-03-03"]),
        ] {
            assert_eq!(today("", now).unwrap(), near[1]);
            for date in near {
                assert_eq!(today(date, now).unwrap(), date);
            }
            for date in far {
                assert_eq!(today(date, now).unwrap_err(), [refused]);
            }
        }
        // The last day has no day after it.
        assert!(today("9999-12-31", "9999-12-30T22:00:00.999Z").is_ok());
    }

    #[test]
    fn a_query_has_only_its_parameters_each_once_and_well_formed() {
        assert_eq!(
            parsed::<SummaryQuery>(&[("today", "tomorrow")]).unwrap_err(),
            ["today must be a date (YYYY-MM-DD)"]
        );
        assert_eq!(
            parsed::<SummaryQuery>(&[("practice_id", "x")]).unwrap_err(),
            ["practice_id is not a known parameter; known are today"]
        );
        assert_eq!(
            parsed::<WorkSummaryQuery>(&[("practice_id", "x"), ("today", ""), ("today", "")]).unwrap_err(),
            ["today must be given only once", "practice_id must be an id"]
        );
        assert_eq!(
            parsed::<PayersQuery>(&[("name", "x")]).unwrap_err(),
            ["name is not a known parameter; known are practice_id"]
        );
        assert_eq!(
            parsed::<PracticesQuery>(&[("limit", "0"), ("cursor", "x"), ("q", "")]).unwrap_err(),
            [
                "q is not a known parameter; known are limit, cursor, name, today",
                "limit must be a whole number from 1 to 100",
                "cursor must be one that a page gave"
            ]
        );
        let query = parsed::<PracticesQuery>(&[("name", "Lake")]).unwrap();
        assert_eq!((query.limit, query.name.as_deref()), (25, Some("Lake")));
    }
}
