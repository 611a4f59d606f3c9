//! What a later answer takes away.

use super::{Claims, names};
use crate::amount::Amount;
use crate::fate::Fate;
use crate::join;
use crate::parts::{self, PARTS_MAX, Relation};
use crate::reasons::{Hold, Skip};
use crate::record::{ClaimKey, Entry, Record};
use alloc::vec::Vec;

/// What an answer does to one before it.
enum Between {
    Nothing,
    Replaced,
    /// Both are doubtful.
    Doubt(Hold),
}

impl<'a> Claims<'a> {
    /// Takes away what an answer replaces.
    pub(super) fn replace(&mut self, at: usize, record: &'a Record, claim_key: ClaimKey, fates: &mut [Fate]) {
        let Some(standing) = self.active.get(&claim_key).filter(|parts| !parts.is_empty()) else {
            return;
        };
        let last = standing.last().copied();
        if standing.len() >= PARTS_MAX {
            return self.replace_crowd(at, record, claim_key, last, fates);
        }
        let earlier: Vec<usize> = standing.iter().copied().collect();
        let total = self.total(claim_key, record, &earlier);
        for before in earlier {
            let Some(other) = self.record(before) else {
                continue;
            };
            // What is uncertain already has a doubt, which an answer of the same time cannot take away.
            if self.time(other) == self.time(record) && self.uncertain(before).is_some() {
                continue;
            }
            match self.between(other, record, total) {
                Between::Nothing => {}
                Between::Replaced => self.remove_all(&[before], claim_key, Skip::Replaced, fates),
                Between::Doubt(hold) => {
                    self.doubts.entry(before).or_insert_with(|| hold.clone());
                    self.doubts.entry(at).or_insert(hold);
                }
            }
        }
    }

    /// How an answer stands to one that came before it, or with it.
    fn between(&self, other: &Record, record: &Record, total: Option<Amount>) -> Between {
        if other.transaction == record.transaction {
            let numbers = [other.payer_number, record.payer_number];
            let are_split = !numbers.contains(&0) && other.payer_number != record.payer_number;
            return if are_split { Between::Nothing } else { Between::Doubt(Hold::AnsweredTwice) };
        }
        let lines = self.context.lines;
        let relation = parts::relation(other, record, total, lines);
        if self.time(other) == self.time(record) {
            // Either may be the later one.
            let turned = parts::relation(record, other, total, lines);
            return match (relation, turned) {
                (Relation::Other, Relation::Other) => Between::Nothing,
                _ if other.says_as(record, lines) => Between::Replaced,
                _ => Between::Doubt(Hold::Contradiction),
            };
        }
        let [denied, denies] = [other, record].map(|one| one.entry == Entry::Denial);
        let are_parts = other.is_part || record.is_part;
        match relation {
            Relation::Same => Between::Replaced,
            // Where nothing is denied, the later answer is taken as the last word, unless the payer speaks of parts.
            Relation::Other if !denied && !denies && !are_parts => Between::Replaced,
            Relation::Unclear if denied => Between::Doubt(Hold::PartsUnclear),
            Relation::Other | Relation::Unclear => Between::Nothing,
        }
    }

    /// An answer after more than are compared. Only one to the whole claim replaces them.
    fn replace_crowd(
        &mut self,
        at: usize,
        record: &'a Record,
        claim_key: ClaimKey,
        last: Option<usize>,
        fates: &mut [Fate],
    ) {
        let is_whole = self.total(claim_key, record, &[]) == Some(record.charge) && !record.is_part;
        let last = last.and_then(|last| self.record(last));
        if is_whole && last.and_then(|last| self.time(last)) != self.time(record) {
            let all = self.active.get(&claim_key).into_iter().flatten();
            let all: Vec<usize> = all.copied().collect();
            self.remove_all(&all, claim_key, Skip::Replaced, fates);
        } else {
            self.doubts.insert(at, Hold::PartsUnclear);
        }
    }

    pub(super) fn remove_all(&mut self, places: &[usize], claim_key: ClaimKey, why: Skip, fates: &mut [Fate]) {
        for at in places {
            for named in self.record(*at).into_iter().flat_map(names) {
                self.named.remove(&(named, claim_key, *at));
            }
            self.doubts.remove(at);
            self.set(*at, Fate::Lost(why), fates);
            if let Some(parts) = self.active.get_mut(&claim_key) {
                parts.remove(at);
            }
        }
    }

    /// The total charge of a claim, as far as one of these answers denies something: nothing else needs it.
    pub(super) fn total(&mut self, claim_key: ClaimKey, record: &'a Record, others: &[usize]) -> Option<Amount> {
        if let Some(total) = self.totals.get(&claim_key) {
            return *total;
        }
        let others = others.iter().filter_map(|at| self.record(*at));
        let denied = others.chain([record]).find_map(|one| Some((one, one.denial()?)))?;
        let total = join::join(denied.0, denied.1, self.context.index).total();
        self.totals.insert(claim_key, total);
        total
    }
}
