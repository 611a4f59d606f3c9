//! The claims of one payer under one claim number, as its answers come in the order of payment.
//!
//! Each step costs the logarithm of the answers: a payer that got no numbers has all of its claims under the number zero. An
//! answer is compared with a bounded number of others.

mod replace;
mod reverse;

use crate::amount::Amount;
use crate::copies::Copies;
use crate::fate::{Adjudication, Fate, is_silent, set};
use crate::later::Later;
use crate::lines::Lines;
use crate::parts;
use crate::reasons::{Hold, Skip};
use crate::record::{ClaimKey, Entry, Record};
use crate::submission::Index;
use crate::transaction::{Time, Transaction};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// What a reversal names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// CLP07.
    Number(u64),
    /// The patient and the charge.
    Charge(u64, Amount),
}

/// What the answers are decided with.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) transactions: &'a [Transaction],
    pub(crate) lines: &'a Lines,
    pub(crate) index: &'a Index,
}

/// The claims of one payer under one number.
pub(crate) struct Claims<'a> {
    context: Context<'a>,
    /// The answers in the order of payment, with their places among all records.
    group: Vec<(usize, &'a Record)>,
    copies: Copies,
    /// The places in `group` of the answers that stand for a claim.
    active: BTreeMap<ClaimKey, BTreeSet<usize>>,
    /// The same places by what a reversal names.
    named: BTreeSet<(Named, ClaimKey, usize)>,
    /// The claim that last had an adjudication with this CLP07.
    payer_numbers: BTreeMap<u64, ClaimKey>,
    /// Why an answer that stands may not be the payer's last word.
    doubts: BTreeMap<usize, Hold>,
    /// The total charge of a claim, once it was needed.
    totals: BTreeMap<ClaimKey, Option<Amount>>,
}

#[cfg(test)]
std::thread_local! {
    /// How often the rules looked at an answer.
    pub(crate) static LOOKS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

impl<'a> Claims<'a> {
    pub(crate) fn new(group: Vec<(usize, &'a Record)>, context: Context<'a>) -> Self {
        Self {
            context,
            group,
            copies: Copies::default(),
            active: BTreeMap::new(),
            named: BTreeSet::new(),
            payer_numbers: BTreeMap::new(),
            doubts: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    /// Goes through all answers. What stands in the end.
    pub(crate) fn decide(mut self, fates: &mut [Fate]) -> Vec<Adjudication> {
        let order: Vec<(usize, usize, &Record)> =
            (0..).zip(&self.group).map(|(at, (place, record))| (at, *place, *record)).collect();
        for payment in order.chunk_by(|(_, _, one), (_, _, other)| one.transaction == other.transaction) {
            let transaction = payment.first().and_then(|(_, _, one)| self.transaction_of(one));
            if let Some(transaction) = transaction {
                self.copies.compare(payment, transaction, self.context.lines);
            }
            self.transaction(payment, fates);
        }
        self.standing(fates)
    }

    fn record(&self, at: usize) -> Option<&'a Record> {
        #[cfg(test)]
        LOOKS.set(LOOKS.get().saturating_add(1));
        self.group.get(at).map(|(_, record)| *record)
    }

    fn transaction_of(&self, record: &Record) -> Option<&'a Transaction> {
        self.context.transactions.get(record.transaction())
    }

    fn time(&self, record: &Record) -> Option<Time> {
        self.transaction_of(record).map(Transaction::time)
    }

    fn set(&self, at: usize, fate: Fate, fates: &mut [Fate]) {
        if let Some((place, _)) = self.group.get(at) {
            set(*place, fate, fates);
        }
    }

    /// Why nothing that the transaction of an answer says about its claim takes away another answer: a version of it says
    /// something else, or what follows is not known.
    fn uncertain(&self, at: usize) -> Option<Hold> {
        if self.copies.contested.contains(&at) {
            return Some(Hold::Contradiction);
        }
        let (place, record) = self.group.get(at)?;
        let place = u32::try_from(*place).unwrap_or(u32::MAX);
        let is_complete = self.transaction_of(record)?.is_complete(place, record.ordinal);
        (!is_complete).then_some(Hold::CutOff)
    }

    /// The answers of one transaction. Its reversals take away what earlier transactions said, before its other claims
    /// count: some payers state the new adjudication before the reversal. A reversal that finds nothing there means a claim
    /// before it in its own transaction.
    fn transaction(&mut self, payment: &[(usize, usize, &'a Record)], fates: &mut [Fate]) {
        let mut unmatched = BTreeSet::new();
        for (at, _, reversal) in payment.iter().filter(|(_, _, one)| one.entry == Entry::Reversal) {
            if self.copies.dropped.contains(at) {
                self.set(*at, Fate::Silent, fates);
            } else if !self.reverse(*at, reversal, false, fates) {
                unmatched.insert(*at);
            }
        }
        for (at, _, record) in payment {
            if record.entry != Entry::Reversal {
                self.next(*at, record, fates);
            } else if unmatched.contains(at) && self.uncertain(*at).is_none() {
                self.reverse(*at, record, true, fates);
            }
        }
    }

    /// An answer that is no reversal.
    fn next(&mut self, at: usize, record: &'a Record, fates: &mut [Fate]) {
        if is_silent(record) {
            return self.set(at, Fate::Silent, fates);
        }
        if self.copies.dropped.contains(&at) {
            return self.set(at, Fate::Lost(Skip::Repeated), fates);
        }
        let claim_key = record.claim_key();
        if record.payer_number != 0 {
            self.payer_numbers.insert(record.payer_number, claim_key);
        }
        match self.uncertain(at) {
            Some(hold) => drop(self.doubts.insert(at, hold)),
            None => self.replace(at, record, claim_key, fates),
        }
        self.active.entry(claim_key).or_default().insert(at);
        for named in names(record) {
            self.named.insert((named, claim_key, at));
        }
    }

    /// What stands in the end. A denial is doubtful if its parts are, if later answers stand and deny nothing, or if reversals
    /// found nothing.
    fn standing(mut self, fates: &[Fate]) -> Vec<Adjudication> {
        let contested = self.contested(fates);
        let active = core::mem::take(&mut self.active);
        let mut standing = Vec::new();
        for (claim_key, places) in active {
            let mut places: Vec<usize> = places.into_iter().collect();
            let mut parts: Vec<&Record> = places.iter().filter_map(|at| self.record(*at)).collect();
            let Some(last) = parts.last().copied() else {
                continue;
            };
            let mut doubt = places.iter().find_map(|at| self.doubts.get(at)).cloned();
            if doubt.is_none() && parts.len() > 1 {
                let total = self.total(claim_key, last, &places);
                doubt = parts::doubt(&parts, total, self.context.lines);
            }
            // The last denial is certain, whatever was paid before it.
            let denials = parts.iter().filter(|part| part.entry == Entry::Denial).count();
            if doubt == Some(Hold::PartsUnclear)
                && denials == 1
                && last.entry == Entry::Denial
                && parts.iter().all(|part| core::ptr::eq(*part, last) || self.time(part) != self.time(last))
            {
                places.drain(..places.len().saturating_sub(1));
                parts = [last].into();
                doubt = self.doubts.get(places.first().unwrap_or(&usize::MAX)).cloned();
            }
            let is_contested = contested.contains(&claim_key);
            let records = places.iter().filter_map(|at| self.group.get(*at));
            standing.push(Adjudication {
                records: records.map(|(place, _)| *place).collect(),
                doubt: doubt.or(is_contested.then_some(Hold::LaterAnswer)),
            });
        }
        standing
    }

    /// The claims of denials that a later answer with another name or day may be about.
    fn contested(&self, fates: &[Fate]) -> BTreeSet<ClaimKey> {
        let mut later = Later::default();
        let mut contested = BTreeSet::new();
        for (at, (place, record)) in self.group.iter().enumerate().rev() {
            match fates.get(*place) {
                Some(Fate::Unmatched) => later.add(record),
                Some(Fate::Stands) => {
                    let claim_key = record.claim_key();
                    if record.entry == Entry::Denial {
                        if later.contests(record) {
                            contested.insert(claim_key);
                        }
                        continue;
                    }
                    let parts = self.active.get(&claim_key);
                    let Some(parts) = parts.filter(|parts| parts.last() == Some(&at)) else {
                        continue;
                    };
                    let mut parts = parts.iter().filter_map(|part| self.record(*part));
                    if parts.all(|part| part.entry != Entry::Denial) {
                        later.add(record);
                    }
                }
                _ => {}
            }
        }
        contested
    }
}

/// What a reversal of an answer may name.
fn names(record: &Record) -> impl Iterator<Item = Named> + use<> {
    let number = (record.payer_number != 0).then_some(Named::Number(record.payer_number));
    let charge = Named::Charge(record.patient, record.charge);
    number.into_iter().chain([charge])
}
