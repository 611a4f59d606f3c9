//! Later answers that leave out the name or the day, or spell the name in another way.

use super::history::part;
use super::{era, era_of, held, jane, numbers, run};
use crate::Outcome;
use crate::claims::LOOKS;
use alloc::format;
use alloc::string::String;

const LATER: &str = "a later answer of the payer has this claim number, but another name or no day of service";
const NAME: &str = "NM1*QC*1*DOE*JANE****MI*W1~";
const DAY: &str = "DTM*232*20260105~";

/// A claim file with a date of birth for Jane Doe, but not this claim's day.
fn births() -> String {
    jane().replace("CLM*A-1*", "CLM*B-1*")
}

/// Jane Doe's denial of the first day, and this answer of the second, in both orders of the files.
fn after_a_denial(denial: &str, answer: &str) -> Outcome {
    let files = [era_of("ACME", "20260201", denial), era_of("ACME", "20260202", answer)];
    let outcome = run(&[&files[0], &files[1], &births()]);
    let turned = run(&[&births(), &files[1], &files[0]]);
    assert_eq!((&outcome.claims, &outcome.held), (&turned.claims, &turned.held));
    outcome
}

#[test]
fn a_denial_is_held_if_a_later_payment_has_another_name_or_no_day() {
    let denial = part("1", 0, "P-1", "50");
    let paid = part("1", 100, "P-2", "50");
    for answer in [
        paid.replace("JANE", "JANET"),
        paid.replace(NAME, ""),
        paid.replace(DAY, ""),
        paid.replace(NAME, "").replace(DAY, ""),
        paid.replace("JANE", "JANET").replace(DAY, ""),
    ] {
        let outcome = after_a_denial(&denial, &answer);
        assert_eq!(held(&outcome), [("A-1", LATER.into())], "{answer}");
        assert!(outcome.claims.is_empty());
    }
}

#[test]
fn a_denial_is_held_if_a_later_reversal_finds_nothing_and_has_another_name() {
    let denial = part("1", 0, "P-1", "50");
    let reversal = part("22", 0, "P-9", "50").replace("JANE", "JANET");
    let outcome = after_a_denial(&denial, &reversal);
    assert_eq!(held(&outcome), [("A-1", LATER.into())]);
}

#[test]
fn a_denial_without_a_day_is_held_if_a_later_payment_has_one() {
    let denial = part("1", 0, "P-1", "50").replace(DAY, "");
    let outcome = after_a_denial(&denial, &part("1", 100, "P-2", "50"));
    assert_eq!(held(&outcome), [("A-1", LATER.into())]);
}

#[test]
fn another_visit_another_payer_and_an_earlier_payment_contest_nothing() {
    let denial = part("1", 0, "P-1", "50");
    let paid = part("1", 100, "P-2", "50");
    let visit = paid.replace("20260105", "20260106");
    let pending = part("5", 0, "P-2", "50").replace("JANE", "JANET");
    for answer in
        [visit.clone(), visit.replace("JANE", "JANET"), pending, paid.replace("A-1", "A-2").replace("JANE", "JANET")]
    {
        assert_eq!(numbers(&after_a_denial(&denial, &answer)), ["A-1"], "{answer}");
    }
    let janet = paid.replace("JANE", "JANET");
    let files =
        [era_of("ACME", "20260201", &janet), era_of("ACME", "20260202", &denial), era_of("OTHER", "20260203", &janet)];
    let outcome = run(&[&files[0], &files[1], &files[2], &births()]);
    assert_eq!(numbers(&outcome), ["A-1"]);
}

#[test]
fn without_a_claim_number_only_an_answer_without_a_name_or_a_day_contests() {
    let denial = part("1", 0, "P-1", "50").replace("A-1", "0");
    let paid = part("1", 100, "P-2", "50").replace("A-1", "0");
    let outcome = |answer: &str| {
        let files = [era_of("ACME", "20260201", &denial), era_of("ACME", "20260202", answer)];
        run(&[&files[0], &files[1], &jane()])
    };
    assert_eq!(numbers(&outcome(&paid.replace("JANE", "JANET"))), ["A-1"]);
    let other_charge = paid.replace("*100*100*", "*90*90*").replace(NAME, "");
    assert_eq!(numbers(&outcome(&other_charge)), ["A-1"]);
    let nameless = outcome(&paid.replace(NAME, ""));
    assert_eq!(held(&nameless), [("A-1", LATER.into())]);
}

#[test]
fn of_one_payers_denials_with_two_spellings_the_latest_counts() {
    let first = part("1", 0, "P-1", "50");
    let second = part("1", 60, "P-2", "96").replace("JANE", "JANET");
    let files = [era_of("ACME", "20260201", &first), era_of("ACME", "20260202", &second)];
    for files in [[&files[0], &files[1]], [&files[1], &files[0]]] {
        let outcome = run(&[files[0], files[1], &jane()]);
        assert_eq!(super::field(&outcome, "denied_amount"), "40.00");
        assert_eq!(super::field(&outcome, "payer_claim_number"), "P-2");
        assert_eq!(super::skipped(&outcome, crate::Skip::Replaced), 1);
    }
}

#[test]
fn an_earlier_denial_stays_replaced_if_another_payer_settles_the_latest() {
    let first = part("1", 0, "P-1", "50");
    let second = part("1", 60, "P-2", "96").replace("JANE", "JANET");
    let other = part("2", 40, "S-1", "23");
    let files =
        [era_of("ACME", "20260201", &first), era_of("ACME", "20260202", &second), era_of("SECOND", "20260203", &other)];
    let outcome = run(&[&files[0], &files[1], &files[2], &jane()]);
    assert!(outcome.claims.is_empty() && outcome.held.is_empty());
    assert_eq!(super::skipped(&outcome, crate::Skip::Settled), 1);
    assert_eq!(super::skipped(&outcome, crate::Skip::Replaced), 1);
}

#[test]
fn a_secondary_payers_denials_with_two_spellings_leave_the_primarys() {
    let secondary = part("2", 0, "S-1", "50");
    let later = part("2", 60, "S-2", "96").replace("JANE", "JANET");
    let primary = part("1", 0, "P-1", "50");
    let files = [
        era_of("SECOND", "20260204", &secondary),
        era_of("SECOND", "20260205", &later),
        era_of("ACME", "20260201", &primary),
    ];
    let outcome = run(&[&files[0], &files[1], &files[2], &jane()]);
    assert_eq!(super::field(&outcome, "payer_claim_number"), "P-1");
    assert_eq!(super::skipped(&outcome, crate::Skip::Replaced), 1);
    assert_eq!(super::skipped(&outcome, crate::Skip::PrimaryDenied), 1);
}

/// How often the rules look at an answer of a transaction.
fn looks(body: &str) -> u64 {
    let before = LOOKS.get();
    let outcome = run(&[&era(body)]);
    assert!(outcome.claims.is_empty());
    LOOKS.get() - before
}

#[test]
fn many_answers_under_one_number_take_no_more_looks_each() {
    let body = |answers: usize, text: fn(usize) -> String| (0..answers).map(text).collect::<String>();
    for text in [
        // Claims of a payer that got no number, and their reversals.
        |at| format!("CLP*0*1*{0}*0**12*P{at}~CLP*0*22*-{0}*0**12*R{at}~", at + 1),
        // Parts of one claim.
        |at| format!("CLP*A-1*1*100*0**12*P{at}~"),
        // Answers of one claim that are no parts.
        |_| String::from("CLP*A-1*1*100*0**12*P-1~"),
        // Parts of one claim, and reversals that find nothing.
        |at| format!("CLP*A-1*1*100*0**12*P{at}~CLP*A-1*22*-90*0**12*R{at}~"),
    ] {
        let few = looks(&body(500, text));
        let many = looks(&body(4_000, text));
        assert!(few > 500 && many <= few * 9, "{few} and {many}");
    }
}
