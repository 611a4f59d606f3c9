//! Decides which claims share a request.

use crate::claim::{self, Item};
use overturn_core::claims::intake::{BODY_MAX, ITEMS_MAX};
use std::collections::{HashMap, HashSet, VecDeque};

/// Claims that wait for a request. A request holds each claim number once. A repeated number goes into a later request,
/// so that claims with the same number reach the service in the order of the file.
#[derive(Debug)]
pub struct Batcher<T> {
    waiting: VecDeque<T>,
    numbers: HashMap<String, usize>,
    bytes: usize,
}

impl<T> Default for Batcher<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), numbers: HashMap::new(), bytes: 0 }
    }
}

impl<T: Item> Batcher<T> {
    #[cfg(test)]
    fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn push(&mut self, claim: T) {
        self.bytes = self.bytes.saturating_add(claim.text().len());
        let times = self.numbers.entry(claim.number().to_owned()).or_default();
        *times = times.saturating_add(1);
        self.waiting.push_back(claim);
    }

    /// The claims of the next request, once there are enough to fill it.
    pub fn full(&mut self) -> Option<Vec<T>> {
        let enough = self.numbers.len() >= ITEMS_MAX
            // A file that repeats one number must not make the queue grow without bound.
            || self.waiting.len() >= ITEMS_MAX.saturating_mul(2)
            || self.bytes >= BODY_MAX;
        if enough { self.rest() } else { None }
    }

    /// The claims of the next request, or `None` when no claim waits.
    pub fn rest(&mut self) -> Option<Vec<T>> {
        let (mut batch, mut bytes) = (Vec::new(), 0_usize);
        let mut seen = HashSet::new();
        let mut later = VecDeque::new();
        for claim in self.waiting.drain(..) {
            let with = bytes.saturating_add(claim.text().len());
            let length = claim::body_length(batch.len().saturating_add(1), with);
            // Mark the claims that stay, too: a later claim with the same number must not overtake them.
            let first = seen.insert(claim.number().to_owned());
            if first && batch.len() < ITEMS_MAX && length <= BODY_MAX {
                bytes = with;
                batch.push(claim);
            } else {
                later.push_back(claim);
            }
        }
        self.numbers.clear();
        self.bytes = 0;
        for claim in later {
            self.push(claim);
        }
        (!batch.is_empty()).then_some(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Claim {
        number: String,
        item: String,
    }

    impl Item for Claim {
        fn number(&self) -> &str {
            &self.number
        }

        fn text(&self) -> &str {
            &self.item
        }
    }

    fn claim(number: &str, bytes: usize) -> Claim {
        Claim { number: number.into(), item: "x".repeat(bytes) }
    }

    fn batches(claims: impl IntoIterator<Item = Claim>) -> Vec<Vec<String>> {
        let mut batcher = Batcher::default();
        let mut batches = Vec::new();
        for claim in claims {
            batcher.push(claim);
            batches.extend(batcher.full());
        }
        batches.extend(std::iter::from_fn(|| batcher.rest()));
        assert_eq!(batcher.len(), 0);
        for batch in &batches {
            let items = batch.iter().map(|claim| claim.item.as_str());
            assert!(claim::body(items).len() <= BODY_MAX);
        }
        let numbers = |batch: &Vec<Claim>| batch.iter().map(|claim| claim.number.clone()).collect();
        batches.iter().map(numbers).collect()
    }

    #[test]
    fn two_hundred_and_fifty_claims_go_in_three_requests_in_their_order() {
        let numbers: Vec<String> = (0..250).map(|n| n.to_string()).collect();
        let found = batches(numbers.iter().map(|number| claim(number, 10)));
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, [100, 100, 50]);
        assert_eq!(found.concat(), numbers);
    }

    #[test]
    fn a_number_that_comes_again_goes_into_a_later_request() {
        let found = batches(["A", "B", "A", "C", "A"].map(|number| claim(number, 10)));
        assert_eq!(found, [vec!["A", "B", "C"], vec!["A"], vec!["A"]]);
    }

    #[test]
    fn numbers_that_all_come_twice_still_fill_their_requests() {
        let twice = (0..300).flat_map(|n| [claim(&n.to_string(), 10), claim(&n.to_string(), 10)]);
        let sizes: Vec<usize> = batches(twice).iter().map(Vec::len).collect();
        assert_eq!(sizes, [100; 6]);
    }

    #[test]
    fn claims_too_large_for_one_request_go_in_several() {
        let half = BODY_MAX / 2;
        let whole = BODY_MAX - claim::body([]).len();
        let found =
            batches([("A", half), ("B", half), ("C", 10), ("D", whole)].map(|(number, bytes)| claim(number, bytes)));
        assert_eq!(found, [vec!["A"], vec!["B", "C"], vec!["D"]]);
    }

    #[test]
    fn no_claim_overtakes_an_earlier_one_of_its_number() {
        let mut batcher = Batcher::default();
        let half = BODY_MAX / 2;
        for (number, bytes) in [("A", half), ("B", half), ("B", 10), ("C", 10)] {
            batcher.push(claim(number, bytes));
        }
        let sizes = |batch: Vec<Claim>| batch.iter().map(|claim| claim.item.len()).collect::<Vec<_>>();
        let sent: Vec<_> = std::iter::from_fn(|| batcher.rest().map(sizes)).collect();
        assert_eq!(sent, [vec![half, 10], vec![half], vec![10]]);
    }

    #[test]
    fn one_number_without_end_does_not_gather() {
        let mut batcher = Batcher::default();
        for _ in 0..1_000 {
            batcher.push(claim("A", 10));
            let _sent = batcher.full();
            assert!(batcher.len() <= 2 * ITEMS_MAX);
        }
    }

    #[test]
    fn the_length_of_a_body_is_known_before_it_is_written() {
        for items in [&["{}"][..], &["{}", "null", "[1]"]] {
            let bytes = items.iter().map(|item| item.len()).sum();
            let length = claim::body(items.iter().copied()).len();
            assert_eq!(claim::body_length(items.len(), bytes), length);
        }
    }
}
