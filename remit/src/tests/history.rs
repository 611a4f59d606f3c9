//! What later decisions do to earlier ones, repeated transactions, shared numbers, one claim for each number.

use super::{era, era_of, field, held, jane, numbers, options, run, run_with, skipped};
use crate::{Hold, Outcome, Skip, Warning};
use alloc::format;
use alloc::string::String;

/// Jane Doe's claim A-1 with this CLP02, payment and CLP07. What was not paid is denied with this code.
pub(super) fn part(status: &str, paid: i32, number: &str, carc: &str) -> String {
    share(status, 100, paid, number, carc)
}

/// The same of a part with this charge.
pub(super) fn share(status: &str, charge: i32, paid: i32, number: &str, carc: &str) -> String {
    let sign = if status == "22" { -1 } else { 1 };
    let (charge, paid, rest) = (sign * charge, sign * paid, sign * (charge - paid));
    let group = if status == "22" { "CR" } else { "CO" };
    let adjusted = if rest == 0 { String::new() } else { format!("CAS*{group}*{carc}*{rest}~") };
    format!("CLP*A-1*{status}*{charge}*{paid}**12*{number}~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{adjusted}")
}

/// An answer with the remark that it is a part.
pub(super) fn marked(answer: &str) -> String {
    [answer, "MOA***MA15~"].concat()
}

/// The outcome of files of one payer, the same in every order.
fn in_any_order(files: &[(&str, String)]) -> Outcome {
    let jane = jane();
    let mut eras: alloc::vec::Vec<String> = files.iter().map(|(day, body)| era_of("ACME", day, body)).collect();
    let run_all = |eras: &[String]| {
        let files: alloc::vec::Vec<&str> = eras.iter().chain([&jane]).map(|file| &**file).collect();
        run(&files)
    };
    let outcome = run_all(&eras);
    for _ in 0..eras.len() {
        eras.rotate_left(1);
        let other = run_all(&eras);
        assert_eq!((&other.claims, &other.held), (&outcome.claims, &outcome.held));
    }
    eras.reverse();
    assert_eq!(run_all(&eras).claims, outcome.claims);
    outcome
}

fn day(n: u32) -> String {
    format!("2026020{n}")
}

#[test]
fn a_later_payment_replaces_a_denial() {
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), part("1", 100, "P-1", "50"))]);
    assert!(outcome.claims.is_empty());
    assert_eq!(skipped(&outcome, Skip::Replaced), 1);
}

#[test]
fn a_later_denial_replaces_a_payment_and_an_earlier_denial() {
    let outcome = in_any_order(&[
        (&day(1), part("1", 100, "P-1", "50")),
        (&day(2), part("1", 0, "P-1", "96")),
        (&day(3), part("1", 0, "P-2", "197")),
    ]);
    assert_eq!(field(&outcome, "denial_codes")[0], "CO-197");
    assert_eq!(field(&outcome, "payer_claim_number"), "P-2");
}

#[test]
fn duplicates_and_pending_answers_replace_nothing() {
    for (status, carc) in [("1", "18"), ("1", "B13"), ("1", "133"), ("5", "50"), ("25", "50")] {
        let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), part(status, 0, "P-2", carc))]);
        assert_eq!(numbers(&outcome), ["A-1"], "{status} {carc}");
        assert_eq!(field(&outcome, "payer_claim_number"), "P-1");
    }
}

#[test]
fn a_reversal_takes_away_the_adjudication_with_its_number() {
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), part("22", 0, "P-1", "50"))]);
    assert!(outcome.claims.is_empty());
    assert_eq!(skipped(&outcome, Skip::Reversed), 1);
    assert_eq!(skipped(&outcome, Skip::Reversal), 1);
}

#[test]
fn a_reversal_with_another_number_takes_away_the_same_charge() {
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), part("22", 0, "P-9", "50"))]);
    assert_eq!(skipped(&outcome, Skip::Reversed), 1);
    let other = part("22", 0, "P-9", "50").replace("-100", "-90");
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), other)]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert!(outcome.files.iter().any(|file| file.warnings.contains_key(&Warning::UnmatchedReversal)));
}

#[test]
fn a_reversal_of_what_was_replaced_before_takes_away_nothing_else() {
    let outcome = in_any_order(&[
        (&day(1), part("1", 0, "P-1", "50")),
        (&day(2), part("1", 0, "P-2", "197")),
        (&day(3), part("22", 0, "P-1", "50")),
    ]);
    assert_eq!(field(&outcome, "payer_claim_number"), "P-2");
    assert_eq!(skipped(&outcome, Skip::Replaced), 1);
}

#[test]
fn a_reversal_and_its_correction_come_in_either_order() {
    for number in ["P-1", "P-2"] {
        let (reversal, correction) = (part("22", 0, "P-1", "50"), part("1", 0, number, "96"));
        for body in [[&*reversal, &correction].concat(), [&*correction, &reversal].concat()] {
            let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), body)]);
            assert_eq!(field(&outcome, "denial_codes")[0], "CO-96", "{number}");
            assert_eq!(skipped(&outcome, Skip::Reversed), 1);
        }
    }
    let paid = [part("22", 0, "P-1", "50"), part("1", 100, "P-2", "50")].concat();
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), paid)]);
    assert!(outcome.claims.is_empty());
}

#[test]
fn a_reversal_of_a_payment_takes_away_no_denial() {
    let outcome = in_any_order(&[
        (&day(1), part("1", 100, "P-1", "50")),
        (&day(2), [part("22", 100, "P-1", "50"), part("1", 0, "P-2", "50")].concat()),
    ]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert_eq!(field(&outcome, "payer_claim_number"), "P-2");
}

#[test]
fn a_reversal_may_follow_its_claim_in_one_transaction() {
    let body = [part("1", 0, "P-1", "50"), part("22", 0, "P-1", "50")].concat();
    let outcome = in_any_order(&[(&day(1), body)]);
    assert!(outcome.claims.is_empty());
    assert_eq!(skipped(&outcome, Skip::Reversed), 1);
}

/// The remittance with the first decision is not among the files.
#[test]
fn a_correction_before_its_reversal_stands() {
    let both = [part("1", 0, "P-2", "50"), part("22", 0, "P-1", "50")].concat();
    let outcome = in_any_order(&[(&day(1), both)]);
    assert_eq!(field(&outcome, "payer_claim_number"), "P-2");
}

#[test]
fn a_claim_that_was_forwarded_keeps_the_denial_before() {
    let outcome = in_any_order(&[(&day(1), part("1", 0, "P-1", "50")), (&day(2), part("23", 0, "P-2", "50"))]);
    assert_eq!(field(&outcome, "payer_claim_number"), "P-1");
}

#[test]
fn another_payer_changes_no_history() {
    let denied = era_of("ACME", "20260201", &part("1", 0, "P-1", "50"));
    let other = era_of("OTHER", "20260202", &part("22", 0, "P-1", "50"));
    assert_eq!(numbers(&run(&[&denied, &other, &jane()])), ["A-1"]);
}

#[test]
fn claim_payments_of_one_transaction_with_different_numbers_are_a_split() {
    let split =
        [part("1", 0, "P-1", "50").replace("100", "60"), part("1", 0, "P-2", "96").replace("100", "40")].concat();
    let outcome = in_any_order(&[(&day(1), split.clone())]);
    assert_eq!(field(&outcome, "billed_amount"), "100.00");
    assert_eq!(field(&outcome, "denied_amount"), "100.00");
    assert_eq!(field(&outcome, "denial_codes"), serde_json::json!(["CO-50", "CO-96"]));
    assert_eq!(field(&outcome, "payer_claim_number"), "P-1");
    // A later answer to the whole claim replaces all parts.
    let outcome = in_any_order(&[(&day(1), split), (&day(2), part("1", 100, "P-1", "50"))]);
    assert!(outcome.claims.is_empty() && outcome.held.is_empty());
    assert_eq!(skipped(&outcome, Skip::Replaced), 2);
}

#[test]
fn a_claim_that_one_transaction_answers_twice_is_held() {
    // These may be two parts, or one answer that is repeated or corrected.
    for (first, second) in [
        (part("1", 0, "P-1", "50"), part("1", 40, "P-1", "96")),
        (part("1", 0, "P-1", "50"), part("1", 40, "", "96")),
        (part("1", 0, "", "50"), part("1", 40, "P-1", "96")),
        (part("1", 0, "P-1", "50"), part("1", 100, "P-1", "96")),
        (part("1", 100, "P-1", "50"), part("1", 0, "P-1", "96")),
    ] {
        let both = [first, second].concat();
        let outcome = in_any_order(&[(&day(1), both.clone())]);
        let reason = Hold::AnsweredTwice.text();
        assert_eq!(held(&outcome), [("A-1", reason)]);
        // What comes later is clear.
        let outcome = in_any_order(&[(&day(1), both.clone()), (&day(2), part("1", 100, "P-9", "50"))]);
        assert!(outcome.claims.is_empty() && outcome.held.is_empty());
        let outcome = in_any_order(&[(&day(1), both), (&day(2), part("1", 0, "P-9", "50"))]);
        assert_eq!(numbers(&outcome), ["A-1"]);
    }
    // A reversal between the two makes it clear.
    let reversed = [part("1", 0, "P-1", "50"), part("22", 0, "P-1", "50"), part("1", 40, "P-1", "96")];
    let outcome = in_any_order(&[(&day(1), reversed.concat())]);
    assert_eq!(field(&outcome, "denied_amount"), "60.00");
}

#[test]
fn the_same_transaction_counts_once() {
    let file = era(&part("1", 0, "P-1", "50"));
    let another_envelope = file.replace("000000007", "000000008").replace("*20260210*1200*7*", "*20260211*1300*7*");
    for files in [[&*file, &another_envelope], [&another_envelope, &file], [&file, &file]] {
        let outcome = run(&[files[0], files[1], &jane()]);
        assert_eq!(numbers(&outcome), ["A-1"]);
        assert_eq!(skipped(&outcome, Skip::Repeated), 1);
        assert_eq!(outcome.claims, run(&[&file, &jane()]).claims);
    }
}

#[test]
fn two_versions_of_a_transaction_that_contradict_each_other_are_held() {
    let one = era(&part("1", 0, "P-1", "50"));
    let other = era(&part("1", 0, "P-1", "96"));
    let outcome = run(&[&one, &other, &jane()]);
    assert_eq!(held(&outcome), [("A-1", Hold::Contradiction.text())]);
    assert_eq!(outcome.held, run(&[&other, &one, &jane()]).held);
}

#[test]
fn the_date_of_a_repeated_transaction_is_that_of_its_first_group() {
    let body = "BPR*I*0*C*ACH~N1*PR*ACME~CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~CAS*CO*50*100~";
    let first = super::era_with(body);
    let later = first.replace("*20260210*1200*7*", "*20260220*1200*7*");
    for files in [[&*first, &later], [&later, &first]] {
        let outcome = run(&[files[0], files[1], &jane()]);
        assert_eq!(field(&outcome, "denial_date"), "2026-02-10");
    }
}

#[test]
fn an_explanation_has_each_step() {
    let mut options = options();
    options.explain = Some("A-1".into());
    let first = era_of("ACME", "20260201", &part("1", 0, "P-1", "50"));
    let second = era_of("ACME", "20260202", &part("1", 20, "P-2", "96"));
    let outcome = run_with(options, &[&first, &second, &jane()]);
    let steps = [
        "0: claim payment 1 of transaction 1, CLP02 1, charge 100.00, paid 0.00",
        "claim: CO-50 100.00: a denial",
        "the adjustments are the difference of charge and payment",
        "denied: 100.00",
        "not written: replaced by a later adjudication",
        "1: claim payment 1 of transaction 1, CLP02 1, charge 100.00, paid 20.00",
        "claim: CO-96 80.00: a denial",
        "the adjustments are the difference of charge and payment",
        "denied: 80.00",
        "it answers A-1 of the claim files",
        "the date of birth is known",
        "written as A-1, denied 80.00",
    ];
    assert_eq!(outcome.explanation, steps);
}
