//! One module for each part of the rules. The bytes of each case are written out.

mod adjustments;
mod answered_twice;
mod balance;
mod births;
mod bounds;
mod checks;
mod claim_fields;
mod combinations;
mod denied_amount;
mod envelope;
mod history;
mod join;
mod later_answers;
mod patient;
mod payers;
mod plan;
mod properties;
mod shared_numbers;
mod stories;
mod versions;

use crate::{Counts, FileReport, Options, Outcome, Remit, Skip};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use balance::balance;
use overturn_core::base::date::Date;
use serde_json::Value;

/// 2026-03-01.
pub(super) fn options() -> Options {
    Options::new(Date::parse("2026-03-01").unwrap().begins())
}

/// An 835 file with these segments after the header. BPR02 is the sum of CLP04 less PLB.
pub(super) fn era(body: &str) -> String {
    era_of("ACME HEALTH", "20260202", body)
}

/// The same of a payer, paid and produced on a day.
pub(super) fn era_of(payer: &str, day: &str, body: &str) -> String {
    let mut paid = 0.0;
    for segment in body.split('~').map(str::trim) {
        let mut elements = segment.split('*');
        let amount = match elements.next() {
            Some("CLP") => elements.nth(3).unwrap_or("0").parse().unwrap_or(0.0),
            Some("PLB") => -elements.nth(3).unwrap().parse::<f64>().unwrap(),
            _ => 0.0,
        };
        paid += amount;
    }
    era_with(&format!(
        "BPR*I*{paid}*C*ACH************{day}~TRN*1*1*1512345678~DTM*405*{day}~N1*PR*{payer}~N1*PE*PRACTICE*XX*1~LX*1~{body}"
    ))
}

/// An 835 file with these segments between ST and SE.
pub(super) fn era_with(body: &str) -> String {
    x12("835", "HP", body)
}

/// An 837 file with these segments after the billing provider.
pub(super) fn sent(body: &str) -> String {
    x12("837", "HC", &format!("BHT*0019*00*1*20260110*1200*CH~HL*1**20*1~NM1*85*2*PRACTICE*****XX*1~{body}"))
}

fn x12(kind: &str, group: &str, body: &str) -> String {
    let segments = body.split('~').filter(|segment| !segment.trim().is_empty()).count() + 2;
    format!(
        "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *260210*1200*^*00501*000000007*0*P*:~
GS*{group}*PAYER*PRACTICE*20260210*1200*7*X*005010~
ST*{kind}*0001~
{body}
SE*{segments}*0001~
GE*1*7~
IEA*1*000000007~
"
    )
}

/// The 837 of Jane Doe's claim A-1: 100.00 on 2026-01-05.
pub(super) fn jane() -> String {
    sent(
        "HL*2*1*22*0~
        SBR*P*18*******CI~
        NM1*IL*1*DOE*JANE****MI*W1~
        DMG*D8*19840602*F~
        CLM*A-1*100***11:B:1*Y*A*Y*Y~
        LX*1~
        SV1*HC:99213*100*UN*1***1~
        DTP*472*D8*20260105~
        REF*6R*L1~",
    )
}

pub(super) fn run(files: &[&str]) -> Outcome {
    run_with(options(), files)
}

pub(super) fn run_with(options: Options, files: &[&str]) -> Outcome {
    let bytes: Vec<&[u8]> = files.iter().map(|file| file.as_bytes()).collect();
    run_bytes(options, &bytes)
}

pub(super) fn run_bytes(options: Options, files: &[&[u8]]) -> Outcome {
    let mut remit = Remit::new(options);
    for (at, file) in files.iter().enumerate() {
        remit.open(&at.to_string());
        let _result = remit.push(file);
    }
    let outcome = remit.finish();
    balance(&outcome);
    outcome
}

/// The only claim, as JSON.
pub(super) fn only(outcome: &Outcome) -> Value {
    assert_eq!(outcome.claims.len(), 1, "{outcome:?}");
    serde_json::from_str(&outcome.claims[0].json).unwrap()
}

/// A field of the only claim.
pub(super) fn field(outcome: &Outcome, name: &str) -> Value {
    only(outcome)["claim"][name].clone()
}

/// The claim numbers that are written.
pub(super) fn numbers(outcome: &Outcome) -> Vec<&str> {
    outcome.claims.iter().map(|claim| &*claim.claim_number).collect()
}

/// The claim numbers that are held, with the reason.
pub(super) fn held(outcome: &Outcome) -> Vec<(&str, String)> {
    let held = outcome.held.iter().map(|claim| (&*claim.claim_number, claim.hold.text()));
    held.collect()
}

/// How many claim payments are skipped for a reason.
pub(super) fn skipped(outcome: &Outcome, reason: Skip) -> u64 {
    let tallies = outcome.files.iter().filter_map(|file| file.counts.skipped.get(&reason));
    tallies.map(|tally| tally.count).sum()
}

/// The complete CLP segments of a file whose element separator is `*`.
pub(super) fn claim_payments(file: &[u8]) -> u64 {
    let ends = |byte: &u8| matches!(byte, b'~' | b'!' | b'\r' | b'\n');
    let Some(last) = file.iter().rposition(ends) else {
        return 0;
    };
    let segments = file[..last].split(ends);
    let segments = segments.filter(|segment| segment.trim_ascii().starts_with(b"CLP*"));
    segments.count() as u64
}

pub(super) fn file(outcome: &Outcome, at: usize) -> &FileReport {
    &outcome.files[at]
}
