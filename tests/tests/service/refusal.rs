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
fn a_number_of_another_claim_of_the_patient_is_refused() {
    let tenant = Tenant::shared();
    tenant.send(&full("A-1"));
    let (row, counts) = (tenant.row("A-1"), tenant.counts());
    for (field, value) in [
        ("claim.date_of_service", "2025-01-03"),
        ("claim.procedure_code", "99213"),
        ("claim.procedure_code", "99213-26"),
    ] {
        let other = with(with(full("A-1"), field, value), "claim.payer_claim_number", "ICN-9");
        assert_eq!(tenant.send(&other).errors(), [Some(OTHER_CLAIM)], "{field}");
    }
    assert_eq!((tenant.row("A-1"), tenant.counts()), (row, counts));
}

#[test]
fn another_patient_goes_before_another_claim() {
    let tenant = Tenant::shared();
    tenant.send(&full("A-1"));
    let other = with(with(full("A-1"), "claim.date_of_service", "2025-01-03"), "patient.last_name", "Roe");
    assert_eq!(tenant.send(&other).errors(), [Some(OTHER_PATIENT)]);
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

#[test]
fn a_batch_of_refusals_only_creates_nothing() {
    let tenant = Tenant::shared();
    tenant.send(&numbered(["A-1", "A-2"]));
    let counts = tenant.counts();
    let refused = ["A-1", "A-2"].map(|number| with(item(number), "patient.last_name", "Roe"));
    let sent = tenant.send(&batch(refused));
    assert_eq!(sent.submission_id, None);
    assert_eq!(sent.errors(), [Some(OTHER_PATIENT); 2]);
    assert_eq!(tenant.counts(), counts);
}

/// Names and other spellings of them.
const SAME: [(&str, &[&str]); 8] = [
    ("Jane", &["JANE", "jane", " Jane ", "\tJane\n", "Ｊａｎｅ", "\u{a0}Jane\u{3000}"]),
    ("Mary Ann", &["Mary  Ann", "MARY\u{a0}ANN", "mary\tann", "Mary\u{2003}Ann"]),
    ("José", &["Jose\u{301}", "JOSÉ", "JOSE\u{301}"]),
    ("Strauß", &["STRAUSS", "strauss", "Strau\u{1e9e}"]),
    ("Σίσυφος", &["ΣΊΣΥΦΟΣ", "σίσυφοσ"]),
    ("Ångström", &["\u{212b}NGSTRÖM", "A\u{30a}ngstro\u{308}m"]),
    ("Fiona", &["ﬁona", "FIONA"]),
    ("王小明", &["\u{738b}\u{5c0f}\u{660e}"]),
];

#[test]
fn a_name_in_another_case_white_space_or_form_of_unicode_is_the_same_patient() {
    let tenant = Tenant::shared();
    for field in ["patient.first_name", "patient.last_name"] {
        for (name, spellings) in SAME {
            let number = format!("{field} {name}");
            tenant.send(&with(item(&number), field, name));
            for spelling in spellings {
                let again = tenant.send(&with(item(&number), field, *spelling));
                assert_eq!(again.errors(), [None], "{name:?} and {spelling:?}");
            }
        }
    }
}

#[test]
fn a_name_with_other_letters_is_another_patient() {
    let tenant = Tenant::shared();
    for (n, (name, others)) in [
        ("José", &["Jose", "Joseé", "José Luis"][..]),
        ("Mary Ann", &["MaryAnn", "Mary-Ann", "Ann Mary"]),
        ("Straße", &["Strase", "Stras\u{17f}"]),
        ("O'Brien", &["OBrien", "O\u{2019}Brien"]),
        ("Jane", &["Jan", "Jane.", "Jane\u{200b}", "Jаne"]),
    ]
    .into_iter()
    .enumerate()
    {
        let number = format!("N-{n}");
        tenant.send(&with(item(&number), "patient.first_name", name));
        for other in others {
            let sent = tenant.send(&with(item(&number), "patient.first_name", *other));
            assert_eq!(sent.errors(), [Some(OTHER_PATIENT)], "{name:?} and {other:?}");
        }
    }
}

#[test]
fn first_and_last_name_do_not_run_together() {
    let tenant = Tenant::shared();
    let named =
        |first: &str, last: &str| with(with(item("A-1"), "patient.first_name", first), "patient.last_name", last);
    tenant.send(&named("Ann Marie", "Doe"));
    for (first, last) in [("Ann", "Marie Doe"), ("Doe", "Ann Marie"), ("Ann MarieD", "oe")] {
        assert_eq!(tenant.send(&named(first, last)).errors(), [Some(OTHER_PATIENT)]);
    }
}

#[test]
fn a_procedure_code_in_another_case_or_white_space_is_the_same_claim() {
    let tenant = Tenant::shared();
    let coded = |code: &str| with(item("A-1"), "claim.procedure_code", code);
    tenant.send(&coded("A0425-RH"));
    for code in ["a0425-rh", " A0425-RH ", "A0425-rh\n"] {
        assert_eq!(tenant.send(&coded(code)).errors(), [None], "{code:?}");
    }
    assert_eq!(tenant.send(&coded("A0425 RH")).errors(), [Some(OTHER_CLAIM)]);
}
