//! The query of a claim's status: one claim number.

use crate::base::text;
use crate::claims::number::NUMBER_MAX;
use crate::request::field::{self, Problems};
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

/// The claim number of a status query. `Debug` does not print it.
pub struct StatusQuery<'a> {
    /// The number as sent.
    pub claim_number: Cow<'a, str>,
}

impl fmt::Debug for StatusQuery<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StatusQuery(…)")
    }
}

/// Reads the query from every value of its parameter `claim_number`.
///
/// # Errors
///
/// The problems of the query.
pub fn parse<'a>(values: impl IntoIterator<Item = Cow<'a, str>>) -> Result<StatusQuery<'a>, Vec<Problem>> {
    const NAME: &str = "claim_number";
    let mut p = Problems::default();
    let mut values = values.into_iter();
    let claim_number = values.next().filter(|number| !text::is_blank(number));
    if values.next().is_some() {
        p.add(NAME, Rule::Once);
    }
    if claim_number.is_none() {
        p.add(NAME, Rule::Required);
    }
    let claim_number = claim_number.filter(|number| field::check_length(&mut p, NAME, number, NUMBER_MAX));
    p.settle(claim_number.map(|claim_number| StatusQuery { claim_number }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::problem::texts;

    #[test]
    fn a_query_has_one_claim_number_of_1_to_128_characters() {
        const REQUIRED: &str = "claim_number is required";
        const ONCE: &str = "claim_number must be given only once";
        const LONG: &str = "claim_number must be at most 128 characters";
        let (fits, over) = ("漢".repeat(128), "漢".repeat(129));
        let rows: [(&[&str], Result<&str, &[&str]>); 15] = [
            (&["A-1"], Ok("A-1")),
            (&[" A-1 "], Ok(" A-1 ")),
            (&["a b/ü"], Ok("a b/ü")),
            (&["A\0"], Ok("A\0")),
            (&[&fits], Ok(&fits)),
            (&[], Err(&[REQUIRED])),
            (&[""], Err(&[REQUIRED])),
            (&[" \t\u{a0}"], Err(&[REQUIRED])),
            (&[&over], Err(&[LONG])),
            (&["A-1", "A-1"], Err(&[ONCE])),
            (&["A-1", ""], Err(&[ONCE])),
            (&["", "A-1"], Err(&[ONCE, REQUIRED])),
            (&["", ""], Err(&[ONCE, REQUIRED])),
            (&["A", "B", "C"], Err(&[ONCE])),
            (&[&over, &over], Err(&[ONCE, LONG])),
        ];
        for (values, expected) in rows {
            let found = parse(values.iter().map(|value| Cow::Borrowed(*value)));
            match (found, expected) {
                (Ok(query), Ok(number)) => assert_eq!(query.claim_number, number),
                (Err(problems), Err(expected)) => assert_eq!(texts(&problems), expected, "{values:?}"),
                (found, _) => panic!("{values:?} {found:?}"),
            }
        }
    }
}
