//! The claim as the service takes it (interface: Resources and their fields).

use crate::amount::Amount;
use crate::code::Code;
use crate::day::Day;
use crate::join::Joined;
use crate::plan::PayerPlans;
use crate::record::{CODES_MAX, Denial, DenialCode, DeniedLine, Record};
use crate::submission::{BirthDate, SubmittedClaim};
use crate::transaction::Transaction;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use overturn_core::base::instant::Instant;
use overturn_core::claims::PlanType;
use overturn_core::claims::check::check;
use serde::Serialize;

/// The reason in words for a claim without adjustment codes.
const NO_CODE: &str = "The payer paid nothing and gave no adjustment code.";

#[derive(Serialize)]
struct Item<'a> {
    patient: Patient<'a>,
    claim: Claim<'a>,
}

#[derive(Serialize)]
struct Patient<'a> {
    first_name: &'a str,
    last_name: &'a str,
    date_of_birth: Option<Day>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Claim<'a> {
    claim_number: &'a str,
    payer_claim_number: &'a str,
    payer_name: &'a str,
    date_of_service: Option<Day>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denial_date: Option<Day>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure_code: Option<&'a str>,
    billed_amount: Amount,
    denied_amount: Amount,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    denial_codes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denial_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnosis_codes: Vec<&'a str>,
}

/// The last and the first name of the claim file, else of the remittance.
pub(crate) fn names<'a>(joined: &'a Joined<'_>, denial: &'a Denial) -> [&'a str; 2] {
    match joined.claim {
        Some(claim) if !claim.last_name().is_empty() || !claim.first_name().is_empty() => {
            [claim.last_name(), claim.first_name()]
        }
        _ => [&denial.last_name, &denial.first_name],
    }
}

/// The member id of the claim file, else of the remittance.
pub(crate) fn member_id<'a>(joined: &'a Joined<'_>, denial: &'a Denial) -> Option<&'a str> {
    let submitted = joined.claim.and_then(|claim| claim.member_id());
    submitted.or(denial.member_id.as_deref())
}

/// A denial with everything that the claim is made of. The parts of a split claim are in the order of payment.
pub(crate) struct Parts<'a> {
    pub(crate) number: &'a str,
    pub(crate) joined: &'a Joined<'a>,
    pub(crate) transaction: &'a Transaction,
    /// Every part, denied or not.
    pub(crate) records: &'a [&'a Record],
    /// The denied parts. The first gives the payer's claim number and the names.
    pub(crate) denials: &'a [&'a Denial],
    pub(crate) day: Option<Day>,
    pub(crate) plans: &'a PayerPlans,
    pub(crate) today: Day,
}

impl Parts<'_> {
    /// The claim as JSON, or the service's messages if it would not take it.
    pub(crate) fn write(&self, now: Instant) -> Result<String, Vec<String>> {
        let Some(denial) = self.denials.first() else {
            return Err(Vec::new());
        };
        let submitted = self.joined.claim;
        let procedure = self.procedure();
        let codes = self.codes();
        let unexplained = codes.is_empty() || self.denials.iter().any(|denial| denial.unexplained);
        let [last_name, first_name] = names(self.joined, denial);
        let item = Item {
            patient: Patient {
                first_name,
                last_name,
                date_of_birth: match self.joined.birth {
                    BirthDate::Known(day) => Some(day),
                    BirthDate::Disagree | BirthDate::Unknown => None,
                },
                member_id: member_id(self.joined, denial),
            },
            claim: Claim {
                claim_number: self.number,
                payer_claim_number: &denial.payer_number,
                payer_name: &self.transaction.payer,
                date_of_service: self.day,
                denial_date: self.denial_date(),
                plan_type: self.plan().map(PlanType::name),
                procedure_code: procedure.as_deref(),
                billed_amount: self.records.iter().map(|record| record.charge).collect(),
                denied_amount: self.denials.iter().map(|denial| denial.amount).collect(),
                denial_codes: codes,
                denial_reason: unexplained.then_some(NO_CODE),
                diagnosis_codes: submitted.map_or_else(Vec::new, |claim| claim.diagnoses().collect()),
            },
        };
        let json = serde_json::to_string(&item).map_err(|error| [error.to_string()].to_vec())?;
        let report = check(json.as_bytes(), now);
        if report.errors.is_empty() { Ok(json) } else { Err(report.errors.iter().map(ToString::to_string).collect()) }
    }

    /// The plan type, if it is known.
    pub(crate) fn plan(&self) -> Option<PlanType> {
        let claim = self.joined.claim;
        let submitted = claim.map_or(Code::default(), |claim| claim.filing);
        let denial = self.denials.first();
        let filing = denial.map_or(Code::default(), |denial| denial.filing);
        self.plans.of(&self.transaction.payer, filing, submitted)
    }

    /// The earliest of DTM*405 and BPR16 that is neither before the service nor in the future, else GS04.
    fn denial_date(&self) -> Option<Day> {
        let fits = |day: &Day| *day <= self.today && self.day.is_none_or(|service| *day >= service);
        let stated = [self.transaction.produced_on, self.transaction.paid_on];
        let stated = stated.into_iter().flatten().filter(fits).min();
        stated.or(self.transaction.created.day.filter(fits))
    }

    fn codes(&self) -> Vec<String> {
        let mut codes: Vec<DenialCode> = Vec::new();
        // CARCs first, also if a later part of a split claim has them.
        for carcs in [true, false] {
            for code in self.denials.iter().flat_map(|denial| &denial.codes) {
                if code.group.is_empty() != carcs && !codes.contains(code) {
                    codes.push(*code);
                }
            }
        }
        codes.into_iter().take(CODES_MAX).map(String::from).collect()
    }

    /// The code that was denied, if it is exactly one.
    fn procedure(&self) -> Option<String> {
        let submitted = self.joined.claim;
        let lines: Vec<&DeniedLine> = self.denials.iter().flat_map(|denial| &denial.lines).collect();
        let mut codes: Vec<&str> = if lines.is_empty() {
            let lines = submitted.into_iter().flat_map(SubmittedClaim::lines);
            lines.map(|(_, procedure)| procedure).collect()
        } else {
            lines.into_iter().map(|line| procedure(line, submitted)).collect()
        };
        codes.sort_unstable();
        codes.dedup();
        match *codes {
            [code] if !code.is_empty() => Some(code.into()),
            _ => None,
        }
    }
}

/// The code of the 837's line with the same control number, else of the remittance.
fn procedure<'a>(line: &'a DeniedLine, submitted: Option<&'a SubmittedClaim>) -> &'a str {
    let mut lines = submitted.into_iter().flat_map(SubmittedClaim::lines);
    let same = lines.find(|(control, _)| !line.control.is_empty() && *control == &*line.control);
    same.map_or(&line.procedure, |(_, procedure)| procedure)
}
