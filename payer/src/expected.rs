//! The denials that a reader of the remittances must find.

use crate::answer::{Answer, Kind};
use crate::appeal::{decide, filing_days};
use crate::claim::Claim;
use crate::habits::Habits;
use crate::remittance::{Remittance, remittances};
use crate::script::Script;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use overturn_remit::Amount;
use serde::Serialize;

/// A denial that stands after all remittances.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
pub struct Expected {
    /// The practice's number, as it is in the claim file.
    pub claim_number: String,
    /// CLP01: the same number, unless the payer cuts it.
    pub reported_number: String,
    /// CLP07 of the answer that denies.
    pub payer_claim_number: String,
    pub denied_amount: Amount,
    /// Reasons with their group, such as `CO-50`, and then remarks. Each once.
    pub denial_codes: Vec<String>,
    /// The day of the remittance that denies (DTM*405).
    pub denial_date: Date,
}

/// The remittances of claims whose appeals are all filed, and what they deny in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<'a> {
    pub remittances: Vec<Remittance<'a>>,
    /// By claim number.
    pub expected: Vec<Expected>,
}

/// Plays all claims, each by the script in its place.
#[must_use]
pub fn play<'a>(claims: &'a [Claim], scripts: &'a [Script], habits: &Habits) -> Played<'a> {
    let (mut answers, mut denials) = (Vec::new(), Vec::new());
    for (claim, script) in claims.iter().zip(scripts) {
        let decided = decide(claim, script, &filing_days(claim, script));
        denials.extend(expected(&decided, habits));
        answers.extend(decided);
    }
    denials.sort();
    Played { remittances: remittances(answers), expected: denials }
}

/// What the last answer to a claim denies, if it denies anything.
#[must_use]
pub fn expected(answers: &[Answer<'_>], habits: &Habits) -> Option<Expected> {
    let last = answers.last().filter(|last| last.sum(Kind::Denied) > 0)?;
    let denied = || last.adjustments().filter(|one| one.kind == Kind::Denied);
    let reasons = denied().map(|one| format!("{}-{}", one.group, one.carc));
    let mut denial_codes = Vec::new();
    for code in reasons.chain(denied().filter_map(|one| one.remark.map(Into::into))) {
        if !denial_codes.contains(&code) {
            denial_codes.push(code);
        }
    }
    Some(Expected {
        claim_number: last.claim.number.clone(),
        reported_number: habits.cut(&last.claim.number).into(),
        payer_claim_number: last.payer_number(),
        denied_amount: Amount(last.sum(Kind::Denied)),
        denial_codes,
        denial_date: last.day,
    })
}
