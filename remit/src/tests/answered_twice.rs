//! Claims that one transaction answers twice: parts, repetitions and corrections look alike, so nothing is written or dropped.

use super::history::part;
use super::{era, era_of, field, held, jane, numbers, run, skipped};
use crate::{Hold, Outcome, Skip};
use alloc::string::String;
use alloc::vec::Vec;

/// The claim numbers that are held because of two answers. Nothing is written.
fn doubtful(outcome: &Outcome) -> usize {
    assert!(outcome.claims.is_empty(), "{:?}", numbers(outcome));
    let reason = Hold::AnsweredTwice.text();
    let held = held(outcome);
    assert!(held.iter().all(|(_, why)| *why == reason), "{held:?}");
    held.len()
}

/// Two answers with one CLP07.
fn twice() -> String {
    [part("1", 0, "P-1", "50"), part("1", 40, "P-1", "96")].concat()
}

#[test]
fn one_reversal_leaves_two_answers_unclear() {
    let reversal = part("22", 0, "P-1", "50");
    for second in [part("1", 0, "P-1", "50"), part("1", 40, "P-1", "96")] {
        let both = [part("1", 0, "P-1", "50"), second].concat();
        let first = era_of("ACME", "20260201", &both);
        let later = era_of("ACME", "20260202", &reversal);
        for files in [[&first, &later], [&later, &first]] {
            assert_eq!(doubtful(&run(&[files[0], files[1], &jane()])), 1);
        }
        let same = era(&[both, reversal.clone()].concat());
        assert_eq!(doubtful(&run(&[&same, &jane()])), 1);
    }
}

#[test]
fn two_answers_of_another_payer_settle_only_what_each_of_them_covers() {
    let primary = era_of("FIRST", "20260201", &part("1", 40, "P-1", "50"));
    let answer = |paid: i32| {
        let rest = 100 - paid - 50;
        let adjusted = ["CAS*OA*23*50~", &alloc::format!("CAS*PR*1*{rest}~")].concat();
        alloc::format!("CLP*A-1*2*100*{paid}**12*S-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{adjusted}")
    };
    let both = |paid: i32| era_of("SECOND", "20260203", &[answer(paid), answer(paid)].concat());
    // 40 twice would cover the 60 that were denied, if the answers are two parts.
    assert_eq!(doubtful(&run(&[&primary, &both(40), &jane()])), 1);
    let once = era_of("SECOND", "20260203", &answer(40));
    let outcome = run(&[&primary, &once, &jane()]);
    assert_eq!(field(&outcome, "denied_amount"), "60.00");
    // Both sums do not reach it.
    let outcome = run(&[&primary, &both(20), &jane()]);
    assert_eq!(field(&outcome, "denied_amount"), "60.00");
}

#[test]
fn an_edited_copy_changes_neither_a_split_nor_what_is_held() {
    // The claim before them differs, and so do the digests of all that follow.
    let before = |name: &str| part("1", 0, "P-0", "50").replace("A-1", "B-1").replace("JANE", name);
    let split =
        [part("1", 0, "P-1", "50").replace("100", "60"), part("1", 0, "P-2", "96").replace("100", "40")].concat();
    for (body, expected) in [(split, Some("100.00")), (twice(), None)] {
        let copies: Vec<String> = ["ANNE", "ANNIE"].map(|name| era(&[before(name), body.clone()].concat())).into();
        for files in [&copies[..1], &copies[..], &[copies[1].clone(), copies[0].clone()]] {
            let mut all: Vec<&str> = files.iter().map(|file| &**file).collect();
            let jane = jane();
            all.push(&jane);
            let outcome = run(&all);
            match expected {
                Some(amount) => assert_eq!(field(&outcome, "denied_amount"), amount),
                None => assert!(held(&outcome).contains(&("A-1", Hold::AnsweredTwice.text()))),
            }
        }
    }
}

#[test]
fn a_reversal_of_an_edited_copy_takes_nothing_away_again() {
    let earlier = era_of("ACME", "20260201", &part("1", 0, "P-1", "50"));
    // The new decision stands before the reversal of the earlier one.
    let body = [part("1", 40, "P-1", "96"), part("22", 0, "P-1", "50")].concat();
    let new = era_of("ACME", "20260202", &body);
    let copy = new.replacen("NM1*QC*", "REF*EA*MRN1~NM1*QC*", 1);
    for files in [[&new, &copy], [&copy, &new]] {
        let outcome = run(&[&earlier, files[0], files[1], &jane()]);
        assert_eq!(field(&outcome, "denied_amount"), "60.00");
        assert_eq!(skipped(&outcome, Skip::Reversed), 1);
    }
}

#[test]
fn two_spellings_within_one_transaction_are_two_answers() {
    for number in ["P-1", "P-2"] {
        let other = part("1", 40, number, "96").replace("JANE", "JANET");
        let both = [part("1", 0, "P-1", "50"), other].concat();
        assert_eq!(doubtful(&run(&[&era(&both), &jane()])), 2);
    }
}

#[test]
fn no_denial_is_dropped_for_one_that_is_held() {
    let primary = era_of("FIRST", "20260201", &twice());
    let secondary = era_of("SECOND", "20260203", &part("2", 0, "S-1", "50"));
    for files in [[&primary, &secondary], [&secondary, &primary]] {
        let outcome = run(&[files[0], files[1], &jane()]);
        assert_eq!(doubtful(&outcome), 2);
        assert_eq!(skipped(&outcome, Skip::PrimaryDenied), 0);
    }
}
