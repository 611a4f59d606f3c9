//! The claims of one payer under one claim number, as its answers come in the order of payment.
//!
//! Each step costs the logarithm of the answers: a payer that got no numbers has all of its claims under the number zero.

use crate::amount::Amount;
use crate::day::Day;
use crate::history::{Adjudication, Fate, is_silent, set};
use crate::later::Later;
use crate::record::{Entry, Record};
use crate::report::{Hold, Skip};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// A claim within one payer and one claim number: patient, day of service and, if the payer got no number, the charge.
pub(crate) type Identity = (u64, Option<Day>, Amount);

/// What a reversal names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// CLP07.
    Number(u64),
    /// The patient and the charge.
    Charge(u64, Amount),
}

/// The claims of one payer under one number.
#[derive(Default)]
pub(crate) struct Claims<'a> {
    /// The answers in the order of payment, with their places among all records.
    pub(crate) group: Vec<(usize, &'a Record)>,
    /// The places in `group` of each claim's adjudication. All are of one transaction.
    active: BTreeMap<Identity, BTreeSet<usize>>,
    /// The same places by what a reversal names.
    named: BTreeSet<(Named, Identity, usize)>,
    /// The claim that last had an adjudication with this CLP07.
    payer_numbers: BTreeMap<u64, Identity>,
    /// The claims of which one transaction has two answers that are no split.
    answered_twice: BTreeSet<Identity>,
}

#[cfg(test)]
std::thread_local! {
    /// How often the rules looked at an answer.
    pub(crate) static LOOKS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// How an answer stands to those that stand for its claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// It replaces them.
    Later,
    /// All are parts of one split claim: each has a CLP07 of its own.
    Split,
    /// All are of one transaction and nothing tells parts from repetitions.
    Unclear,
}

impl<'a> Claims<'a> {
    pub(crate) fn record(&self, at: usize) -> Option<&'a Record> {
        #[cfg(test)]
        LOOKS.set(LOOKS.get().saturating_add(1));
        self.group.get(at).map(|(_, record)| *record)
    }

    fn set(&self, at: usize, fate: Fate, fates: &mut [Fate]) {
        if let Some((place, _)) = self.group.get(at) {
            set(*place, fate, fates);
        }
    }

    /// The answers of one transaction. Its reversals take away what earlier transactions said, before its other claims
    /// count: some payers state the new adjudication before the reversal. A reversal that finds nothing there means a claim
    /// before it in its own transaction.
    pub(crate) fn transaction(&mut self, payment: &[usize], fates: &mut [Fate]) {
        let mut unmatched = BTreeSet::new();
        let mut copies = BTreeSet::new();
        for at in payment {
            let reversal = self.record(*at).filter(|one| one.entry == Entry::Reversal);
            let Some(reversal) = reversal else {
                continue;
            };
            // The same reversal at one place is of two copies, one of which was edited. It must take away one answer only.
            let meant = (identity(reversal), reversal.charge, reversal.payer_number);
            if !copies.insert((reversal.ordinal, meant)) {
                self.set(*at, Fate::Silent, fates);
            } else if !self.reverse(*at, reversal, false, fates) {
                unmatched.insert(*at);
            }
        }
        for at in payment {
            match self.record(*at) {
                Some(record) if record.entry != Entry::Reversal => self.next(*at, record, fates),
                Some(reversal) if unmatched.contains(at) => {
                    self.reverse(*at, reversal, true, fates);
                }
                _ => {}
            }
        }
    }

    /// An answer that is no reversal.
    fn next(&mut self, at: usize, record: &Record, fates: &mut [Fate]) {
        if is_silent(record) {
            self.set(at, Fate::Silent, fates);
            return;
        }
        let identity = identity(record);
        if record.payer_number != 0 {
            self.payer_numbers.insert(record.payer_number, identity);
        }
        self.replace_copy(identity, record, fates);
        match self.relation(identity, record) {
            Relation::Later => {
                self.answered_twice.remove(&identity);
                for lost in self.active.remove(&identity).into_iter().flatten() {
                    self.forget(lost, identity);
                    self.set(lost, Fate::Lost(Skip::Replaced), fates);
                }
            }
            Relation::Unclear => {
                self.answered_twice.insert(identity);
            }
            Relation::Split => {}
        }
        self.active.entry(identity).or_default().insert(at);
        for named in names(record) {
            self.named.insert((named, identity, at));
        }
    }

    /// Two answers at one place of a transaction are of two copies of it, one of which was edited. One of them counts. The
    /// answers come in the order of their places, so only the last one can be the other copy.
    fn replace_copy(&mut self, identity: Identity, record: &Record, fates: &mut [Fate]) {
        let Some(last) = self.last(identity) else {
            return;
        };
        let place = |record: &Record| (record.transaction, record.ordinal);
        if self.record(last).map(place) != Some(place(record)) {
            return;
        }
        self.forget(last, identity);
        self.set(last, Fate::Lost(Skip::Replaced), fates);
        if let Some(parts) = self.active.get_mut(&identity) {
            parts.remove(&last);
        }
    }

    /// The last answer that stands for a claim.
    fn last(&self, identity: Identity) -> Option<usize> {
        self.active.get(&identity)?.last().copied()
    }

    fn relation(&self, identity: Identity, record: &Record) -> Relation {
        let last = self.last(identity).and_then(|last| self.record(last));
        let Some(last) = last.filter(|last| last.transaction == record.transaction) else {
            return Relation::Later;
        };
        let is_known = self.part(Named::Number(record.payer_number), Some(identity));
        if last.payer_number != 0 && record.payer_number != 0 && is_known.is_none() {
            Relation::Split
        } else {
            Relation::Unclear
        }
    }

    /// Takes away the adjudication that a reversal means, of its own transaction or of earlier ones. True if there is one.
    fn reverse(&mut self, at: usize, reversal: &Record, own: bool, fates: &mut [Fate]) -> bool {
        let by_number = self.payer_numbers.get(&reversal.payer_number).copied();
        let by_number = by_number.filter(|_| reversal.payer_number != 0);
        // Where its adjudication is known and gone, another one of the same charge is not meant.
        let named = match by_number {
            Some(_) => Named::Number(reversal.payer_number),
            None => Named::Charge(reversal.patient, reversal.charge.negated()),
        };
        let found = self.part(named, by_number).filter(|(_, lost)| {
            let lost = self.record(*lost);
            // A correction may stand before the reversal that it belongs to, in one transaction. It has a number of its own.
            let is_correction = |lost: &Record| {
                own && by_number.is_none() && lost.payer_number != 0 && reversal.payer_number != 0
            };
            lost.is_some_and(|lost| {
                (lost.transaction == reversal.transaction) == own && !is_correction(lost)
            })
        });
        let Some((identity, lost)) = found else {
            self.set(at, Fate::Unmatched, fates);
            return false;
        };
        self.forget(lost, identity);
        if let Some(parts) = self.active.get_mut(&identity) {
            parts.remove(&lost);
            // What one reversal leaves of two answers is as unclear as before.
            if parts.is_empty() {
                self.active.remove(&identity);
                self.answered_twice.remove(&identity);
            }
        }
        self.set(lost, Fate::Lost(Skip::Reversed), fates);
        self.set(at, Fate::Reversal, fates);
        true
    }

    /// The first part of this name that stands, of a claim or of any.
    fn part(&self, named: Named, claim: Option<Identity>) -> Option<(Identity, usize)> {
        let first = claim.unwrap_or((0, None, Amount(i64::MIN)));
        let (found, identity, at) = *self.named.range((named, first, 0)..).next()?;
        let fits = found == named && claim.is_none_or(|claim| claim == identity);
        fits.then_some((identity, at))
    }

    fn forget(&mut self, at: usize, identity: Identity) {
        for named in self.record(at).into_iter().flat_map(names) {
            self.named.remove(&(named, identity, at));
        }
    }

    /// What stands in the end. A denial is doubtful if its transaction answers twice, if later answers stand and deny nothing,
    /// or if reversals found nothing.
    pub(crate) fn standing(self, fates: &[Fate]) -> Vec<Adjudication> {
        let mut later = Later::default();
        let mut contested = BTreeSet::new();
        for (at, (place, record)) in self.group.iter().enumerate().rev() {
            match fates.get(*place) {
                Some(Fate::Unmatched) => later.add(record),
                Some(Fate::Stands) => {
                    let identity = identity(record);
                    let parts = self.active.get(&identity);
                    let Some(parts) = parts.filter(|parts| parts.last() == Some(&at)) else {
                        continue;
                    };
                    let mut parts = parts.iter().filter_map(|part| self.record(*part));
                    if !parts.any(|part| part.entry == Entry::Denial) {
                        later.add(record);
                    } else if later.contests(record) {
                        contested.insert(identity);
                    }
                }
                _ => {}
            }
        }
        let standing = self.active.into_iter().map(|(identity, parts)| {
            let records = parts.iter().filter_map(|at| self.group.get(*at));
            Adjudication {
                records: records.map(|(place, _)| *place).collect(),
                doubt: if self.answered_twice.contains(&identity) {
                    Some(Hold::AnsweredTwice)
                } else {
                    contested.contains(&identity).then_some(Hold::LaterAnswer)
                },
            }
        });
        standing.collect()
    }
}

/// What a reversal of an answer may name.
fn names(record: &Record) -> impl Iterator<Item = Named> + use<> {
    let number = (record.payer_number != 0).then_some(Named::Number(record.payer_number));
    let charge = Named::Charge(record.patient, record.charge);
    number.into_iter().chain([charge])
}

fn identity(record: &Record) -> Identity {
    let charge = if record.is_unnumbered() {
        record.charge
    } else {
        Amount::ZERO
    };
    (record.patient, record.day, charge)
}
