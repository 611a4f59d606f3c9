//! A claim number that is already used for another patient or claim.

use overturn_tests::answer::{OTHER_CLAIM, OTHER_PATIENT};
use overturn_tests::prelude::*;

#[test]
fn a_number_of_another_patient_is_refused_and_says_no_more() {
    let tenant = Tenant::shared();
    tenant.send(&full("A-1"));
    let (row, counts) = (tenant.row("A-1"), tenant.counts());
    for (field, value) in
        [("patient.first_name", "Joan"), ("patient.last_name", "Roe"), ("patient.date_of_birth", "1980-02-28")]
    {
        let other = with(with(full("A-1"), field, value), "claim.billed_amount", "1.00");
        let answer = tenant.client().send(&other);
        let expected = json!({
            "claims": [{ "claim_number": "A-1", "created": false, "error": OTHER_PATIENT }],
            "submission_id": null,
        });
        assert_eq!((answer.status, answer.json), (200, expected), "{field}");
    }
    assert_eq!((tenant.row("A-1"), tenant.counts()), (row, counts));
}

#[test]
fn a_refused_item_does_not_keep_the_others_back() {
    let tenant = Tenant::shared();
    tenant.send(&numbered(["A-1", "A-2"]));
    let body = batch([
        item("A-3"),
        with(item("A-1"), "patient.first_name", "Joan"),
        item("A-4"),
        with(item("A-2"), "claim.date_of_service", "2024-12-31"),
        item("A-5"),
    ]);
    let sent = tenant.send(&body);
    assert_eq!(sent.created(), [true, false, true, false, true]);
    assert_eq!(sent.errors(), [None, Some(OTHER_PATIENT), None, Some(OTHER_CLAIM), None]);
    assert_eq!(tenant.claims(), 5);
    tenant.check();
}
