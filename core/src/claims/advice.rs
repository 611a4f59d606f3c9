//! Advice to a sender about possible mistakes. The service does not refuse a claim because of it.
//!
//! Validation reports what the service cannot accept. Advice reports what is probably a mistake, or a claim that is
//! seldom worth an appeal. Each piece has a stable code, the field, and a sentence for people. Like a validation
//! message, it never repeats a value.

#[cfg(test)]
mod tests;

use crate::claims::{Claim, Item, codes};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use serde::Serialize;

/// Some payers cut claim numbers to 20 characters. Longer ones then no longer match in their answers.
const CLAIM_NUMBER_KEPT: usize = 20;

/// One piece of advice on one item of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Advice {
    /// The item of the batch, counted from 0; 0 for a single item.
    pub index: usize,
    /// Its subject, a stable code.
    pub code: AdviceCode,
    pub field: &'static str,
    /// A sentence for people; its wording may change.
    pub message: &'static str,
}

/// The kinds of advice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceCode {
    /// Born after the date of service.
    BirthAfterService,
    /// A claim number of `0`, which systems write when they have none.
    ClaimNumberZero,
    /// A claim number over 20 characters.
    ClaimNumberLong,
    /// Denied before the service.
    DenialBeforeService,
    /// No date of the denial.
    DenialDateMissing,
    /// No kind of plan.
    PlanTypeMissing,
    /// Not the form of a CPT or HCPCS code.
    ProcedureCodeForm,
    /// More denied than billed.
    DeniedAboveBilled,
    /// `CO-45` and nothing else.
    ContractualOnly,
    /// Not the form of an adjustment or remark code.
    DenialCodeForm,
    /// Not the form of an ICD-10-CM code.
    DiagnosisCodeForm,
}

impl AdviceCode {
    /// Every kind, in the order of the fields.
    pub const ALL: [Self; 11] = [
        Self::BirthAfterService,
        Self::ClaimNumberZero,
        Self::ClaimNumberLong,
        Self::DenialBeforeService,
        Self::DenialDateMissing,
        Self::PlanTypeMissing,
        Self::ProcedureCodeForm,
        Self::DeniedAboveBilled,
        Self::ContractualOnly,
        Self::DenialCodeForm,
        Self::DiagnosisCodeForm,
    ];

    /// The field, and a sentence for people.
    #[must_use]
    pub const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::BirthAfterService => ("patient.date_of_birth", "is after the date of service"),
            Self::ClaimNumberZero => ("claim.claim_number", "is 0, which often stands for a missing number"),
            Self::ClaimNumberLong => {
                ("claim.claim_number", "is over 20 characters; many payers keep only the first 20")
            }
            Self::DenialBeforeService => ("claim.denial_date", "is before the date of service"),
            Self::DenialDateMissing => (
                "claim.denial_date",
                "is missing, so no deadline for the appeal can be worked out; it can be sent later",
            ),
            Self::PlanTypeMissing => {
                ("claim.plan_type", "is missing, so no deadline for the appeal can be worked out; it can be sent later")
            }
            Self::ProcedureCodeForm => ("claim.procedure_code", "does not have the form of a CPT or HCPCS code"),
            Self::DeniedAboveBilled => ("claim.denied_amount", "is above the billed amount"),
            Self::ContractualOnly => {
                ("claim.denial_codes", "has only CO-45, a contractual write-off, which is seldom appealable")
            }
            Self::DenialCodeForm => {
                ("claim.denial_codes", "has a code without the form of an adjustment or remark code")
            }
            Self::DiagnosisCodeForm => ("claim.diagnosis_codes", "has a code without the form of an ICD-10-CM code"),
        }
    }
}

/// All advice on the items of a valid request, in the order of items and fields.
#[must_use]
pub fn advise(items: &[Item<'_>]) -> Vec<Advice> {
    let mut advice = Vec::new();
    for (index, item) in items.iter().enumerate() {
        advice.extend(of_item(item).map(|code| {
            let (field, message) = code.text();
            Advice { index, code, field, message }
        }));
    }
    advice
}

fn of_item(item: &Item<'_>) -> impl Iterator<Item = AdviceCode> {
    let claim = &item.claim;
    let born_after = item.patient.date_of_birth > claim.date_of_service;
    [
        (AdviceCode::BirthAfterService, born_after),
        (AdviceCode::ClaimNumberZero, claim.claim_number.trim() == "0"),
        (AdviceCode::ClaimNumberLong, claim.claim_number.chars().count() > CLAIM_NUMBER_KEPT),
        (AdviceCode::DenialBeforeService, claim.denial_date.is_some_and(|denied| denied < claim.date_of_service)),
        (AdviceCode::DenialDateMissing, claim.denial_date.is_none()),
        (AdviceCode::PlanTypeMissing, claim.plan_type.is_none()),
        (AdviceCode::ProcedureCodeForm, claim.procedure_code.as_ref().is_some_and(|code| !is_procedure(code))),
        (AdviceCode::DeniedAboveBilled, is_denied_above_billed(claim)),
        (AdviceCode::ContractualOnly, is_contractual_only(claim)),
        (AdviceCode::DenialCodeForm, claim.denial_codes.iter().any(|code| !codes::is_code(code))),
        (AdviceCode::DiagnosisCodeForm, claim.diagnosis_codes.iter().any(|code| !is_diagnosis(code))),
    ]
    .into_iter()
    .filter_map(|(code, applies)| applies.then_some(code))
}

fn is_denied_above_billed(claim: &Claim<'_>) -> bool {
    claim.billed_amount.zip(claim.denied_amount).is_some_and(|(billed, denied)| denied > billed)
}

fn is_contractual_only(claim: &Claim<'_>) -> bool {
    let codes = &claim.denial_codes;
    let is_contractual = |code: &Cow<'_, str>| codes::is_adjustment(code, "CO", "45");
    !codes.is_empty() && codes.iter().all(is_contractual)
}

/// CPT (`99213`, `0042T`, `3008F`, `0001U`, `0002M`) or HCPCS (`J1885`), with up to four modifiers (`99213-25-59`).
fn is_procedure(text: &str) -> bool {
    let mut parts = text.trim().split('-');
    let is_code = parts.next().is_some_and(|code| match *code.as_bytes() {
        [first, b, c, d, last] => {
            [b, c, d].iter().all(u8::is_ascii_digit)
                && match (first, last.to_ascii_uppercase()) {
                    (b'0'..=b'9', b'0'..=b'9' | b'F' | b'M' | b'T' | b'U') => true,
                    (letter, b'0'..=b'9') => matches!(letter.to_ascii_uppercase(), b'A'..=b'V'),
                    _ => false,
                }
        }
        _ => false,
    });
    let modifiers: Vec<&str> = parts.collect();
    let is_modifier = |text: &&str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_alphanumeric());
    is_code && modifiers.len() <= 4 && modifiers.iter().all(is_modifier)
}

/// ICD-10-CM: a letter, a digit, a digit or letter, and up to four more after an optional dot (`E11.9`, `S72.001A`).
fn is_diagnosis(text: &str) -> bool {
    let code = text.trim();
    let (category, rest) = code.split_at_checked(3).unwrap_or((code, ""));
    let is_category = match *category.as_bytes() {
        [a, b, c] => a.is_ascii_alphabetic() && b.is_ascii_digit() && c.is_ascii_alphanumeric(),
        _ => false,
    };
    let detail = rest.strip_prefix('.').unwrap_or(rest);
    let dangling = rest == ".";
    is_category && !dangling && detail.len() <= 4 && detail.bytes().all(|b| b.is_ascii_alphanumeric())
}
