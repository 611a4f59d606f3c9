//! Warnings, and the counts of a file.

use super::{era, era_with, file, jane, run};
use crate::{Amount, Skip, Tally, Warning};
use alloc::vec::Vec;

const DENIED: &str =
    "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*100*0~CAS*CO*50*100~";

fn warnings(file: &str) -> Vec<(Warning, u64)> {
    let outcome = run(&[file]);
    let warnings = outcome.files[0].warnings.iter();
    warnings.map(|(warning, (count, _))| (*warning, *count)).collect()
}

#[test]
fn a_file_without_faults_has_no_warnings() {
    assert_eq!(warnings(&era(DENIED)), []);
    assert_eq!(warnings(&era("CLP*A-1*1*100*60**12*P-1~SVC*HC:99213*100*60~CAS*CO*45*40~PLB*1*20261231*WO:1*20~")), []);
    assert_eq!(warnings(&jane()), []);
}

#[test]
fn wrong_balances_are_warnings() {
    let line = DENIED.replace("SVC*HC:99213*100*0", "SVC*HC:99213*90*0");
    assert_eq!(warnings(&era(&line)), [(Warning::LineBalance, 1)]);
    let claim = DENIED.replace("CAS*CO*50*100", "CAS*CO*50*90");
    assert_eq!(warnings(&era(&claim)), [(Warning::LineBalance, 1), (Warning::ClaimBalance, 1)]);
    let payment = "BPR*I*1*C*ACH************20260202~N1*PR*ACME~CLP*A-1*1*100*0**12*P-1~CAS*CO*50*100~";
    assert_eq!(warnings(&era_with(payment)), [(Warning::PaymentBalance, 1)]);
    let plb = "BPR*I*70*C*ACH************20260202~N1*PR*ACME~CLP*A-1*1*100*100**12*P-1~PLB*1*20261231*WO:1*20*72:2*10~";
    assert_eq!(warnings(&era_with(plb)), []);
}

#[test]
fn wrong_counts_and_control_numbers_are_warnings() {
    let good = era(DENIED);
    for (from, to, warning) in [
        ("SE*", "SE*9", Warning::SegmentCount),
        ("*0001~\nGE", "*0002~\nGE", Warning::ControlNumbers),
        ("GE*1*7", "GE*2*7", Warning::EnvelopeCount),
        ("GE*1*7", "GE*1*8", Warning::ControlNumbers),
        ("IEA*1*000000007", "IEA*2*000000007", Warning::EnvelopeCount),
        ("IEA*1*000000007", "IEA*1*000000008", Warning::ControlNumbers),
    ] {
        let wrong = good.replace(from, to);
        assert_ne!(wrong, good);
        assert_eq!(warnings(&wrong), [(warning, 1)], "{to}");
    }
}

#[test]
fn a_warning_has_the_number_of_its_segment() {
    let wrong = era(DENIED).replace("GE*1*7", "GE*1*8");
    let outcome = run(&[&wrong]);
    let segments = wrong.matches('~').count() as u64;
    assert_eq!(outcome.files[0].warnings[&Warning::ControlNumbers], (1, segments - 1));
}

#[test]
fn a_file_has_its_counts() {
    let body = [
        DENIED,
        "CLP*A-2*1*100*60**12*P-2~SVC*HC:99213*100*60~CAS*CO*45*40~",
        "CLP*A-3*1*100*0**12*P-3~SVC*HC:99213*100*0~CAS*PR*1*100~",
        "CLP*A-4*1*50*0**12*P-4~NM1*QC*1*ROE*RAY****MI*W2~DTM*232*20260105~SVC*HC:99213*50*0~CAS*CO*50*40**45*10~",
    ];
    let outcome = run(&[&era(&body.concat()), &jane()]);
    let counts = &file(&outcome, 0).counts;
    assert_eq!(counts.claim_payments, 4);
    assert_eq!(counts.adjustments, Amount(29_000));
    assert_eq!(counts.written, Tally { count: 1, amount: Amount(10_000) });
    assert_eq!(counts.held, Tally { count: 1, amount: Amount(4_000) });
    let skipped: Vec<_> = counts.skipped.iter().map(|(reason, tally)| (*reason, *tally)).collect();
    assert_eq!(
        skipped,
        [
            (Skip::Paid, Tally { count: 1, amount: Amount(0) }),
            (Skip::PatientShare, Tally { count: 1, amount: Amount(10_000) }),
            (Skip::Contractual, Tally { count: 0, amount: Amount(5_000) }),
        ]
    );
    assert_eq!(file(&outcome, 1).counts.submitted_claims, 1);
    assert_eq!(file(&outcome, 1).submissions, 1);
}
