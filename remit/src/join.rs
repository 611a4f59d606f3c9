//! Joins a denial with the claim that the practice sent.

use crate::amount::Amount;
use crate::day::Day;
use crate::reasons::Hold;
use crate::record::{Denial, Record};
use crate::submission::{BirthDate, Index, Query, SubmittedClaim, match_quality};
use alloc::string::String;
use alloc::vec::Vec;

/// A denial with its claim.
pub(crate) struct Joined<'a> {
    /// The practice's claim number.
    pub(crate) number: String,
    pub(crate) claim: Option<&'a SubmittedClaim>,
    pub(crate) birth: BirthDate,
    /// The least and the most that the claim files give as the total charge (CLM02).
    pub(crate) charges: Option<(Amount, Amount)>,
    /// The same of all visits that have the number.
    pub(crate) charges_of_all: Option<(Amount, Amount)>,
    /// Why the claim number is not known.
    pub(crate) hold: Option<Hold>,
}

/// Finds the claim of a denial: by its number, else by the number before the payer cut it, else by member id, names, day and
/// charge.
pub(crate) fn join<'a>(record: &Record, denial: &Denial, index: &'a Index) -> Joined<'a> {
    let query = Query {
        number: &record.number,
        last_name: &denial.last_name,
        first_name: &denial.first_name,
        member_id: denial.member_id.as_deref(),
        day: record.day,
        charge: record.charge,
    };
    let unnumbered = record.is_unnumbered();
    let candidates = if unnumbered { index.visits(query) } else { index.candidates(query) };
    // The candidates are in the order of their age, and the last of the best is taken.
    let best = candidates.iter().max_by_key(|claim| match_quality(claim, query)).copied();
    let unknown = |hold| Joined {
        number: (&*record.number).into(),
        claim: None,
        birth: BirthDate::Unknown,
        charges: None,
        charges_of_all: None,
        hold,
    };
    let Some(best) = best else {
        return unknown(unnumbered.then_some(Hold::NoClaimNumber));
    };
    let several = candidates
        .iter()
        .any(|claim| claim.number() != best.number() && match_quality(claim, query) == match_quality(best, query));
    if several {
        return unknown(Some(if unnumbered { Hold::NoClaimNumber } else { Hold::SeveralClaimNumbers }));
    }
    let same = candidates.iter().filter(|claim| claim.number() == best.number());
    // Another visit may have the number.
    let of_day = same.clone().filter(|claim| {
        let days = [claim.day, record.day];
        days.contains(&None) || claim.day == record.day
    });
    let (charges, charges_of_all) = (charges(of_day), charges(same.clone()));
    let mut days: Vec<Day> = same.filter_map(|claim| claim.date_of_birth).collect();
    days.sort_unstable();
    days.dedup();
    Joined {
        number: best.number().into(),
        claim: Some(best),
        birth: match &*days {
            [] => BirthDate::Unknown,
            [day] => BirthDate::Known(*day),
            _ => BirthDate::Disagree,
        },
        charges,
        charges_of_all,
        hold: None,
    }
}

/// The least and the most of the charges of claims. A charge that was not read is zero.
fn charges<'a>(claims: impl Iterator<Item = &'a &'a SubmittedClaim>) -> Option<(Amount, Amount)> {
    let charges = claims.map(|claim| claim.charge);
    charges.filter(|charge| charge.is_positive()).fold(None, |range, charge| {
        let (least, most) = range.unwrap_or((charge, charge));
        Some((charge.min(least), charge.max(most)))
    })
}

impl Joined<'_> {
    /// The most that the amounts of a claim of this many parts may be.
    pub(crate) fn most(&self, parts: usize) -> Option<Amount> {
        let of_all = self.charges_of_all.filter(|_| parts > 1);
        self.charges.or(of_all).map(|(_, most)| most)
    }

    /// The total charge of the claim, if all claim files give the same.
    pub(crate) fn total(&self) -> Option<Amount> {
        let (least, most) = self.charges?;
        (least == most).then_some(most)
    }

    /// Borrows the date of birth of another claim of the same member id and names.
    pub(crate) fn borrow_birth(&mut self, record: &Record, denial: &Denial, index: &Index) {
        if self.birth != BirthDate::Unknown {
            return;
        }
        let submitted = self.claim.and_then(|claim| claim.member_id());
        let patient = self.claim.map_or(record.patient, SubmittedClaim::patient_key);
        if let Some(member_id) = submitted.or(denial.member_id.as_deref()).filter(|_| patient != 0) {
            self.birth = index.shared_birth(member_id, patient);
        }
    }
}
