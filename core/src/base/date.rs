//! Calendar dates as the interface writes them: `YYYY-MM-DD`.

use crate::base::instant::Instant;
use alloc::format;
use alloc::string::String;
use core::fmt;
use jiff::{Timestamp, ToSpan, civil, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The months in English.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date(civil::Date);

impl Date {
    /// Reads exactly `YYYY-MM-DD` in ASCII digits; `None` for any other form and for days that do not exist.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else {
            return None;
        };
        let year = number(&[y1, y2, y3, y4])?;
        let month = i8::try_from(number(&[m1, m2])?).ok()?;
        let day = i8::try_from(number(&[d1, d2])?).ok()?;
        if year == 0 {
            return None;
        }
        civil::Date::new(year, month, day).ok().map(Self)
    }

    /// The date as text, without an allocation: every claim has several.
    pub(crate) fn text(self) -> DateText {
        let digit = |number: i16, unit: i16| {
            let digit = number.checked_div(unit).unwrap_or(0).rem_euclid(10);
            u8::try_from(digit).unwrap_or(0).saturating_add(b'0')
        };
        let (year, month, day) = (
            self.0.year(),
            i16::from(self.0.month()),
            i16::from(self.0.day()),
        );
        DateText([
            digit(year, 1000),
            digit(year, 100),
            digit(year, 10),
            digit(year, 1),
            b'-',
            digit(month, 10),
            digit(month, 1),
            b'-',
            digit(day, 10),
            digit(day, 1),
        ])
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> i16 {
        self.0.year()
    }

    /// The date so many days later, `None` where no date of the interface can be.
    #[must_use]
    pub fn plus_days(self, days: i32) -> Option<Self> {
        self.0.checked_add(days.days()).ok().map(Self)
    }

    /// The same day of the next year. February 29 becomes February 28, so that no year is longer than the calendar's. `None`
    /// where no date of the interface can be.
    #[must_use]
    pub fn next_year(self) -> Option<Self> {
        self.0.checked_add(1.year()).ok().map(Self)
    }

    /// The instant at which the day begins in UTC; the first or the last where none can be held.
    #[must_use]
    pub fn begins(self) -> Instant {
        let begun = self.0.to_zoned(TimeZone::UTC);
        let end = Timestamp::MAX.as_millisecond();
        Instant(begun.map_or(end, |begun| begun.timestamp().as_millisecond()))
    }

    /// The date as people write it in the United States: `January 31, 2026`.
    #[must_use]
    pub fn in_words(self) -> String {
        let (year, month, day) = (self.0.year(), self.0.month(), self.0.day());
        let month = usize::try_from(month).unwrap_or_default().checked_sub(1);
        let month = month.and_then(|month| MONTHS.get(month));
        format!("{} {day}, {year}", month.unwrap_or(&""))
    }

    /// The UTC date of an instant; the first or the last that can be held where it lies outside.
    #[must_use]
    pub fn of(instant: Instant) -> Self {
        Self(match Timestamp::from_millisecond(instant.0) {
            Ok(at) => TimeZone::UTC.to_datetime(at).date(),
            Err(_) if instant.0 < 0 => civil::Date::MIN,
            Err(_) => civil::Date::MAX,
        })
    }
}

fn number(digits: &[u8]) -> Option<i16> {
    digits.iter().try_fold(0_i16, |value, digit| {
        let digit = digit.is_ascii_digit().then(|| digit.wrapping_sub(b'0'))?;
        value.checked_mul(10)?.checked_add(i16::from(digit))
    })
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// A date as the interface writes it.
#[derive(Clone, Copy)]
pub(crate) struct DateText([u8; 10]);

impl DateText {
    /// The text, ten ASCII characters.
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text().as_str())
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
    use crate::testing::test;
    use alloc::string::ToString;

    #[test]
    fn only_the_exact_form_of_a_day_that_exists_is_a_date() {
        for good in [
            "2026-01-31",
            "2024-02-29",
            "1900-12-01",
            "0001-01-01",
            "9999-12-31",
        ] {
            assert_eq!(
                Date::parse(good).map(|d| d.to_string()).as_deref(),
                Some(good)
            );
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
    fn a_date_in_words_names_its_month() {
        for (date, words) in [
            ("2026-01-31", "January 31, 2026"),
            ("0999-12-01", "December 1, 999"),
        ] {
            assert_eq!(Date::parse(date).unwrap().in_words(), words);
        }
    }

    #[test]
    fn today_is_the_date_in_utc() {
        assert_eq!(
            Date::of(Instant(1_767_225_599_999)).to_string(),
            "2025-12-31"
        );
        assert_eq!(
            Date::of(Instant(1_767_225_600_000)).to_string(),
            "2026-01-01"
        );
    }

    #[test]
    fn an_instant_no_date_can_hold_is_the_first_or_the_last_day() {
        let (first, last) = (Date::of(Instant(i64::MIN)), Date::of(Instant(i64::MAX)));
        assert_eq!(last.to_string(), "9999-12-31");
        assert!(first < Date::parse("0001-01-01").unwrap());
        // The last day JavaScript's dates know.
        assert_eq!(Date::of(Instant(8_640_000_000_000_000)), last);
        assert_eq!(Date::of(Instant(-8_640_000_000_000_000)), first);
    }
}
