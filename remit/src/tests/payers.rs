//! Two payers and one claim.

use super::{era_of, field, jane, numbers, run, skipped};
use crate::{Outcome, Skip};
use alloc::format;
use alloc::string::String;

/// Jane Doe's claim of 100.00 with CLP02, payment and adjustments.
fn body(status: &str, paid: &str, number: &str, adjustments: &str) -> String {
    format!("CLP*A-1*{status}*100*{paid}**12*{number}~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{adjustments}")
}

fn two(primary: &str, secondary: &str) -> Outcome {
    let files = [era_of("ACME", "20260201", primary), era_of("SECOND", "20260208", secondary)];
    let outcome = run(&[&files[0], &files[1], &jane()]);
    let turned = run(&[&jane(), &files[1], &files[0]]);
    assert_eq!((&outcome.claims, &outcome.held), (&turned.claims, &turned.held));
    outcome
}

#[test]
fn a_denial_that_another_payer_covers_is_settled() {
    let denied = body("1", "0", "P-1", "CAS*CO*50*100~");
    let outcome = two(&denied, &body("2", "80", "S-1", "CAS*CO*45*20~"));
    assert!(outcome.claims.is_empty() && outcome.held.is_empty());
    assert_eq!(skipped(&outcome, Skip::Settled), 1);
}

#[test]
fn a_denial_that_another_payer_covers_in_part_is_written() {
    let denied = body("1", "0", "P-1", "CAS*CO*50*100~");
    let outcome = two(&denied, &body("2", "60", "S-1", "CAS*CO*45*20~CAS*PR*1*20~"));
    assert_eq!(field(&outcome, "payer_claim_number"), "P-1");
    assert_eq!(field(&outcome, "denied_amount"), "100.00");
}

#[test]
fn a_denied_part_is_settled_by_what_covers_the_part() {
    let denied = body("1", "50", "P-1", "CAS*CO*50*30**45*20~");
    let outcome = two(&denied, &body("2", "30", "S-1", "CAS*OA*23*70~"));
    assert_eq!(skipped(&outcome, Skip::Settled), 1);
    let less = two(&denied, &body("2", "20", "S-1", "CAS*OA*23*70~CAS*PR*1*10~"));
    assert_eq!(numbers(&less), ["A-1"]);
}

#[test]
fn a_primary_payment_of_the_rest_does_not_settle_the_secondarys_denial() {
    let paid = body("1", "80", "P-1", "CAS*CO*45*10~CAS*PR*2*10~");
    let outcome = two(&paid, &body("2", "0", "S-1", "CAS*OA*23*90~CAS*CO*50*10~"));
    assert_eq!(field(&outcome, "payer_name"), "SECOND");
    assert_eq!(field(&outcome, "denied_amount"), "10.00");
}

#[test]
fn of_two_denials_the_primary_payers_is_written() {
    let primary = body("1", "0", "P-1", "CAS*CO*50*100~");
    let secondary = body("2", "0", "S-1", "CAS*CO*96*100~");
    for outcome in [two(&primary, &secondary), two(&secondary, &primary)] {
        assert_eq!(field(&outcome, "payer_claim_number"), "P-1");
        assert_eq!(skipped(&outcome, Skip::PrimaryDenied), 1);
    }
}

#[test]
fn a_claim_of_another_day_settles_nothing() {
    let denied = body("1", "0", "P-1", "CAS*CO*50*100~");
    let other = body("2", "100", "S-1", "").replace("20260105", "20260106");
    assert_eq!(numbers(&two(&denied, &other)), ["A-1"]);
    let other = body("2", "100", "S-1", "").replace("JANE", "JOHN");
    assert_eq!(numbers(&two(&denied, &other)), ["A-1"]);
}

#[test]
fn a_payer_that_cuts_the_number_settles_too() {
    let long = "12345678901234567890-1";
    let denied = body("1", "0", "P-1", "CAS*CO*50*100~").replace("A-1", long);
    for length in [20, 17] {
        let paid = body("2", "100", "S-1", "").replace("A-1", &long[..length]);
        let outcome = two(&denied, &paid);
        assert_eq!(skipped(&outcome, Skip::Settled), 1, "{length}");
    }
}
