//! Dates of birth that no claim file has: a template for people, and what they filled in.

use crate::csv;
use crate::day::Day;
use crate::error::CsvError;
use crate::text::letters;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A patient without a date of birth. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissingBirth {
    /// Names the patient in the template: 20 letters, which no spreadsheet takes for a number or a date.
    pub key: String,
    pub last_name: String,
    pub first_name: String,
    pub member_id: Option<String>,
    /// The first of the patient's claims.
    pub claim_number: String,
}

impl fmt::Debug for MissingBirth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MissingBirth(…)")
    }
}

/// The key of a patient: of member id and names, else of names and claim number.
pub(crate) fn key(last: &str, first: &str, member_id: Option<&str>, claim_number: &str) -> String {
    let mut hash = Sha256::new();
    let (kind, id) = match member_id {
        Some(id) => ("member", letters(id)),
        None => ("claim", claim_number.into()),
    };
    for part in [kind, &id, &letters(last), &letters(first)] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let letter = |half: u8| char::from(b'a'.saturating_add(half));
    let digest = hash.finalize();
    let bytes = digest.iter().take(10);
    bytes.flat_map(|byte| [letter(byte >> 4), letter(byte & 15)]).collect()
}

/// The columns of the template.
const HEADER: [&str; 6] = ["key", "last_name", "first_name", "member_id", "claim_number", "date_of_birth"];

/// The template: CSV with one row for each patient and an empty last column.
#[must_use]
pub fn template(missing: &[MissingBirth]) -> String {
    let mut text = String::new();
    csv::write(&mut text, &HEADER);
    for patient in missing {
        let member_id = patient.member_id.as_deref().unwrap_or_default();
        let cells = [&*patient.key, &patient.last_name, &patient.first_name, member_id, &patient.claim_number, ""];
        csv::write(&mut text, &cells);
    }
    text
}

/// Dates of birth that people filled in.
#[derive(Clone, Default)]
pub struct Births {
    days: BTreeMap<String, Option<Day>>,
    /// Lines whose date cannot be read, or that contradict an earlier line. They do not count.
    pub bad_lines: Vec<u32>,
}

impl fmt::Debug for Births {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Births(…)")
    }
}

impl Births {
    /// Reads the template again. Dates are `YYYY-MM-DD`, or `M/D/YYYY` as Excel writes them. A row without a date is no error.
    ///
    /// # Errors
    ///
    /// [`CsvError`] if the file is not CSV with the columns `key` and `date_of_birth`.
    pub fn read(file: &str) -> Result<Self, CsvError> {
        let mut births = Self::default();
        for row in csv::csv_rows(file, ["key", "date_of_birth"])? {
            let [key, date] = &row.cells;
            if date.is_empty() {
                continue;
            }
            let Some(day) = parse(date).filter(|_| !key.is_empty()) else {
                births.bad_lines.push(row.line);
                continue;
            };
            let known = births.days.entry(key.to_ascii_lowercase()).or_insert(Some(day));
            if *known != Some(day) {
                *known = None;
                births.bad_lines.push(row.line);
            }
        }
        Ok(births)
    }

    pub(crate) fn of(&self, key: &str) -> Option<Day> {
        self.days.get(key).copied().flatten()
    }
}

/// `YYYY-MM-DD` or `M/D/YYYY`. A year of two digits could be of either century.
fn parse(text: &str) -> Option<Day> {
    let number = |part: &str, digits: &[usize]| {
        let fits = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse().ok()).flatten()
    };
    let part = |separator: char| {
        let mut parts = text.split(separator);
        let three = [parts.next()?, parts.next()?, parts.next()?];
        parts.next().is_none().then_some(three)
    };
    if let Some([year, month, day]) = part('-') {
        return Day::new(number(year, &[4])?, number(month, &[2])?, number(day, &[2])?);
    }
    let [month, day, year] = part('/')?;
    Day::new(number(year, &[4])?, number(month, &[1, 2])?, number(day, &[1, 2])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn dates_have_a_year_of_four_digits() {
        for (text, day) in [
            ("1984-06-02", Some("1984-06-02")),
            ("6/2/1984", Some("1984-06-02")),
            ("06/02/1984", Some("1984-06-02")),
            ("6/2/84", None),
            ("84-06-02", None),
            ("1984-6-2", None),
            ("2/30/1984", None),
            ("13/2/1984", None),
            ("6/2/1984/1", None),
            ("1984/06/02", None),
            ("June 2, 1984", None),
        ] {
            assert_eq!(parse(text).map(|day| day.to_string()).as_deref(), day, "{text}");
        }
    }

    #[test]
    fn rows_that_contradict_each_other_do_not_count() {
        let file = "key,date_of_birth\naa,1984-06-02\nbb,\naa,1984-06-03\ncc,6/2/84\ndd,6/2/1984\n";
        let births = Births::read(file).unwrap();
        assert_eq!(births.bad_lines, [4, 5]);
        assert_eq!([births.of("aa"), births.of("bb"), births.of("cc")], [None; 3]);
        assert_eq!(births.of("dd").map(Day::digits), Some(19_840_602));
    }

    #[test]
    fn a_key_is_letters_and_the_same_for_all_claims_of_a_member() {
        let one = key("Doe", "Jane", Some("W-1"), "A-1");
        assert_eq!(one, key("DOE", "JANE", Some("w1"), "A-2"));
        assert_ne!(one, key("DOE", "JANE", Some("w2"), "A-1"));
        assert_ne!(key("Doe", "Jane", None, "A-1"), key("Doe", "Jane", None, "A-2"));
        assert_eq!(one.len(), 20);
        assert!(one.bytes().all(|byte| byte.is_ascii_lowercase()));
    }
}
