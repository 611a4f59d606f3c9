//! Invalid requests: every problem is named, in order, and nothing is saved.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;

/// The problems of an empty item.
const REQUIRED: [&str; 9] = [
    "patient.first_name is required",
    "patient.last_name is required",
    "patient.date_of_birth is required (YYYY-MM-DD)",
    "claim.claim_number is required",
    "claim.payer_claim_number is required",
    "claim.payer_name is required",
    "claim.date_of_service is required (YYYY-MM-DD)",
    "claim.billed_amount or claim.denied_amount is required",
    "claim.denial_codes or claim.denial_reason is required",
];

#[test]
fn each_problem_of_a_batch_names_its_item_and_valid_items_are_not_mentioned() {
    let tenant = Tenant::shared();
    let late = with(item("A-2"), "patient.date_of_birth", Value::Null);
    let long = with(item("A-3"), "claim.payer_claim_number", "9".repeat(129));
    let body = batch([item("A-1"), late, json!(5), long, json!({}), item("A-1")]);
    let mut expected = vec![
        "claims[1]: patient.date_of_birth is required (YYYY-MM-DD)".to_owned(),
        "claims[2]: item must be an object".to_owned(),
        "claims[3]: claim.payer_claim_number must be at most 128 characters".to_owned(),
    ];
    expected.extend(REQUIRED.map(|problem| format!("claims[4]: {problem}")));
    expected.push("claims[5]: claim.claim_number appears more than once".to_owned());
    assert_eq!(tenant.client().send(&body).problems(), expected);
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn a_body_that_is_not_json_gets_that_error() {
    let tenant = Tenant::shared();
    for body in ["", " ", "{", "{}{}", "claims", "{'a':1}", "\u{feff}{}", "{\"a\":1,}", "NaN"] {
        let answer = tenant.client().post(CLAIMS, body);
        assert_eq!(answer.problems(), ["body must be valid JSON"], "{body:?}");
    }
}

#[test]
fn one_bad_item_of_a_hundred_keeps_all_from_being_saved() {
    let tenant = Tenant::shared();
    let known = tenant.send(&item("B-0"));
    let (row, counts) = (tenant.row("B-0"), tenant.counts());
    let mut items: Vec<Value> = (0..100).map(|n| item(&format!("B-{n}"))).collect();
    items[0] = with(items[0].clone(), "claim.billed_amount", "5.00");
    items[99] = with(items[99].clone(), "claim.billed_amount", "free");
    let answer = tenant.client().send(&batch(items.clone()));
    let expected = "claims[99]: claim.billed_amount must be a positive amount as text with two decimals";
    assert_eq!(answer.problems(), [expected]);
    assert_eq!((tenant.row("B-0"), tenant.counts()), (row, counts));

    items[99] = item("B-99");
    let sent = tenant.send(&batch(items));
    assert_eq!(sent.created().iter().filter(|created| **created).count(), 99);
    assert_eq!(sent.id(0), known.id(0));
    tenant.check();
}
