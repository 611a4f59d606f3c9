//! Limits lines about single claims. The same problem may occur ten thousand times: the first lines of each kind are
//! shown, the rest are counted.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// How many lines of each kind are shown.
const SHOWN: u64 = 10;
/// How many kinds are counted separately. Our own messages have fewer kinds, but a service may send any text.
const KINDS: usize = 500;

/// The lines seen so far.
#[derive(Default, Debug)]
pub(crate) struct Capped {
    /// For each text without its numbers: the first text of the kind, and how many there were.
    kinds: BTreeMap<String, (String, u64)>,
}

impl Capped {
    /// Counts a line with this text, and says whether to show it. The place of the problem is not part of the text.
    pub(crate) fn admits(&mut self, text: &str) -> bool {
        let mut kind = kind(text);
        if self.kinds.len() >= KINDS && !self.kinds.contains_key(&kind) {
            kind = String::new();
        }
        let count = match self.kinds.entry(kind) {
            Entry::Occupied(known) => &mut known.into_mut().1,
            Entry::Vacant(new) => {
                let first = if new.key().is_empty() { "other problems" } else { text };
                &mut new.insert((first.to_owned(), 0)).1
            }
        };
        *count = count.saturating_add(1);
        *count <= SHOWN
    }

    /// A line for each kind that was cut off, the most frequent first.
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

/// The text with its numbers removed, so that different columns and indexes count as the same kind.
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
            assert_eq!(capped.admits(&format!("body must be valid JSON (column {n})")), n < 10);
            if n < 11 {
                assert_eq!(capped.admits("claim.payer_name is required"), n < 10);
            }
        }
        assert!(capped.admits("claim.claim_number is required"));
        assert_eq!(
            capped.rest(),
            ["9990 more like: body must be valid JSON (column 0)", "1 more like: claim.payer_name is required"]
        );
    }

    #[test]
    fn kinds_without_end_are_one() {
        let mut capped = Capped::default();
        for n in 0..100_000_u32 {
            let words: String = n.to_string().bytes().map(|b| char::from(b + b'A' - b'0')).collect();
            capped.admits(&words);
        }
        assert!(capped.kinds.len() <= KINDS + 1);
        assert_eq!(capped.rest(), ["99490 more like: other problems"]);
    }
}
