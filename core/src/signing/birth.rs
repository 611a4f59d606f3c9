//! A date of birth, as a person enters it: month, day and year in separate fields.

use crate::base::date::Date;
use alloc::format;
use chrono::Month;
use core::fmt;

/// The entered fields. `Debug` prints none of them.
#[derive(Clone, Copy)]
pub struct Birth<'a> {
    /// The month: a number, or its English name or the beginning of it.
    pub month: &'a str,
    /// The day of the month.
    pub day: &'a str,
    /// The year, with four digits.
    pub year: &'a str,
}

impl fmt::Debug for Birth<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Birth(…)")
    }
}

/// Why it is not a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoBirth {
    /// There is no such month.
    Month,
    /// There is no such day of a month.
    Day,
    /// It is not a year with four digits.
    Year,
    /// The month has no such day.
    NoSuchDay,
    /// It is in the future.
    Future,
}

/// The fewest letters that identify a month.
const LETTERS_MIN: usize = 3;

impl Birth<'_> {
    /// The date.
    ///
    /// # Errors
    ///
    /// [`NoBirth`], the first that applies.
    pub fn read(self, today: Date) -> Result<Date, NoBirth> {
        let month = month(self.month.trim()).ok_or(NoBirth::Month)?;
        let day = number(self.day, 1..=2).filter(|day| (1..=31).contains(day));
        let day = day.ok_or(NoBirth::Day)?;
        let year = number(self.year, 4..=4).ok_or(NoBirth::Year)?;
        let date = Date::parse(&format!("{year:04}-{month:02}-{day:02}"));
        let date = date.ok_or(NoBirth::NoSuchDay)?;
        if date > today {
            return Err(NoBirth::Future);
        }
        Ok(date)
    }
}

fn month(text: &str) -> Option<u16> {
    if let Some(number) = number(text, 1..=2) {
        return (1..=12).contains(&number).then_some(number);
    }
    let begins = |month: Month| {
        let beginning = month.name().get(..text.len()).unwrap_or_default();
        text.len() >= LETTERS_MIN && beginning.eq_ignore_ascii_case(text)
    };
    (1..=12)
        .find(|number| Month::try_from(*number).is_ok_and(begins))
        .map(u16::from)
}

fn number(text: &str, digits: core::ops::RangeInclusive<usize>) -> Option<u16> {
    let text = text.trim();
    let is_one = digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_one.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use alloc::string::ToString;

    fn read(month: &str, day: &str, year: &str) -> Result<Date, NoBirth> {
        let today = Date::parse("2026-11-21").unwrap();
        Birth { month, day, year }.read(today)
    }

    #[test]
    fn a_date_may_be_filled_in_as_people_write_it() {
        for (month, day, year, date) in [
            ("6", "2", "1984", "1984-06-02"),
            ("06", "02", "1984", "1984-06-02"),
            (" 6 ", "\t2", "1984 ", "1984-06-02"),
            ("June", "2", "1984", "1984-06-02"),
            ("JUN", "2", "1984", "1984-06-02"),
            ("sept", "30", "1984", "1984-09-30"),
            ("2", "29", "2024", "2024-02-29"),
            ("11", "21", "2026", "2026-11-21"),
        ] {
            assert_eq!(read(month, day, year).unwrap().to_string(), date);
        }
    }

    #[test]
    fn an_invalid_date_names_the_wrong_field() {
        for (month, day, year, why) in [
            ("", "2", "1984", NoBirth::Month),
            ("13", "2", "1984", NoBirth::Month),
            ("0", "2", "1984", NoBirth::Month),
            ("ju", "2", "1984", NoBirth::Month),
            ("junes", "2", "1984", NoBirth::Month),
            ("６", "2", "1984", NoBirth::Month),
            ("6", "", "1984", NoBirth::Day),
            ("6", "32", "1984", NoBirth::Day),
            ("6", "0", "1984", NoBirth::Day),
            ("6", "2x", "1984", NoBirth::Day),
            ("6", "2", "", NoBirth::Year),
            ("6", "2", "84", NoBirth::Year),
            ("6", "2", "+984", NoBirth::Year),
            ("6", "31", "1984", NoBirth::NoSuchDay),
            ("2", "29", "2023", NoBirth::NoSuchDay),
            ("1", "1", "0000", NoBirth::NoSuchDay),
            ("11", "22", "2026", NoBirth::Future),
        ] {
            assert_eq!(read(month, day, year), Err(why), "{month} {day} {year}");
        }
    }
}
