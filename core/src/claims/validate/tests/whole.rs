//! Requests with many problems: which are listed, and in which order.

use super::*;
use crate::request::problem::texts;

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
fn an_object_that_is_missing_lists_all_that_it_had_to_hold() {
    let (of_patient, of_claim) = REQUIRED.split_at(3);
    let mut no_claim = full();
    no_claim["claim"] = json!(null);
    let mut no_patient = full();
    no_patient.as_object_mut().unwrap().remove("patient");
    for (body, expected) in [
        (json!({}), &REQUIRED[..]),
        (json!({"patient": {}, "claim": {}}), &REQUIRED),
        (json!({"patient": null, "claim": null}), &REQUIRED),
        (no_claim, of_claim),
        (no_patient, of_patient),
    ] {
        assert_eq!(problems(&body), expected, "{body}");
    }
}

#[test]
fn a_value_that_must_be_an_object_is_checked() {
    for wrong in [json!(5), json!(true), json!("Jane"), json!([]), json!([{}])] {
        let mut body = full();
        body["patient"] = wrong.clone();
        assert_eq!(problems(&body), ["patient must be an object"]);
        body["claim"] = wrong.clone();
        let expected = ["patient must be an object", "claim must be an object"];
        assert_eq!(problems(&body), expected);
        assert_eq!(
            problems(&json!({"claims": [full(), wrong, null, body]})),
            [
                "claims[1]: item must be an object",
                "claims[2]: item must be an object",
                "claims[3]: patient must be an object",
                "claims[3]: claim must be an object",
            ]
        );
    }
}

/// An item with every field invalid, and its problems.
fn all_wrong() -> (Value, [&'static str; 17]) {
    let mut item = full();
    for object in ["patient", "claim"] {
        for (_, value) in item[object].as_object_mut().unwrap() {
            *value = json!(5);
        }
    }
    let problems = [
        "patient.first_name must be text",
        "patient.last_name must be text",
        "patient.date_of_birth must be a date (YYYY-MM-DD)",
        "patient.account_number must be text",
        "patient.member_id must be text",
        "claim.claim_number must be text",
        "claim.payer_claim_number must be text",
        "claim.payer_name must be text",
        "claim.date_of_service must be a date (YYYY-MM-DD)",
        "claim.denial_date must be a date (YYYY-MM-DD)",
        "claim.plan_type must be text",
        "claim.procedure_code must be text",
        "claim.billed_amount must be a positive amount as text with two decimals",
        "claim.denied_amount must be a positive amount as text with two decimals",
        "claim.denial_codes must be an array of text",
        "claim.denial_reason must be text",
        "claim.diagnosis_codes must be an array of text",
    ];
    (item, problems)
}

#[test]
fn every_problem_is_listed_in_the_order_of_the_fields_whatever_the_order_sent() {
    let (item, expected) = all_wrong();
    assert_eq!(problems(&item), expected);
    // serde_json sorts keys alphabetically. Here they come in reverse.
    let reversed = |object: &Value| {
        let fields = object.as_object().unwrap().iter().rev();
        let fields: Vec<String> = fields.map(|(k, v)| format!("\"{k}\":{v}")).collect();
        format!("{{{}}}", fields.join(","))
    };
    let (patient, claim) = (reversed(&item["patient"]), reversed(&item["claim"]));
    let body = format!("{{\"patient\":{patient},\"claim\":{claim}}}");
    let found = intake::parse(body.as_bytes(), &ctx_at(NOW)).unwrap_err();
    assert_eq!(texts(&found), expected);
}

#[test]
fn in_a_batch_each_problem_names_its_item_and_valid_items_are_not_mentioned() {
    let mut second = full();
    set(&mut second, "claim.claim_number", Some(json!("A-2")));
    set(&mut second, "patient.date_of_birth", None);
    let (wrong, of_wrong) = all_wrong();
    let mut expected = Vec::from(["claims[1]: patient.date_of_birth is required (YYYY-MM-DD)".to_owned()]);
    expected.extend(of_wrong.map(|problem| format!("claims[2]: {problem}")));
    expected.extend(REQUIRED.map(|problem| format!("claims[3]: {problem}")));
    let body = json!({"claims": [full(), second, wrong, {}]});
    assert_eq!(problems(&body), expected);
}

#[test]
fn a_claim_number_that_came_before_in_the_batch_is_a_problem_of_the_later_item() {
    const AGAIN: &str = "claim.claim_number appears more than once";
    let numbered = |number: &str| with("claim.claim_number", Some(json!(number)));
    let long = "n".repeat(129);
    let rows: [(&[&str], &[(usize, &str)]); 7] = [
        (&["A", "B", "C"], &[]),
        (&["A", "B", "A"], &[(2, AGAIN)]),
        (&["A", "A", "A"], &[(1, AGAIN), (2, AGAIN)]),
        (&["A", "a", " A", "A "], &[]),
        (&["é", "e\u{301}"], &[]),
        (
            &[&long, &long],
            &[
                (0, "claim.claim_number must be at most 128 characters"),
                (1, "claim.claim_number must be at most 128 characters"),
                (1, AGAIN),
            ],
        ),
        (
            &["", " ", "", " "],
            &[
                (0, "claim.claim_number is required"),
                (1, "claim.claim_number is required"),
                (2, "claim.claim_number is required"),
                (3, "claim.claim_number is required"),
            ],
        ),
    ];
    for (numbers, expected) in rows {
        let items: Vec<Value> = numbers.iter().map(|number| numbered(number)).collect();
        let expected: Vec<String> = expected.iter().map(|(n, problem)| format!("claims[{n}]: {problem}")).collect();
        assert_eq!(problems(&json!({"claims": items})), expected);
    }

    // Another problem of the item, or another JSON spelling, does not hide the repetition.
    let mut invalid = full();
    set(&mut invalid, "patient.first_name", None);
    let body = json!({"claims": [invalid, full()]}).to_string();
    let expected =
        ["claims[0]: patient.first_name is required", "claims[1]: claim.claim_number appears more than once"];
    let (head, tail) = body.rsplit_once("\"A-1\"").unwrap();
    let escaped = format!("{head}\"\\u0041-1\"{tail}");
    for body in [body, escaped] {
        assert_eq!(texts(&intake::parse(body.as_bytes(), &ctx_at(NOW)).unwrap_err()), expected);
    }
}

#[test]
fn a_hundred_items_with_over_thirty_problems_each_list_them_all() {
    let (wrong, of_wrong) = all_wrong();
    // Every key twice, which is a problem for each key.
    let doubled = |object: &Value| {
        let fields = object.as_object().unwrap().iter();
        let fields: Vec<String> = fields.map(|(k, v)| format!("\"{k}\":\"x\",\"{k}\":{v}")).collect();
        format!("{{{}}}", fields.join(","))
    };
    let (patient, claim) = (doubled(&wrong["patient"]), doubled(&wrong["claim"]));
    let item = format!("{{\"patient\":{patient},\"claim\":{claim}}}");
    let items: Vec<&str> = core::iter::repeat_n(&*item, 100).collect();
    let body = format!("{{\"claims\":[{}]}}", items.join(","));
    let found = intake::parse(body.as_bytes(), &ctx_at(NOW)).unwrap_err();
    let found = texts(&found);
    assert_eq!(found.len(), 100 * 2 * of_wrong.len());
    for n in 0..100 {
        for problem in of_wrong {
            let expected = format!("claims[{n}]: {problem}");
            assert_eq!(found.iter().filter(|found| **found == expected).count(), 1);
        }
        let again = format!("claims[{n}]: claim.denial_codes must be given only once");
        assert!(found.contains(&again));
    }
}

#[test]
fn a_batch_that_is_too_long_also_lists_the_problems_of_its_first_hundred_items() {
    let mut items: Vec<Value> = (0..100).map(|n| with("claim.claim_number", Some(json!(format!("A-{n}"))))).collect();
    items[1]["patient"]["last_name"] = json!(null);
    items[99] = json!(5);
    items.push(json!({}));
    let expected = [
        "claims must have 1 to 100 items",
        "claims[1]: patient.last_name is required",
        "claims[99]: item must be an object",
    ];
    assert_eq!(problems(&json!({ "claims": items })), expected);
}

#[test]
fn text_without_escapes_is_not_copied() {
    let body = full().to_string();
    let send = intake::parse(body.as_bytes(), &ctx_at(NOW)).unwrap();
    let item = &send.items[0];
    let is_borrowed = |text: &Cow<'_, str>| matches!(text, Cow::Borrowed(_));
    assert!(is_borrowed(&item.patient.first_name));
    assert!(is_borrowed(&item.claim.claim_number));
    assert!(item.claim.denial_codes.iter().all(is_borrowed));
}
