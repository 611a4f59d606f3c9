//! Days as X12 writes them (`CCYYMMDD`) and as the interface does (`YYYY-MM-DD`).

use alloc::string::ToString;
use core::fmt;
use core::num::NonZeroU32;
use overturn_core::base::date::Date;
use serde::{Serialize, Serializer};

/// A day of the calendar, from 1000-01-01 to 9999-12-31. Four bytes, also in an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(NonZeroU32);

impl Day {
    /// Reads `CCYYMMDD`. `None` for any other form and for days that do not exist.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != 8 {
            return None;
        }
        let number = number(bytes)?;
        let year = number.div_euclid(10_000);
        let (month, day) = (number.div_euclid(100).rem_euclid(100), number.rem_euclid(100));
        Self::new(year, month, day)
    }

    /// The day of a year, a month and a day, `None` if there is none.
    pub(crate) fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        if !(1000..=9999).contains(&year) || !(1..=length).contains(&day) {
            return None;
        }
        let number = year.checked_mul(10_000)?;
        let number = number.checked_add(month.checked_mul(100)?)?;
        NonZeroU32::new(number.checked_add(day)?).map(Self)
    }

    /// Reads `CCYYMMDD`, or the `YYMMDD` of GS04 in version 4010 and older.
    pub(crate) fn parse_short(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != 6 {
            return Self::parse(bytes);
        }
        let number = number(bytes)?.checked_add(20_000_000)?;
        let (year, rest) = (number.div_euclid(10_000), number.rem_euclid(10_000));
        Self::new(year, rest.div_euclid(100), rest.rem_euclid(100))
    }

    /// The first day of `CCYYMMDD` or of a range `CCYYMMDD-CCYYMMDD`.
    pub(crate) fn first_of(bytes: &[u8]) -> Option<Self> {
        match bytes.split_at_checked(8) {
            Some((first, [] | [b'-', ..])) => Self::parse(first),
            _ => None,
        }
    }

    /// The day as `YYYYMMDD`.
    pub(crate) const fn digits(self) -> u32 {
        self.0.get()
    }
}

/// Digits as a number.
pub(crate) fn number(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0_u32, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| byte.wrapping_sub(b'0'))?;
        number.checked_mul(10)?.checked_add(u32::from(digit))
    })
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        let text: alloc::vec::Vec<u8> = date.to_string().bytes().filter(u8::is_ascii_digit).collect();
        // A date before the year 1000 is the first day: it only bounds other days.
        Self::parse(&text).unwrap_or(Self(NonZeroU32::MIN))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.get();
        let (month, day) = (number.div_euclid(100).rem_euclid(100), number.rem_euclid(100));
        write!(f, "{:04}-{month:02}-{day:02}", number.div_euclid(10_000))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_that_exist_are_days() {
        for (text, day) in [
            ("20260131", Some("2026-01-31")),
            ("20240229", Some("2024-02-29")),
            ("20230229", None),
            ("19000229", None),
            ("20261301", None),
            ("20260100", None),
            ("260131", None),
            ("2026013", None),
            ("2026-1-1", None),
            ("", None),
        ] {
            let parsed = Day::parse(text.as_bytes()).map(|day| day.to_string());
            assert_eq!(parsed.as_deref(), day, "{text}");
        }
    }

    #[test]
    fn a_range_begins_on_its_first_day() {
        let first = |text: &str| Day::first_of(text.as_bytes()).map(Day::digits);
        assert_eq!(first("20260102-20260104"), Some(20_260_102));
        assert_eq!(first("20260102"), Some(20_260_102));
        assert_eq!(first("202601021200"), None);
        assert_eq!(Day::parse_short(b"260102").map(Day::digits), Some(20_260_102));
    }
}
