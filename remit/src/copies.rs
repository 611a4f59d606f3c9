//! What differs between the versions of a transaction: copies say the same about a claim, and one of them counts. Where they
//! contradict each other, nothing says which is right.

use crate::lines::Lines;
use crate::record::{ClaimKey, Record};
use crate::transaction::{CompleteVersions, Transaction, Version};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cmp::Reverse;

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
        let complete = transaction.complete_versions();
        for answers in claims.into_values().filter(|answers| answers.len() > 1) {
            let found = Told::new(&answers, transaction).one(&complete, lines);
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
            let version = own.entry(version_of(answer, transaction)).or_default();
            version.push(*answer);
        }
        Self { transaction, own }
    }

    fn version(&self, at: usize) -> Option<&'a Version> {
        self.transaction.versions.get(at)
    }

    /// The answers of the version that says most, if all others say the same as far as they go. Only a version without its SE
    /// may end before. What a version does not speak of, it leaves open.
    fn one(&self, complete: &CompleteVersions<'_>, lines: &Lines) -> Option<Vec<Answer<'a>>> {
        let all: Vec<(usize, Vec<Answer<'a>>)> = self.own.keys().map(|at| (*at, self.all(*at))).collect();
        let with = |answer: &Answer<'_>| complete.with(version_of(answer, self.transaction), answer.2.ordinal);
        // Versions may say the same in other places. Which place counts does not depend on the order of the files.
        let (_, longest) = all.iter().max_by_key(|(_, told)| {
            let places: Vec<usize> = told.iter().map(|(at, _, _)| *at).collect();
            (told.len(), told.last().is_some_and(|last| with(last) > 0), Reverse(places))
        })?;
        let (mut begin, mut end) = (0_usize, 0_usize);
        for (at, told) in &all {
            let mut pairs = longest.iter().zip(told);
            if !pairs.all(|((_, _, one), (_, _, other))| one.says_as(other, lines)) {
                return None;
            }
            let own = self.own.get(at).map_or(0, Vec::len);
            let shared = told.len().saturating_sub(own);
            let first = told.first().filter(|_| shared == 0).map_or(0, with);
            let last = told.last().filter(|_| told.len() == longest.len()).map_or(0, with);
            (begin, end) = (begin.saturating_add(first), end.saturating_add(last));
        }
        // As many complete versions say all of it as say its first answer.
        (begin == end).then(|| longest.clone())
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
}

fn version_of(answer: &Answer<'_>, transaction: &Transaction) -> usize {
    transaction.version_of(u32::try_from(answer.1).unwrap_or(u32::MAX))
}
