//! What differs between the versions of a transaction: copies say the same about a claim, and one of them counts. Where they
//! contradict each other, nothing says which is right.

use crate::lines::Lines;
use crate::record::{ClaimKey, Record};
use crate::transaction::{Transaction, Version};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// An answer: its place among those of a payer and number, its place among all records, and the record.
type Answer<'a> = (usize, usize, &'a Record);

/// The answers of one payer and number that are copies, and those that contradict each other.
#[derive(Default)]
pub(crate) struct Copies {
    pub(crate) dropped: BTreeSet<usize>,
    pub(crate) contested: BTreeSet<usize>,
}

impl Copies {
    /// Compares the answers of one transaction, which are in the order of their places in it.
    pub(crate) fn compare(&mut self, answers: &[Answer<'_>], transaction: &Transaction, lines: &Lines) {
        if transaction.versions.len() < 2 || answers.len() < 2 {
            return;
        }
        let mut claims: BTreeMap<ClaimKey, Vec<Answer<'_>>> = BTreeMap::new();
        for answer in answers {
            let of_claim = claims.entry(answer.2.claim_key()).or_default();
            of_claim.push(*answer);
        }
        let forks = transaction.forks();
        for answers in claims.into_values().filter(|answers| answers.len() > 1) {
            let found = Told::new(&answers, transaction).one(&forks, lines);
            let places = answers.iter().map(|(at, _, _)| *at);
            match found {
                Some(kept) => self.dropped.extend(places.filter(|at| kept.iter().all(|(kept, _, _)| kept != at))),
                None => self.contested.extend(places),
            }
        }
    }
}

/// What each version of a transaction says about a claim.
struct Told<'a> {
    transaction: &'a Transaction,
    /// The answers that a version shares with no earlier one.
    own: BTreeMap<usize, Vec<Answer<'a>>>,
}

impl<'a> Told<'a> {
    fn new(answers: &[Answer<'a>], transaction: &'a Transaction) -> Self {
        let mut own: BTreeMap<usize, Vec<Answer<'a>>> = BTreeMap::new();
        for answer in answers {
            let place = u32::try_from(answer.1).unwrap_or(u32::MAX);
            let version = own.entry(transaction.version_of(place)).or_default();
            version.push(*answer);
        }
        Self { transaction, own }
    }

    fn version(&self, at: usize) -> Option<&'a Version> {
        self.transaction.versions.get(at)
    }

    /// The answers of the version that says most, if all others say the same as far as they go. A version without its SE may
    /// end before.
    fn one(&self, forks: &[(usize, u32, usize)], lines: &Lines) -> Option<Vec<Answer<'a>>> {
        let all: Vec<_> =
            self.own.keys().filter_map(|at| Some((self.all(*at), self.version(*at)?.is_complete))).collect();
        let (longest, _) = all.iter().max_by_key(|(told, whole)| (told.len(), *whole))?;
        let agree = all.iter().all(|(told, whole)| {
            let mut pairs = longest.iter().zip(told);
            (!whole || told.len() == longest.len())
                && pairs.all(|((_, _, one), (_, _, other))| one.says_as(other, lines))
        });
        let leaves = |at: &usize| self.is_left(*at, forks);
        (agree && !self.own.keys().any(leaves)).then(|| longest.clone())
    }

    /// Everything that a version says, with what it shares.
    fn all(&self, at: usize) -> Vec<Answer<'a>> {
        let mut told = self.own.get(&at).cloned().unwrap_or_default();
        let mut at = at;
        while let Some(version) = self.version(at).filter(|one| one.parent != at) {
            let of_parent = self.own.get(&version.parent).into_iter().flatten();
            let shared = of_parent.filter(|(_, _, one)| one.ordinal <= version.shared);
            told.splice(0..0, shared.copied());
            at = version.parent;
        }
        told
    }

    /// True if a complete version leaves this one between two of its answers and says nothing more about the claim.
    fn is_left(&self, at: usize, forks: &[(usize, u32, usize)]) -> bool {
        let told = self.all(at);
        let ordinal = |answer: Option<&Answer<'_>>| answer.map_or(0, |(_, _, one)| one.ordinal);
        let (first, last) = (ordinal(told.first()), ordinal(told.last()));
        let from = forks.partition_point(|fork| *fork < (at, first, 0));
        let between = forks.iter().skip(from);
        let mut between = between.take_while(|fork| **fork < (at, last, 0));
        between.any(|(_, _, version)| !self.own.contains_key(version))
    }
}
