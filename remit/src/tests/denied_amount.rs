//! `denied_amount` and `billed_amount`.

use super::{era, field, file, held, jane, numbers, run, skipped};
use crate::{Amount, Hold, Outcome, Skip, Warning};
use alloc::format;

fn answer(charge: &str, paid: &str, claim: &str, lines: &str) -> Outcome {
    let body = format!("CLP*A-1*1*{charge}*{paid}**12*P-1~{claim}NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{lines}");
    run(&[&era(&body), &jane()])
}

#[test]
fn it_is_the_signed_sum_of_the_denial_adjustments() {
    let outcome =
        answer("100", "10", "", "SVC*HC:99213*60*10~CAS*CO*45*10**97*45*1*50*-5~SVC*HC:85025*40*0~CAS*PR*96*40.00~");
    assert_eq!(field(&outcome, "denied_amount"), "80.00");
    assert_eq!(field(&outcome, "billed_amount"), "100.00");
    assert_eq!(file(&outcome, 0).counts.adjustments, Amount(9_000));
    assert_eq!(file(&outcome, 0).counts.skipped[&Skip::Contractual].amount, Amount(1_000));
    assert_eq!(file(&outcome, 0).counts.out_of_balance, 0);
    let nothing = answer("100", "100", "", "SVC*HC:99213*100*100~CAS*CO*50*40~CAS*CO*50*-40~");
    assert_eq!(skipped(&nothing, Skip::Paid), 1);
}

#[test]
fn all_six_adjustments_of_a_segment_count() {
    let outcome = answer("60", "0", "CAS*CO*50*10*1*96*10*1*97*10*1*197*10*1*204*10*1*B7*10~", "");
    assert_eq!(field(&outcome, "denied_amount"), "60.00");
    assert_eq!(field(&outcome, "denial_codes").as_array().unwrap().len(), 6);
}

#[test]
fn claim_and_line_adjustments_count_together_if_they_fit_together() {
    let outcome = answer("100", "0", "CAS*CO*50*30~", "SVC*HC:99213*100*0~CAS*CO*96*70~");
    assert_eq!(field(&outcome, "denied_amount"), "100.00");
}

#[test]
fn one_level_counts_alone_if_it_fits_alone() {
    let twice = answer("100", "0", "CAS*CO*50*100~", "SVC*HC:99213*100*0~CAS*CO*96*80**45*20~");
    assert_eq!(field(&twice, "denied_amount"), "80.00");
    assert_eq!(file(&twice, 0).counts.skipped[&Skip::StatedTwice].amount, Amount(10_000));
    let claim = answer("100", "0", "CAS*CO*50*90**45*10~", "SVC*HC:99213*100*0~CAS*CO*96*80~");
    assert_eq!(field(&claim, "denied_amount"), "90.00");
    assert_eq!(file(&claim, 0).counts.out_of_balance, 0);
    assert_eq!(file(&claim, 0).warnings[&Warning::ClaimBalance].0, 1);
}

#[test]
fn a_claim_out_of_balance_is_denied_at_most_what_was_not_paid() {
    let outcome = answer("100", "30", "", "SVC*HC:99213*100*30~CAS*CO*50*90~");
    assert_eq!(field(&outcome, "denied_amount"), "70.00");
    assert_eq!(file(&outcome, 0).counts.out_of_balance, 1);
    assert_eq!(file(&outcome, 0).counts.skipped[&Skip::OutOfBalance].amount, Amount(2_000));
    let less = answer("100", "30", "", "SVC*HC:99213*100*30~CAS*CO*50*20~");
    assert_eq!(field(&less, "denied_amount"), "20.00");
    let paid = answer("100", "100", "", "SVC*HC:99213*100*100~CAS*CO*50*20~");
    assert!(paid.claims.is_empty());
    assert_eq!(skipped(&paid, Skip::Paid), 1);
    assert_eq!(file(&paid, 0).counts.out_of_balance, 1);
}

#[test]
fn a_claim_without_adjustments_and_payment_is_denied_as_a_whole() {
    let outcome = answer("100", "0", "", "");
    assert_eq!(field(&outcome, "denied_amount"), "100.00");
    assert_eq!(field(&outcome, "denial_reason"), "The payer paid nothing and gave no adjustment code.");
    assert!(field(&outcome, "denial_codes").is_null());
    assert_eq!(file(&outcome, 0).counts.unexplained, Amount(10_000));
    let remark = answer("100", "0", "MOA***N130~", "");
    assert_eq!(field(&remark, "denial_codes")[0], "N130");
    assert!(field(&remark, "denial_reason").is_string());
    let zero = answer("0", "0", "", "");
    assert_eq!(skipped(&zero, Skip::NothingDenied), 1);
    let part = answer("100", "40", "", "");
    assert_eq!(skipped(&part, Skip::Paid), 1);
}

#[test]
fn a_claim_with_an_amount_that_cannot_be_read_is_held() {
    for (charge, cas) in [("100", "1.234"), ("1OO", "100"), ("100", "99999999999999999999")] {
        let outcome = answer(charge, "0", &format!("CAS*CO*50*{cas}~"), "");
        assert_eq!(held(&outcome), [("A-1", "an amount cannot be read".into())], "{charge} {cas}");
        assert_eq!(file(&outcome, 0).warnings[&Warning::Amount].0, 1);
    }
}

#[test]
fn an_amount_that_is_missing_is_not_zero() {
    let denied = "CAS*CO*50*100~";
    for (charge, paid, adjusted, hold) in [
        ("", "0", denied, Hold::NoCharge),
        ("", "", denied, Hold::NoCharge),
        ("100", "", denied, Hold::NoPayment),
        ("100", "", "", Hold::NoPayment),
        ("100", "", "CAS*CO*45*20~", Hold::NoPayment),
        ("100", "0", "CAS*CO*50~", Hold::Amount),
        ("100", "0", "CAS*CO*50**1*45*20~", Hold::Amount),
    ] {
        let outcome = answer(charge, paid, adjusted, "");
        assert_eq!(held(&outcome), [("A-1", hold.text())], "{charge} {paid} {adjusted}");
        assert_eq!(file(&outcome, 0).warnings[&Warning::Amount].0, 1);
    }
    let empty = answer("100", "100", "CAS*CO*50~", "");
    assert_eq!(skipped(&empty, Skip::Paid), 1);
}

#[test]
fn no_amount_is_above_the_total_charge_of_the_claim() {
    for charge in ["100.01", "200"] {
        let outcome = answer(charge, "0", &format!("CAS*CO*50*{charge}~"), "");
        assert_eq!(held(&outcome), [("A-1", Hold::AboveCharge.text())]);
    }
    // The claim file has another visit of the number.
    let body = "CLP*A-1*1*200*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260107~CAS*CO*50*200~";
    let outcome = run(&[&era(body), &jane()]);
    assert_eq!(field(&outcome, "billed_amount"), "200.00");
}

#[test]
fn the_amounts_of_a_split_claim_add_up() {
    let part = |number: &str, charge: &str| {
        format!("CLP*A-1*1*{charge}*0**12*{number}~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*{charge}~")
    };
    let body = [part("P-1", "60"), part("P-2", "40")].concat();
    let outcome = run(&[&era(&body), &jane()]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert_eq!(field(&outcome, "billed_amount"), "100.00");
    assert_eq!(field(&outcome, "denied_amount"), "100.00");
    assert_eq!(skipped(&outcome, Skip::Split), 1);
}
