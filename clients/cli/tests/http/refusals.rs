//! Answers that a retry would not change.

use crate::program::{numbered, program_for, run};
use crate::service::{Act, Service};
use serde_json::{Value, json};

/// Sends two requests of claims, and the service refuses the first.
fn refused(status: u16, headers: &'static str, body: Value) -> String {
    let service = Service::new([Act::Say(status, headers, body)]);
    let sent = run(program_for(&service, &["send", "-"]), &numbered(0..150));
    assert_eq!((sent.status, service.sizes()), (3, vec![100]));
    assert!(sent.out.starts_with("created          0\n"), "{}", sent.out);
    assert!(sent.out.ends_with("not answered   100\n"), "{}", sent.out);
    let error = sent.err.lines().find(|line| line.starts_with("error: "));
    error.unwrap().to_owned()
}

#[test]
fn a_refusal_gets_a_hint() {
    let error = |text: &str| json!({ "error": text });
    for (status, body, says) in [
        (401, error("a valid API key is required"), "this is a test key, which production does not take"),
        (
            403,
            json!({ "error": "a signed agreement is required", "code": "baa_required" }),
            "in the practice settings under Agreements",
        ),
        (
            403,
            error("the API key lacks the permission claims:write"),
            "lacks the permission claims:write. What a key may do",
        ),
        (404, json!({ "error": { "code": "not_found" } }), "no claims interface at this address"),
        (404, Value::Null, "no claims interface at this address"),
        (413, error("body is over 2 MiB"), "too large (body is over 2 MiB)"),
        (
            422,
            json!({ "error": "Invalid request", "errors": ["body must be valid JSON"] }),
            "refuses the call (Invalid request: body must be valid JSON). It will",
        ),
        (422, json!({ "error": "Invalid request", "errors": ["claims[100]: odd"] }), "refuses the call"),
        (422, json!({ "error": "Invalid request" }), "refuses the call (Invalid request). It will"),
        (400, Value::Null, "refuses the call (status 400)"),
        (200, json!({ "hello": "world" }), "not this service"),
        (201, json!({ "claims": [], "submission_id": null }), "not this service"),
    ] {
        let found = refused(status, "", body);
        assert!(found.contains(says), "{status}: {found}");
    }
}

#[test]
fn a_redirect_is_not_followed_with_the_key() {
    let elsewhere = Service::new([]);
    let location: &'static str = format!("Location: {}/api/v1/claims\r\n", elsewhere.url()).leak();
    for status in [301, 302, 307, 308] {
        assert!(refused(status, location, Value::Null).contains("redirect"));
    }
    assert_eq!(elsewhere.heads(), [""; 0]);
}

#[test]
fn words_of_the_service_cannot_steer_the_terminal() {
    let found = refused(400, "", json!({ "error": "a\u{1b}[2Jb" }));
    assert!(found.contains("a\u{fffd}[2Jb"));
}

#[test]
fn an_answer_about_other_claims_is_not_believed() {
    let other = |number: u32| json!({ "claim_number": format!("M-{number}"), "created": true });
    let others: Vec<Value> = (0..100).map(other).collect();
    let found = refused(201, "", json!({ "claims": others, "submission_id": null }));
    assert!(found.contains("not this service"), "{found}");
}
