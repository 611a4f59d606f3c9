//! From which date a reader counts deadlines.

use crate::request::accept::ListForm;
use crate::request::declare::query::Parameter;
use crate::request::declare::query::kinds::Day;
use crate::request::error::RequestError;
use crate::request::query::QueryReader;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::request::problem::Rule;
use std::borrow::Cow;

const NEAR_TODAY: Rule = Rule::MustBe(Cow::Borrowed("today's UTC date, or the day before or after it"));

/// The reader's date as requested; `None` for the current UTC date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Today(Option<Date>);

impl Parameter for Today {
    type Value = Self;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Self {
        Self(Day::read(query, name, form))
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        <Day as Parameter>::schema()
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("Today");

    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "The reader's date. Deadlines are counted from it. It is the current UTC date, or the day \
        before or after it, so that a reader in any time zone can give the local date. The default is the current UTC date.";
}

impl Today {
    /// The date from which deadlines are counted. It must be the current UTC date or one beside it, because no time zone
    /// is further from UTC.
    pub(super) fn at(self, now: Instant) -> Result<Date, RequestError> {
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

/// A later date. After the year 9999 there is none, and the last date serves as well.
pub(super) fn later(today: Date, days: i32) -> Date {
    today.plus_days(days).unwrap_or(today)
}
