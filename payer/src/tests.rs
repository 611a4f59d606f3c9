//! Every file balances, by a checker that knows only X12; and our reader finds what was denied.

mod balance;
mod input;
mod scripts;

use crate::{Case, Expected, HABITS, Habits, case};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use overturn_remit::{Amount, Options, Outcome, Remit};
use proptest::prelude::*;
use serde_json::Value;

pub(super) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

pub(super) fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

/// What our reader makes of files.
pub(super) fn read<'a>(files: impl IntoIterator<Item = &'a str>) -> Outcome {
    let mut remit = Remit::new(Options::new(date("2026-12-31").begins()));
    for file in files {
        remit.open("file");
        remit.push(file.as_bytes()).unwrap();
    }
    remit.finish()
}

/// The claims that were written, in the shape of what is expected, without the number that the payer reports.
pub(super) fn found(outcome: &Outcome) -> Vec<Expected> {
    assert!(outcome.held.is_empty(), "{:?}", outcome.held);
    let claims = outcome.claims.iter().map(|claim| {
        let item: Value = serde_json::from_str(&claim.json).unwrap();
        let text = |name: &str| item["claim"][name].as_str().unwrap().to_string();
        Expected {
            claim_number: claim.claim_number.clone(),
            reported_number: String::new(),
            payer_claim_number: text("payer_claim_number"),
            denied_amount: claim.denied,
            denial_codes: serde_json::from_value(item["claim"]["denial_codes"].clone()).unwrap(),
            denial_date: date(&text("denial_date")),
        }
    });
    claims.collect()
}

pub(super) fn without_reported(expected: &[Expected]) -> Vec<Expected> {
    expected.iter().map(|one| Expected { reported_number: String::new(), ..one.clone() }).collect()
}

fn standard() -> impl Iterator<Item = &'static Habits> {
    HABITS.iter().filter(|habits| habits.is_standard())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn every_case_balances_and_our_reader_finds_what_was_denied(seed in any::<u64>(), at in any::<u32>()) {
        let Case { remittances, claims, expected, .. } = case(seed, at);
        for file in &remittances {
            balance::check(file);
        }
        let files = remittances.iter().chain([&claims]);
        let outcome = read(files.map(String::as_str));
        prop_assert_eq!(found(&outcome), without_reported(&expected));
        prop_assert!(outcome.files.iter().all(|file| file.warnings.is_empty()), "{:?}", outcome.files);
    }
}

#[test]
fn the_suite_has_every_payer_that_writes_by_the_standard_and_every_kind_of_end() {
    let cases: Vec<Case> = (0..400).map(|at| case(1, at)).collect();
    for habits in standard() {
        assert!(cases.iter().any(|case| case.payer == habits.name), "{}", habits.name);
    }
    let files: String = cases.iter().flat_map(|case| case.remittances.clone()).collect();
    for piece in ["*22*-", "PLB*", "*FB:", "*WO:", "LQ*HE*", "MOA*", "CLP|", "CAS*CO*45*", "*4*", "*NON*", "REF*F8*"] {
        assert!(files.contains(piece), "{piece}");
    }
    let none = cases.iter().filter(|case| case.expected.is_empty()).count();
    assert!((20..200).contains(&none), "{none}");
    assert!(cases.iter().any(|case| case.remittances.len() > 3));
}

#[test]
fn the_same_seed_gives_the_same_case_and_another_seed_another() {
    assert_eq!(case(7, 3), case(7, 3));
    assert_ne!(case(7, 3), case(8, 3));
    assert_ne!(case(7, 3), case(7, 8));
}

/// An amount as X12 and the interface have it.
pub(super) fn cents(text: &str) -> i64 {
    Amount::parse(text.as_bytes()).unwrap().0
}
