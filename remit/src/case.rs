//! One denial that stands: joined with its claim, then written or held.

use crate::amount::Amount;
use crate::births::{self, MissingBirth};
use crate::claim::{self, Parts};
use crate::day::Day;
use crate::fate::Adjudication;
use crate::join::{self, Joined};
use crate::options::Options;
use crate::outcome::{HeldClaim, Outcome, WrittenClaim};
use crate::reasons::{Hold, Skip};
use crate::record::{Denial, Record};
use crate::submission::{BirthDate, Index, SubmittedClaim};
use crate::transaction::Transaction;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use overturn_core::base::date::Date;

/// A denial that stands.
pub(crate) struct Case<'a> {
    pub(crate) joined: Joined<'a>,
    /// The claim number of the written claim.
    pub(crate) number: String,
    /// The patient, by the names of the claim file if there is one.
    pub(crate) patient: u64,
    pub(crate) day: Option<Day>,
    pub(crate) amount: Amount,
    pub(crate) rank: u8,
    /// That of the first part that was denied.
    pub(crate) transaction: usize,
    /// The parts in the order of payment.
    pub(crate) records: Vec<usize>,
    /// The first part that was denied.
    pub(crate) first: usize,
    /// Why it may not be the payer's last word.
    pub(crate) doubt: Option<Hold>,
    pub(crate) end: End,
}

/// What becomes of a denial.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum End {
    Open,
    Skip(Skip),
    Hold(Hold),
    Written,
}

/// The case of an adjudication that denies something.
pub(crate) fn case<'a>(
    adjudication: &Adjudication,
    records: &[Record],
    index: &'a Index,
    options: &Options,
) -> Option<Case<'a>> {
    let parts = adjudication.records.iter().filter_map(|at| Some((*at, records.get(*at)?)));
    let parts: Vec<(usize, &Record)> = parts.collect();
    let (first, record, denial) = parts.iter().find_map(|(at, record)| Some((*at, *record, record.denial()?)))?;
    let mut joined = join::join(record, denial, index);
    joined.borrow_birth(record, denial, index);
    if !matches!(joined.birth, BirthDate::Known(_)) {
        let key = birth_key(&joined, denial);
        if let Some(day) = options.births.of(&key) {
            joined.birth = BirthDate::Known(day);
        }
    }
    let day = record.day.or(joined.claim.and_then(|claim| claim.day));
    let number = match day.filter(|_| options.append_day) {
        Some(day) => format!("{}-{}", joined.number, day.digits()),
        None => joined.number.clone(),
    };
    Some(Case {
        number,
        patient: joined.claim.map_or(record.patient, SubmittedClaim::patient_key),
        day,
        amount: parts.iter().map(|(_, record)| record.denied()).collect(),
        rank: record.rank,
        transaction: record.transaction(),
        records: adjudication.records.clone(),
        first,
        doubt: adjudication.doubt.clone(),
        end: joined.hold.clone().map_or(End::Open, End::Hold),
        joined,
    })
}

fn birth_key(joined: &Joined<'_>, denial: &Denial) -> String {
    let [last, first] = claim::names(joined, denial);
    births::key(last, first, claim::member_id(joined, denial), &joined.number)
}

/// Writes a claim, or finds out why it is held.
pub(crate) fn write(
    case: &mut Case<'_>,
    records: &[Record],
    transactions: &[Transaction],
    options: &Options,
    outcome: &mut Outcome,
    sink: &mut dyn FnMut(WrittenClaim),
) {
    if matches!(case.end, End::Skip(_)) {
        return;
    }
    let parts: Vec<&Record> = case.records.iter().filter_map(|at| records.get(*at)).collect();
    let denials: Vec<&Denial> = parts.iter().filter_map(|record| record.denial()).collect();
    let (Some(first), Some(transaction)) = (denials.first(), transactions.get(case.transaction)) else {
        return;
    };
    let flaw = denials.iter().find_map(|denial| denial.flaw.clone());
    let billed: Amount = parts.iter().map(|record| record.charge).collect();
    let most = case.joined.most(parts.len());
    let hold = match &case.end {
        _ if flaw.is_some() => flaw,
        End::Hold(hold) => Some(hold.clone()),
        _ if most.is_some_and(|most| billed.max(case.amount) > most) => Some(Hold::AboveCharge),
        _ if first.payer_number.is_empty() => Some(Hold::NoPayerClaimNumber),
        _ => match case.joined.birth {
            BirthDate::Known(_) => None,
            BirthDate::Disagree => Some(Hold::DatesOfBirthDisagree),
            BirthDate::Unknown => Some(Hold::NoDateOfBirth),
        },
    };
    if matches!(hold, Some(Hold::NoDateOfBirth | Hold::DatesOfBirthDisagree)) {
        outcome.missing_births.push(missing_birth(case, first));
    }
    let parts = Parts {
        number: &case.number,
        joined: &case.joined,
        transaction,
        records: &parts,
        denials: &denials,
        day: case.day,
        plans: &options.plans,
        today: Date::of(options.now).into(),
    };
    let written = match hold {
        Some(hold) => Err(hold),
        None => parts.write(options.now).map_err(|problems| Hold::Invalid { problems }),
    };
    if written.is_ok() && parts.plan().is_none() {
        let payers = &mut outcome.missing_plans;
        payers.add(transaction.payer_key, &transaction.payer);
    }
    let (claim_number, denied) = (case.number.clone(), case.amount);
    match written {
        Ok(json) => {
            case.end = End::Written;
            sink(WrittenClaim { claim_number, denied, json });
        }
        Err(hold) => {
            case.end = End::Hold(hold.clone());
            outcome.held.push(HeldClaim { claim_number, denied, hold });
        }
    }
}

fn missing_birth(case: &Case<'_>, denial: &Denial) -> MissingBirth {
    let [last_name, first_name] = claim::names(&case.joined, denial).map(ToString::to_string);
    MissingBirth {
        key: birth_key(&case.joined, denial),
        last_name,
        first_name,
        member_id: claim::member_id(&case.joined, denial).map(ToString::to_string),
        claim_number: case.joined.number.clone(),
    }
}
