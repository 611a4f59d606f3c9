//! Says step by step why a claim came out as it did. No step names the patient.

use crate::carc::CarcClasses;
use crate::decide::{Decision, Used, Verdict, class_of, skip_of};
use crate::join::Joined;
use crate::reasons::Skip;
use crate::remittance::{ClaimPayment, Level};
use crate::report::FileReport;
use crate::submission::BirthDate;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The steps of each claim payment that is explained, by the place of its record.
#[derive(Default)]
pub(crate) struct Traces(pub(crate) BTreeMap<usize, Vec<String>>);

impl Traces {
    /// Adds a step, if the record is explained.
    pub(crate) fn add(&mut self, at: usize, step: impl FnOnce() -> String) {
        if let Some(steps) = self.0.get_mut(&at) {
            steps.push(step());
        }
    }
}

/// The steps that a claim payment goes through by itself.
pub(crate) fn payment(
    claim: &ClaimPayment,
    decision: &Decision,
    classes: &CarcClasses,
    file: &FileReport,
    ordinal: u32,
) -> Vec<String> {
    let mut steps = Vec::new();
    steps.push(format!(
        "{}: claim payment {ordinal} of transaction {}, CLP02 {}, charge {}, paid {}",
        file.name, file.remittances, claim.status, claim.charge, claim.paid
    ));
    for one in &claim.adjustments {
        let place = match one.level {
            Level::Claim => "claim".into(),
            Level::Line(at) => format!("line {}", at.saturating_add(1)),
        };
        let class = skip_of(class_of(claim, one, classes)).map_or("a denial", Skip::text);
        let used = if decision.used.has(one.level) { "" } else { ", not counted" };
        steps.push(format!("{place}: {}-{} {}: {class}{used}", one.group, one.carc, one.amount));
    }
    steps.push(match (decision.used, decision.balanced) {
        (Used::All, true) => "the adjustments are the difference of charge and payment".into(),
        (Used::Lines, _) => "the adjustments of the lines alone are the difference of charge and payment".into(),
        (Used::Claim, _) => "the adjustments of the claim alone are the difference of charge and payment".into(),
        (Used::All, false) => "out of balance: the adjustments are not the difference of charge and payment".into(),
    });
    steps.push(match decision.verdict {
        Verdict::Skip(skip) => format!("not written: {}", skip.text()),
        Verdict::Reversal => "a reversal of an earlier adjudication".into(),
        Verdict::Denial(amount) => format!("denied: {amount}"),
        Verdict::Unreadable(_) => "an amount is missing or cannot be read".into(),
    });
    steps
}

/// Which claim of the claim files it is.
pub(crate) fn claim(joined: &Joined<'_>) -> String {
    match joined.claim {
        Some(claim) => format!("it answers {} of the claim files", claim.number()),
        None => "no claim of the claim files is it for certain".into(),
    }
}

/// Whether the date of birth is known. The date itself is no step.
pub(crate) fn birth(joined: &Joined<'_>) -> String {
    match joined.birth {
        BirthDate::Known(_) => "the date of birth is known",
        BirthDate::Disagree => "claim files give different dates of birth",
        BirthDate::Unknown => "the date of birth is not known",
    }
    .into()
}
