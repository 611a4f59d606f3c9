//! A date of birth, as a person enters it: month, day and year in separate fields.

use crate::plan::words::month_names;
use crate::request::language::Language;
use overturn_core::base::date::Date;
use std::fmt;

/// The entered fields. `Debug` prints none of them.
#[derive(Clone, Copy)]
pub(super) struct Birth<'a> {
    /// The month: a number, or its English or Spanish name or the beginning of it.
    pub(super) month: &'a str,
    /// The day of the month.
    pub(super) day: &'a str,
    /// The year, with four digits.
    pub(super) year: &'a str,
}

impl fmt::Debug for Birth<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Birth(…)")
    }
}

/// Why it is not a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the fields are not a date of birth")]
pub(crate) enum BirthError {
    /// There is no such month.
    Month,
    /// There is no such day of a month.
    Day,
    /// It is not a year with four digits.
    Year,
    /// The month has no such day.
    NoSuchDay,
    Future,
}

/// The fewest letters that identify a month.
const LETTERS_MIN: usize = 3;

impl Birth<'_> {
    /// The date.
    ///
    /// # Errors
    ///
    /// [`BirthError`], the first that applies.
    pub(super) fn read(self, today: Date) -> Result<Date, BirthError> {
        let month = month(self.month.trim()).ok_or(BirthError::Month)?;
        let day = number(self.day, 1..=2).filter(|day| (1..=31).contains(day));
        let day = day.ok_or(BirthError::Day)?;
        let year = number(self.year, 4..=4).ok_or(BirthError::Year)?;
        let date = Date::parse(&format!("{year:04}-{month:02}-{day:02}"));
        let date = date.ok_or(BirthError::NoSuchDay)?;
        if date > today {
            return Err(BirthError::Future);
        }
        Ok(date)
    }
}

fn month(text: &str) -> Option<u16> {
    if let Some(number) = number(text, 1..=2) {
        return (1..=12).contains(&number).then_some(number);
    }
    let begins = |name: &str| {
        let beginning = name.get(..text.len()).unwrap_or_default();
        text.len() >= LETTERS_MIN && beginning.eq_ignore_ascii_case(text)
    };
    // A reader may write the names of the other language, too: no beginning of one is that of another month.
    let named = |language| (1..=12).zip(month_names(language)).find(|(_, name)| begins(name));
    let found = Language::ALL.into_iter().find_map(named);
    found.map(|(number, _)| number)
}

fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u16> {
    let text = text.trim();
    let is_one = digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_one.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    fn read(month: &str, day: &str, year: &str) -> Result<Date, BirthError> {
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
            ("Ene", "2", "1984", "1984-01-02"),
            ("AGOSTO", "2", "1984", "1984-08-02"),
            ("dic", "2", "1984", "1984-12-02"),
            ("2", "29", "2024", "2024-02-29"),
            ("11", "21", "2026", "2026-11-21"),
        ] {
            assert_eq!(read(month, day, year).unwrap().to_string(), date);
        }
    }

    #[test]
    fn a_beginning_names_the_same_month_in_both_languages() {
        let [english, spanish] = Language::ALL.map(month_names);
        for (at, name) in english.iter().enumerate() {
            for (other, name_there) in spanish.iter().enumerate() {
                let starts = |name: &str| name.get(..LETTERS_MIN).map(str::to_ascii_lowercase);
                assert!(at == other || starts(name) != starts(name_there), "{name} {name_there}");
            }
        }
    }

    #[test]
    fn an_invalid_date_names_the_wrong_field() {
        for (month, day, year, why) in [
            ("", "2", "1984", BirthError::Month),
            ("13", "2", "1984", BirthError::Month),
            ("0", "2", "1984", BirthError::Month),
            ("ju", "2", "1984", BirthError::Month),
            ("junes", "2", "1984", BirthError::Month),
            ("６", "2", "1984", BirthError::Month),
            ("6", "", "1984", BirthError::Day),
            ("6", "32", "1984", BirthError::Day),
            ("6", "0", "1984", BirthError::Day),
            ("6", "2x", "1984", BirthError::Day),
            ("6", "2", "", BirthError::Year),
            ("6", "2", "84", BirthError::Year),
            ("6", "2", "+984", BirthError::Year),
            ("6", "31", "1984", BirthError::NoSuchDay),
            ("2", "29", "2023", BirthError::NoSuchDay),
            ("1", "1", "0000", BirthError::NoSuchDay),
            ("11", "22", "2026", BirthError::Future),
        ] {
            assert_eq!(read(month, day, year), Err(why), "{month} {day} {year}");
        }
    }
}
