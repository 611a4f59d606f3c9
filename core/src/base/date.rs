//! Calendar dates as the interface writes them: `YYYY-MM-DD`.

use crate::base::instant::Instant;
use crate::base::param::{Param, Plain};
use alloc::string::ToString;
use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, TimeDelta, Weekday};
use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A day of the Gregorian calendar, up to the year 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date(NaiveDate);

impl Date {
    /// Parses exactly `YYYY-MM-DD` in ASCII digits; `None` for any other form and for days that do not exist.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |(byte, form): (u8, &u8)| match form {
            b'-' => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        let form = b"YYYY-MM-DD";
        // The numbers below would also take signs.
        if text.len() != form.len() || !text.bytes().zip(form).all(fits) {
            return None;
        }
        let year = text.get(..4)?.parse().ok()?;
        let month = text.get(5..7)?.parse().ok()?;
        let day = text.get(8..)?.parse().ok()?;
        // Not chrono's parser: it takes any format, and its code would be in every module.
        let date = NaiveDate::from_ymd_opt(year, month, day)?;
        (year > 0).then_some(Self(date))
    }

    #[must_use]
    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// January is 1.
    #[must_use]
    pub fn month(self) -> u32 {
        self.0.month()
    }

    #[must_use]
    pub fn day(self) -> u32 {
        self.0.day()
    }

    /// The date `days` later, `None` after the year 9999.
    #[must_use]
    pub fn plus_days(self, days: i32) -> Option<Self> {
        Self::in_range(self.0.checked_add_signed(TimeDelta::days(days.into()))?)
    }

    /// The same day of the next year. February 29 becomes February 28, so that no year is longer than the calendar's.
    /// `None` after the year 9999.
    #[must_use]
    pub fn next_year(self) -> Option<Self> {
        Self::in_range(self.0.checked_add_months(Months::new(12))?)
    }

    fn in_range(date: NaiveDate) -> Option<Self> {
        (date.year() <= 9999).then_some(Self(date))
    }

    /// The first Sunday on or after a day of a month; `None` if there is no such day.
    #[must_use]
    pub fn sunday_from(year: i32, month: u32, day: u32) -> Option<Self> {
        let from = NaiveDate::from_ymd_opt(year, month, day)?;
        let days = from.weekday().days_since(Weekday::Sun);
        let wait = 7_u32.saturating_sub(days) % 7;
        Self::in_range(from.checked_add_days(Days::new(wait.into()))?)
    }

    /// The instant at which the day begins in UTC.
    #[must_use]
    pub fn begins(self) -> Instant {
        Instant(self.0.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
    }

    /// The UTC date of an instant. An instant out of range gives the first or the last date.
    #[must_use]
    pub fn of(instant: Instant) -> Self {
        let at = DateTime::from_timestamp_millis(instant.0);
        let date = match at {
            Some(at) => at.date_naive(),
            None if instant.0 < 0 => NaiveDate::MIN,
            None => NaiveDate::MAX,
        };
        let last = NaiveDate::from_ymd_opt(9999, 12, 31);
        Self(last.map_or(date, |last| date.min(last)))
    }
}

impl Plain for Date {
    fn param(self) -> Param {
        Param::Text(self.to_string())
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(feature = "schema")]
crate::base::described::described! { Date = { "type": "string", "format": "date" } }

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <alloc::borrow::Cow<'de, str>>::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a date"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn only_the_exact_form_of_a_day_that_exists_is_a_date() {
        for good in ["2026-01-31", "2024-02-29", "1900-12-01", "0001-01-01", "9999-12-31"] {
            assert_eq!(Date::parse(good).map(|d| d.to_string()).as_deref(), Some(good));
        }
        for bad in [
            "",
            "2026-1-31",
            "2026-02-30",
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "0000-01-01",
            "20260131",
            "2026/01/31",
            " 2026-01-31",
            "2026-01-31 ",
            "2026-01-31T00:00:00Z",
            "２０２６-01-31",
            "-026-01-31",
            "+026-01-31",
            "2026-01-3١",
        ] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn days_are_counted_through_leap_years_and_centuries() {
        for (from, days, to) in [
            ("2024-02-28", 1, Some("2024-02-29")),
            ("2023-02-28", 1, Some("2023-03-01")),
            ("1900-02-28", 1, Some("1900-03-01")),
            ("2000-02-28", 1, Some("2000-02-29")),
            ("1999-12-31", 366, Some("2000-12-31")),
            ("2026-03-01", -1, Some("2026-02-28")),
            ("9999-12-31", 1, None),
        ] {
            let date = Date::parse(from).unwrap().plus_days(days);
            assert_eq!(date.map(|date| date.to_string()).as_deref(), to, "{from}");
        }
    }

    #[test]
    fn the_next_year_has_the_same_day_unless_it_is_a_leap_day() {
        for (from, to) in [
            ("2026-03-04", Some("2027-03-04")),
            ("2028-01-15", Some("2029-01-15")),
            ("2027-03-01", Some("2028-03-01")),
            ("2028-02-29", Some("2029-02-28")),
            ("2027-02-28", Some("2028-02-28")),
            ("9999-01-01", None),
        ] {
            let date = Date::parse(from).unwrap().next_year();
            assert_eq!(date.map(|date| date.to_string()).as_deref(), to, "{from}");
        }
    }

    #[test]
    fn today_is_the_date_in_utc() {
        assert_eq!(Date::of(Instant(1_767_225_599_999)).to_string(), "2025-12-31");
        assert_eq!(Date::of(Instant(1_767_225_600_000)).to_string(), "2026-01-01");
    }

    #[test]
    fn an_instant_no_date_can_hold_is_the_first_or_the_last_day() {
        let (first, last) = (Date::of(Instant(i64::MIN)), Date::of(Instant(i64::MAX)));
        assert_eq!(last.to_string(), "9999-12-31");
        assert!(first < Date::parse("0001-01-01").unwrap());
        // The last day of JavaScript's dates.
        assert_eq!(Date::of(Instant(8_640_000_000_000_000)), last);
        assert_eq!(Date::of(Instant(-8_640_000_000_000_000)), first);
    }
}
