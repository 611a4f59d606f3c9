//! The program and the service report the same problems.

use crate::program::{File, run};
use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;

#[test]
fn a_claim_is_invalid_in_the_words_of_the_service() {
    let tenant = Tenant::shared();
    let wrong = [
        with(item("A"), "patient.first_name", Value::Null),
        with(item("A"), "claim.date_of_service", "2999-12-31"),
        with(item("A"), "claim.plan_type", "hmo"),
        with(item("A"), "claim.denial_codes", vec!["x"; 21]),
        with(item(&"9".repeat(129)), "claim.billed_amount", 1),
        json!({}),
        json!([]),
        batch([item("A"), json!({ "patient": 1 })]),
        json!({ "claims": [item("A")], "claim": null }),
        json!({ "claims": [] }),
        json!({ "claims": 5 }),
    ];
    for body in wrong {
        let file = File::of_lines("words", [body.clone()]);
        let checked = run(&tenant, &["validate", "--json", file.path()]);
        assert_eq!(checked.status, Some(1));
        let invalid = checked.events.iter().filter(|event| event["event"] == "invalid");
        let mut said: Vec<String> = invalid.flat_map(said).collect();
        if body.is_array() {
            // After the service's words, the program adds a hint.
            let (words, hint) = said[0].split_once(" (").unwrap();
            assert!(hint.starts_with("an array is not one"), "{hint}");
            said[0] = words.to_owned();
        }
        assert_eq!(said, tenant.client().post(CLAIMS, body.to_string()).problems());
    }
}

/// The problems in the service's words.
fn said(event: &Value) -> Vec<String> {
    let problems = event["problems"].as_array().unwrap().iter();
    let place = event["index"].as_u64().map_or(String::new(), |index| format!("claims[{index}]: "));
    problems.map(|problem| format!("{place}{}", problem.as_str().unwrap())).collect()
}

#[test]
fn a_status_is_that_of_the_service() {
    let tenant = Tenant::shared();
    let number = "A/1 + é?&=%";
    let id = tenant.client().send(&item(number)).json["claims"][0]["id"].clone();
    let asked = run(&tenant, &["status", "--json", number, "B"]);
    assert_eq!(asked.status, Some(1));
    assert_eq!(
        asked.events,
        [
            json!({ "event": "claim", "claim_number": number, "id": id, "status": "received",
                "signing": { "status": "not_decided", "appeal_button": true } }),
            json!({ "event": "missing", "claim_number": "B", "error": "not found" }),
            json!({ "event": "summary", "complete": true, "found": 1, "missing": 1 }),
        ]
    );
}

#[test]
fn refusals_of_the_service_are_explained() {
    let server = Server::shared();
    let unsigned = Tenant::on(server, Terms { signed: false, ..Terms::default() });
    let mut reader = Tenant::new(server);
    reader.key = reader.key(&[Scope::ClaimsRead], Realm::Test);
    let mut stranger = Tenant::new(server);
    stranger.key = stranger.key(&Scope::ALL, Realm::Live);
    let file = File::of_lines("refused", [item("A")]);
    for (tenant, says) in [
        (unsigned, "in the practice settings under Agreements"),
        (reader, "the API key lacks the permission claims:write"),
        (stranger, "this is a live key, which only production takes"),
    ] {
        let sent = run(&tenant, &["send", "--json", file.path()]);
        assert_eq!((sent.status, tenant.claims()), (Some(3), 0));
        assert!(sent.notes.contains(says), "{}", sent.notes);
    }
}
