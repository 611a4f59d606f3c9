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

const PLAN_TYPES: [&str; 10] = [
    "commercial",
    "erisa",
    "aca_individual",
    "medicare",
    "medicare_advantage",
    "medi_cal_managed",
    "medi_cal_ffs",
    "tricare",
    "workers_comp",
    "other",
];

#[test]
fn an_item_without_anything_names_all_that_is_required() {
    let tenant = Tenant::shared();
    for body in [
        json!({}),
        json!({ "patient": null, "claim": null }),
        json!({ "patient": {}, "claim": {} }),
        json!({ "patient": { "first_name": " " }, "claim": { "denial_codes": [], "billed_amount": "" } }),
    ] {
        assert_eq!(tenant.client().send(&body).problems(), REQUIRED, "{body}");
    }
    assert_eq!(tenant.claims(), 0);
}

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
fn each_rule_of_a_field_has_its_message() {
    let tenant = Tenant::shared();
    let amount = "must be a positive amount as text with two decimals";
    let plan_types = format!("must be one of {}", PLAN_TYPES.join(", "));
    for (field, value, problem) in [
        ("patient.first_name", json!(7), "must be text"),
        ("patient.last_name", json!("x".repeat(201)), "must be at most 200 characters"),
        ("patient.date_of_birth", json!("02/29/1980"), "must be a date (YYYY-MM-DD)"),
        ("patient.date_of_birth", json!("2023-02-29"), "must be a date (YYYY-MM-DD)"),
        ("patient.account_number", json!(["x"]), "must be text"),
        ("patient.member_id", json!("x".repeat(201)), "must be at most 200 characters"),
        ("claim.claim_number", json!("x".repeat(129)), "must be at most 128 characters"),
        ("claim.claim_number", json!("A\u{0}"), "must have printable characters only"),
        ("claim.claim_number", json!(17), "must be text"),
        ("claim.payer_claim_number", json!("A\nB"), "must have printable characters only"),
        ("claim.payer_name", json!("x".repeat(201)), "must be at most 200 characters"),
        ("claim.date_of_service", json!("9999-12-31"), "must not be in the future"),
        ("claim.denial_date", json!("9999-12-31"), "must not be in the future"),
        ("claim.plan_type", json!("hmo"), &plan_types),
        ("claim.procedure_code", json!("x".repeat(201)), "must be at most 200 characters"),
        ("claim.billed_amount", json!("0.00"), amount),
        ("claim.billed_amount", json!("-1.00"), amount),
        ("claim.billed_amount", json!(120.5), amount),
        ("claim.denied_amount", json!("12"), amount),
        ("claim.denial_codes", json!(vec!["N1"; 21]), "must have at most 20 items"),
        ("claim.denial_codes", json!("N1,".repeat(21)), "must have at most 20 items"),
        ("claim.denial_codes", json!([1]), "must be an array of text"),
        ("claim.denial_reason", json!("x".repeat(2001)), "must be at most 2000 characters"),
        ("claim.diagnosis_codes", json!("J10.1"), "must be an array of text"),
    ] {
        let body = with(full("A-1"), field, value.clone());
        let expected = [format!("{field} {problem}")];
        assert_eq!(tenant.client().send(&body).problems(), expected, "{value}");
    }
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn every_plan_type_and_both_ways_to_write_codes_are_taken() {
    let tenant = Tenant::shared();
    let items = PLAN_TYPES.map(|plan| with(item(plan), "claim.plan_type", plan));
    assert_eq!(tenant.send(&batch(items)).created(), [true; 10]);
    let body = with(item("A-1"), "claim.denial_codes", " CO-45 , N130,, free text ");
    assert_eq!(tenant.send(&body).created(), [true]);
    let row = tenant.row("A-1");
    assert_eq!(row["adjustment_codes"], r#"["CO-45","N130"]"#);
    assert_eq!(tenant.opened(&row)["denial_codes"], json!(["CO-45", "N130", "free text"]));
}

#[test]
fn one_of_two_amounts_and_one_of_two_reasons_are_enough() {
    let tenant = Tenant::shared();
    let none = Value::Null;
    let denied = with(with(item("A-1"), "claim.billed_amount", none.clone()), "claim.denied_amount", "1.00");
    let told = with(with(item("A-2"), "claim.denial_codes", none.clone()), "claim.denial_reason", "no");
    assert_eq!(tenant.send(&batch([denied, told])).created(), [true, true]);
    let neither = with(with(item("A-3"), "claim.billed_amount", none.clone()), "claim.denial_codes", none);
    assert_eq!(tenant.client().send(&neither).problems(), REQUIRED[7..]);
}

#[test]
fn today_is_not_the_future_and_tomorrow_is() {
    let tenant = Tenant::shared();
    let date = |days: i64| overturn_core::base::date::Date::of(now().plus(days * 86_400_000)).to_string();
    loop {
        let (today, tomorrow) = (date(0), date(1));
        let sent = ["patient.date_of_birth", "claim.date_of_service", "claim.denial_date"].map(|field| {
            let body = with(item(&format!("{field} {today}")), field, today.clone());
            let late = with(item("late"), field, tomorrow.clone());
            (tenant.client().send(&body), tenant.client().send(&late), field)
        });
        if today != date(0) {
            continue;
        }
        for (on_time, late, field) in sent {
            assert_eq!(on_time.status, 201, "{field}");
            assert_eq!(late.problems(), [format!("{field} must not be in the future")]);
        }
        break;
    }
}

#[test]
fn the_envelope_is_an_item_or_a_batch_and_never_both() {
    let tenant = Tenant::shared();
    let both = "claims must be the only key of a batch";
    let size = "claims must have 1 to 100 items";
    let repeated: Vec<Value> = (0..101).map(|n| item(&format!("R-{n}"))).collect();
    for (body, problem) in [
        (json!([item("A-1")]), "body must be an object"),
        (json!("text"), "body must be an object"),
        (json!(null), "body must be an object"),
        (json!({ "claims": [] }), size),
        (batch(repeated), size),
        (json!({ "claims": null }), "claims must be an array"),
        (json!({ "claims": { "0": item("A-1") } }), "claims must be an array"),
        (json!({ "claims": [item("A-1")], "dry_run": true }), both),
        (json!({ "claims": [item("A-1")], "patient": item("A-1")["patient"] }), both),
        (json!({ "patient": [], "claim": item("A-1")["claim"] }), "patient must be an object"),
    ] {
        assert_eq!(tenant.client().send(&body).problems(), [problem], "{body}");
    }
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

#[test]
fn a_hundred_items_wrong_in_every_field_list_each_problem() {
    let tenant = Tenant::shared();
    let mut wrong = full("A-1");
    for object in ["patient", "claim"] {
        for (_, value) in wrong[object].as_object_mut().unwrap() {
            *value = json!(-5);
        }
    }
    let single = tenant.client().send(&wrong).problems();
    assert_eq!(single.len(), 17);
    let many = tenant.client().send(&batch(std::iter::repeat_n(wrong, 100))).problems();
    let expected = (0..100).flat_map(|n| single.iter().map(move |problem| format!("claims[{n}]: {problem}")));
    assert_eq!(many, expected.collect::<Vec<_>>());
}

#[test]
fn a_key_that_comes_twice_is_a_problem_and_not_a_choice() {
    let tenant = Tenant::shared();
    let body = item("A-1").to_string();
    for (from, to, problem) in [
        (r#""claim":"#, r#""claim":{},"claim":"#, "claim must be given only once"),
        (r#""last_name":"#, r#""last_name":"Roe","last_name":"#, "patient.last_name must be given only once"),
        (r#""claim_number":"#, r#""claim_number":"A-2","claim_number":"#, "claim.claim_number must be given only once"),
    ] {
        let twice = body.replacen(from, to, 1);
        assert_ne!(twice, body);
        assert_eq!(tenant.client().post(CLAIMS, twice).problems(), [problem]);
    }
    let twice = numbered(["A-1"]).to_string().replacen(r#"{"claims":"#, r#"{"claims":[],"claims":"#, 1);
    assert_eq!(tenant.client().post(CLAIMS, twice).problems(), ["claims must be given only once"]);
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn no_message_repeats_what_was_sent() {
    let tenant = Tenant::shared();
    let mut body = full("A-1");
    for object in ["patient", "claim"] {
        for (name, value) in body[object].as_object_mut().unwrap() {
            *value = match name.as_str() {
                "denial_codes" | "diagnosis_codes" => json!({ "canary": "canary" }),
                "date_of_birth" | "date_of_service" | "denial_date" | "plan_type" => {
                    json!("canary")
                }
                "billed_amount" | "denied_amount" => json!("canary"),
                _ => json!("canary\u{0}".repeat(400)),
            };
        }
    }
    body["canary"] = json!("canary");
    let answer = tenant.client().send(&body);
    answer.expect(422);
    assert!(!answer.text().contains("canary"), "{}", answer.text());
    let mut many = batch([body]);
    many["canary"] = json!(1);
    assert!(!tenant.client().send(&many).text().contains("canary"));
}
