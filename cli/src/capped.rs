//! Lines about single claims, of which the same problem may have ten thousand: the first of each kind, and then a count.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Lines of one kind that are shown.
const SHOWN: u64 = 10;
/// Kinds that are told apart. Our own words have fewer; a service may say what it likes.
const KINDS: usize = 500;

/// What was said so far.
#[derive(Default, Debug)]
pub(crate) struct Capped {
    /// By what the text says without its numbers: the first text of the kind, and how many there were.
    kinds: BTreeMap<String, (String, u64)>,
}

impl Capped {
    /// Whether a line that says this, wherever it was found, is still to be shown.
    pub(crate) fn admits(&mut self, text: &str) -> bool {
        let mut kind = kind(text);
        if self.kinds.len() >= KINDS && !self.kinds.contains_key(&kind) {
            kind = String::new();
        }
        let count = match self.kinds.entry(kind) {
            Entry::Occupied(known) => &mut known.into_mut().1,
            Entry::Vacant(new) => {
                let first = if new.key().is_empty() {
                    "other problems"
                } else {
                    text
                };
                &mut new.insert((first.to_owned(), 0)).1
            }
        };
        *count = count.saturating_add(1);
        *count <= SHOWN
    }

    /// What was not shown, a line for each kind, the most frequent first.
    pub(crate) fn rest(&self) -> Vec<String> {
        let mut left: Vec<(u64, &str)> = self
            .kinds
            .values()
            .map(|(first, count)| (count.saturating_sub(SHOWN), first.as_str()))
            .filter(|(count, _)| *count > 0)
            .collect();
        left.sort_by(|a, b| b.cmp(a));
        let line = |(count, first): (u64, &str)| format!("{count} more like: {first}");
        left.into_iter().map(line).collect()
    }
}

/// A text with its numbers taken for the same: columns and indexes make no kind of their own.
fn kind(text: &str) -> String {
    let mut kind = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            kind.push(c);
        } else if !kind.ends_with('0') {
            kind.push('0');
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_of_each_kind_are_shown_and_the_rest_is_counted() {
        let mut capped = Capped::default();
        for n in 0..10_000 {
            assert_eq!(
                capped.admits(&format!("body must be valid JSON (column {n})")),
                n < 10
            );
            if n < 11 {
                assert_eq!(capped.admits("claim.payer_name is required"), n < 10);
            }
        }
        assert!(capped.admits("claim.claim_number is required"));
        assert_eq!(
            capped.rest(),
            [
                "9990 more like: body must be valid JSON (column 0)",
                "1 more like: claim.payer_name is required"
            ]
        );
    }

    #[test]
    fn kinds_without_end_are_one() {
        let mut capped = Capped::default();
        for n in 0..100_000_u32 {
            let words: String = n
                .to_string()
                .bytes()
                .map(|b| char::from(b + b'A' - b'0'))
                .collect();
            capped.admits(&words);
        }
        assert!(capped.kinds.len() <= KINDS + 1);
        assert_eq!(capped.rest(), ["99490 more like: other problems"]);
    }
}
