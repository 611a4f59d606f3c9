//! Status reads.

use crate::program::{end, program_for, run};
use crate::service::{Act, Service};
use serde_json::{Value, json};
use std::io::Write;

fn claim(number: &str, appeal_button: bool) -> Value {
    let signing = json!({ "status": "not_decided", "appeal_button": appeal_button });
    json!({ "claim": { "claim_number": number, "id": "01a1", "status": "in_appeal", "signing": signing } })
}

#[test]
fn each_number_has_a_row_and_one_that_is_not_found_tells() {
    let service = Service::new([Act::Say(200, "", claim("A/1 é", true)), Act::Say(200, "", claim("B+2", false))]);
    let asked = run(program_for(&service, &["status", "A/1 é", "B+2", "C", " "]), "");
    let expected = "NUMBER  STATUS                    SIGNING      APPEAL BUTTON\n\
                    A/1 é   in_appeal                 not_decided  on\n\
                    B+2     in_appeal                 not_decided  off\n\
                    C       not found\n        claim_number is required\n";
    assert_eq!((asked.status, &*asked.out), (1, expected));
    let heads = service.heads();
    assert!(heads[0].starts_with("GET /api/v1/claims/status?claim_number=A%2F1+%C3%A9 HTTP/1.1\r\n"));
    assert!(heads[1].contains("claim_number=B%2B2 "));
    assert_eq!(heads.len(), 3);
}

#[test]
fn numbers_are_read_from_standard_input_and_written_as_json() {
    let found = |number| Act::Say(200, "", claim(number, true));
    let service = Service::new([found("A"), found("B")]);
    let asked = run(program_for(&service, &["status", "--json", "-"]), "\u{feff}A\r\n\nB");
    assert_eq!(asked.status, 0);
    assert_eq!(
        asked.events(),
        [
            json!({ "event": "claim", "claim_number": "A", "id": "01a1", "status": "in_appeal",
                "signing": { "status": "not_decided", "appeal_button": true } }),
            json!({ "event": "claim", "claim_number": "B", "id": "01a1", "status": "in_appeal",
                "signing": { "status": "not_decided", "appeal_button": true } }),
            json!({ "event": "summary", "complete": true, "found": 2, "missing": 0 }),
        ]
    );
}

#[test]
fn a_line_that_is_too_long_is_reported_and_not_queried() {
    let service = Service::new([Act::Say(200, "", claim("B", true))]);
    let lines = format!("{}TAIL\nB\n", "x".repeat(5_000));
    let asked = run(program_for(&service, &["status", "--json", "-"]), &lines);
    assert_eq!((asked.status, service.heads().len()), (1, 1));
    let events = asked.events();
    assert_eq!(events[0]["error"], "claim_number must be at most 128 characters");
    assert_eq!(events[1]["claim_number"], "B");
    assert_eq!(events.len(), 3);
}

#[test]
fn numbers_in_utf_16_are_not_taken_for_others() {
    let service = Service::new([]);
    let mut child = program_for(&service, &["status", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"\xff\xfeA\0\n\0").unwrap();
    drop(stdin);
    let asked = end(child);
    assert_eq!((asked.status, service.heads().len()), (2, 0));
    assert!(asked.err.contains("UTF-16"), "{}", asked.err);
}

#[test]
fn an_answer_about_another_claim_is_not_believed() {
    let service = Service::new([Act::Say(200, "", claim("B", true))]);
    let asked = run(program_for(&service, &["status", "A"]), "");
    assert_eq!((asked.status, &*asked.out), (3, ""));
    assert!(asked.err.contains("not this service"), "{}", asked.err);
}

#[test]
fn another_service_differs_from_a_missing_claim() {
    for (status, body) in [(404, Value::Null), (404, json!({ "error": { "code": "not_found" } })), (200, Value::Null)] {
        let service = Service::new([Act::Say(status, "", body)]);
        let asked = run(program_for(&service, &["status", "A"]), "");
        assert_eq!((asked.status, &*asked.out), (3, ""), "{}", asked.err);
    }
}
