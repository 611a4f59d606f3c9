//! Finds claim numbers that repeat within a batch. `send` puts them into separate requests. The service refuses the
//! batch if it is posted as it is.

use crate::check::Claim;
use overturn_core::claims::intake::ITEMS_MAX;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The claim numbers of the current batch.
#[derive(Default, Debug)]
pub(super) struct Repeats {
    /// The line of the batch. A line has one batch at most.
    line: Option<u64>,
    numbers: HashSet<String>,
}

impl Repeats {
    /// True if an earlier claim of the batch has the same number. It remembers only as many numbers as a batch in one
    /// request may have.
    pub(super) fn is_again(&mut self, claim: &Claim) -> bool {
        let Some(index) = claim.place.index else {
            return false;
        };
        if self.line != claim.place.line {
            self.line = claim.place.line;
            self.numbers.clear();
        }
        let is_kept = usize::try_from(index).is_ok_and(|index| index < ITEMS_MAX);
        is_kept && !self.numbers.insert(claim.number.clone())
    }
}

/// The advice for a repeated number.
pub(super) fn advice() -> Value {
    json!({
        "code": "claim_number_repeated",
        "field": "claim.claim_number",
        "message": "appears more than once in the batch, which the service refuses; `overturn send` sends them one after the other",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Place;

    #[test]
    fn a_number_is_repeated_only_within_its_batch_and_as_far_as_one_may_be_posted() {
        let mut repeats = Repeats::default();
        let mut is_again = |line, index, number: &str| {
            repeats.is_again(&Claim { place: Place { line, index }, number: number.into(), item: String::new() })
        };
        for (line, index, number, again) in [
            (None, Some(0), "A", false),
            (None, Some(1), "B", false),
            (None, Some(2), "A", true),
            (None, Some(3), "A", true),
            (Some(2), Some(1), "A", false),
            (Some(2), Some(2), "A", true),
            (Some(2), Some(100), "A", false),
            (Some(3), None, "A", false),
            (Some(4), Some(0), "A", false),
        ] {
            assert_eq!(is_again(line, index, number), again, "{line:?} {index:?}");
        }
    }
}
