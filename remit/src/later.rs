//! Later answers of a payer that may be about a claim whose denial stands, because they leave out the name or the day, or
//! spell the name in another way. Nothing says that they are, so the denial is held.

use crate::amount::Amount;
use crate::day::Day;
use crate::record::{Entry, Record};
use alloc::collections::BTreeMap;

/// What separates claims beside the day of service: nothing but the number, or the charge and the patient without one.
type Scope = (Amount, u64);

/// The patients of the answers of a day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patients {
    One(u64),
    Several,
}

/// The answers after a point in the order of payment.
#[derive(Default)]
pub(crate) struct Later {
    days: BTreeMap<(Scope, Option<Day>), Patients>,
    /// True if an answer under the number has a day of service.
    has_day: bool,
}

impl Later {
    /// Adds an answer that stands and denies nothing, or a reversal that found nothing.
    pub(crate) fn add(&mut self, record: &Record) {
        self.has_day |= record.day.is_some();
        let one = Patients::One(record.patient);
        let patients = self.days.entry((scope(record), record.day)).or_insert(one);
        if *patients != one {
            *patients = Patients::Several;
        }
    }

    /// True if one of them may be about the claim of a denial. Two days that differ are two visits.
    pub(crate) fn contests(&self, denial: &Record) -> bool {
        if denial.is_unnumbered() {
            return self.contests_unnumbered(denial);
        }
        let of = |day: Option<Day>| self.days.get(&(scope(denial), day));
        let other = of(denial.day).is_some_and(|found| *found != Patients::One(denial.patient));
        let without = match denial.day {
            Some(_) => of(None).is_some(),
            None => self.has_day,
        };
        other || without
    }

    /// Without a number, another name is another claim. A denial without a name or a day fits no claim and is held anyway.
    fn contests_unnumbered(&self, denial: &Record) -> bool {
        let (charge, patient) = scope(denial);
        if patient == 0 || denial.day.is_none() {
            return false;
        }
        let vague = [(patient, None), (0, denial.day), (0, None)];
        vague.into_iter().any(|(patient, day)| self.days.contains_key(&((charge, patient), day)))
    }
}

fn scope(record: &Record) -> Scope {
    match record.entry {
        _ if !record.is_unnumbered() => (Amount::ZERO, 0),
        Entry::Reversal => (record.charge.negated(), record.patient),
        _ => (record.charge, record.patient),
    }
}
