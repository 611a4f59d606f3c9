//! Confidential data stays inside: canaries go through every route, and the test searches for them everywhere outside.

use super::search::holds;
use overturn_tests::client::{CLAIMS, STATUS, status_of};
use overturn_tests::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Sealed fields, each with a text that occurs nowhere else.
pub(super) const SEALED: [(&str, &str); 9] = [
    ("patient.first_name", "Qanaryfirst"),
    ("patient.last_name", "Qanarylast"),
    ("patient.account_number", "Qanaryaccount"),
    ("patient.member_id", "Qanarymember"),
    ("patient.date_of_birth", "1911-03-07"),
    ("claim.procedure_code", "Qanaryprocedure"),
    ("claim.denial_reason", "Qanaryreason"),
    ("claim.denial_codes", "Qanarydenial"),
    ("claim.diagnosis_codes", "Qanarydiagnosis"),
];
/// Fields that are stored unencrypted by design, but must not be in any log or error.
const QUIET: [&str; 4] = ["Qanarynumber", "Qanarypayernumber", "Qanarypayername", "Qanaryelsewhere"];

pub(super) fn canary_item() -> Value {
    let mut item = full("Qanarynumber");
    for (field, canary) in SEALED {
        item = match field {
            "claim.denial_codes" | "claim.diagnosis_codes" => with(item, field, json!([canary, "CO-50"])),
            _ => with(item, field, canary),
        };
    }
    let item = with(item, "claim.payer_claim_number", "Qanarypayernumber");
    with(item, "claim.payer_name", "Qanarypayername")
}

#[test]
fn every_confidential_field_has_a_canary() {
    let mut fields = SEALED.map(|(field, _)| field);
    fields.sort_unstable();
    assert_eq!(fields, overturn_core::claims::CONFIDENTIAL);
}

/// The names of the fields of an opened claim.
fn confidential(opened: &Value) -> Vec<String> {
    let names = |object: &Value, of: &str| -> Vec<String> {
        let keys = object.as_object().unwrap().keys();
        keys.map(|key| format!("{of}.{key}")).collect()
    };
    let mut found = names(opened, "claim");
    found.retain(|name| name != "claim.patient");
    found.extend(names(&opened["patient"], "patient"));
    found.sort();
    found
}

pub(super) fn all_canaries() -> impl Iterator<Item = &'static str> {
    SEALED.into_iter().map(|(_, canary)| canary).chain(QUIET)
}

#[test]
fn nothing_confidential_is_logged_answered_or_stored_in_the_clear() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let unsigned = Tenant::on(&server, Terms { signed: false, ..Terms::default() });
    let client = tenant.client().with("X-Canary", "Qanaryelsewhere").with("X-Request-Id", "Qanaryelsewhere");
    let good = canary_item();
    let mut answers: Vec<Answer> = Vec::new();

    // Valid requests: only the claim number comes back.
    for answer in [
        client.send(&good),
        client.send(&good),
        client.send(&with(good.clone(), "claim.billed_amount", "99.00")),
        client.send(&with(good.clone(), "patient.first_name", "Qanaryelsewhere")),
        client.send(&with(good.clone(), "claim.date_of_service", "2020-02-02")),
        client.status("Qanarynumber"),
    ] {
        assert!(answer.status == 200 || answer.status == 201, "{}", answer.text());
        let text = answer.text().replace("Qanarynumber", "");
        let said = all_canaries().find(|canary| holds(text.as_bytes(), canary));
        assert_eq!(said, None, "{text}");
    }
    // Every canary is in the sealed value, and every sealed field has a canary.
    let opened = tenant.opened(&tenant.row("Qanarynumber"));
    assert_eq!(confidential(&opened), overturn_core::claims::CONFIDENTIAL);
    for (field, canary) in SEALED {
        assert!(holds(opened.to_string().as_bytes(), canary), "{field}");
    }
    // The practice reads back only what it needs to find its claim.
    let member = tenant.member();
    let listed = member.get("/api/v1/denials?payer_name=Qanarypayername");
    let id = listed.json["denials"][0]["id"].as_str().unwrap();
    let one = member.get(&format!("/api/v1/denials/{id}"));
    for text in [listed.text(), one.text()] {
        let shown = ["Qanarynumber", "Qanarypayernumber", "Qanarypayername"];
        let found: Vec<_> = all_canaries().filter(|canary| holds(text.as_bytes(), canary)).collect();
        assert_eq!(found, shown, "{text}");
    }
    for name in [
        "status",
        "cursor",
        "changes_after",
        "payer_name",
        "denied_to",
        "updated_since",
        "report_id",
        // An invalid name is repeated only if it looks like a name.
        "mistyped",
        "Qanaryelsewhere%20",
        "Qanaryelsewhere%2E",
        "1911-03-07",
        "QanaryelsewhereQanaryelsewhereQanaryelsewhere",
    ] {
        let wrong = "Qanaryelsewhere".repeat(30);
        answers.push(member.get(&format!("/api/v1/denials?{name}={wrong}")));
    }
    answers.push(member.get("/api/v1/denials/Qanaryelsewhere"));
    // Invalid requests, on every route and in every part of a request.
    for (field, canary) in SEALED {
        answers.push(client.send(&with(good.clone(), field, json!({ canary: canary }))));
        answers.push(client.send(&with(good.clone(), field, canary.repeat(300))));
    }
    for field in
        ["claim.claim_number", "claim.payer_claim_number", "claim.payer_name", "claim.plan_type", "claim.billed_amount"]
    {
        answers.push(client.send(&with(good.clone(), field, "Qanaryelsewhere".repeat(30))));
        answers.push(client.send(&with(good.clone(), field, json!(["Qanaryelsewhere"]))));
    }
    let text = good.to_string();
    answers.push(client.send(&batch([good.clone(), good.clone()])));
    answers.push(client.send(&json!({ "claims": [good], "Qanaryelsewhere": 1 })));
    answers.push(client.post(CLAIMS, &text[..text.len() - 1]));
    answers.push(client.post(CLAIMS, text.replace("Qanaryfirst", "Qanaryfirst\\ud800")));
    answers.push(client.post(CLAIMS, text.replace("\"patient\"", "\"patient\":{},\"patient\"")));
    answers.push(client.status("Qanaryelsewhere"));
    answers.push(client.status(&"Qanaryelsewhere".repeat(30)));
    answers.push(client.get(&(status_of("Qanaryelsewhere") + "&claim_number=Qanaryelsewhere")));
    for path in [
        STATUS,
        CLAIMS,
        "/health",
        "/api/v1/openapi.json",
        "/operations/reseal",
        "/Qanaryelsewhere",
        "/api/v1/claims/Qanaryelsewhere",
    ] {
        for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
            let answer =
                client.request(method, &format!("{path}?Qanaryelsewhere=Qanaryelsewhere"), Some(text.as_bytes()));
            // The API description is long, and the valid send was checked above.
            if answer.status != 200 {
                answers.push(answer);
            }
        }
    }
    for key in ["Qanaryelsewhere", "Bearer Qanaryelsewhere", "Bearer ovt_test_Qanaryelsewhere"] {
        answers.push(client.with("Authorization", key).post(CLAIMS, &text));
    }
    answers.push(unsigned.client().send(&canary_item()));
    answers.push(client.with("Tests-Database", r#"{"2": {"fails": "near Qanaryelsewhere"}}"#).send(&item("other")));
    for answer in &answers {
        let text = answer.text();
        assert!(all_canaries().all(|canary| !holds(text.as_bytes(), canary)), "{} {text}", answer.status);
        let headers = format!("{:?}", answer.headers);
        assert!(all_canaries().all(|canary| !holds(headers.as_bytes(), canary)), "{headers}");
    }

    let key = tenant.key.text.clone();
    // Both during the run, when much is still in the write-ahead log, and after the server has stopped.
    assert_nothing_stored(server.state(), &key);
    drop((tenant, unsigned));
    let log = Arc::clone(server.log());
    assert_nothing_stored(&server.stop(), &key);

    let lines = log.lines();
    assert!(lines.len() > answers.len());
    for line in lines {
        let said = all_canaries().find(|canary| holds(line.as_bytes(), canary));
        assert_eq!(said, None, "{line}");
        assert!(!holds(line.as_bytes(), &key), "an API key in a line");
    }
}

fn assert_nothing_stored(state: &State, key: &str) {
    let read = |file: PathBuf| Some((fs::read(&file).ok()?, file));
    let files: Vec<_> = state.files().into_iter().filter_map(read).collect();
    let stored = |canary: &str| {
        let mut holders = files.iter().filter(|(bytes, _)| holds(bytes, canary));
        holders.next().map(|(_, file)| file)
    };
    assert!(stored("Qanarypayername").is_some(), "the search looks where claims are stored");
    for (field, canary) in SEALED {
        assert_eq!(stored(canary), None, "{field}");
    }
    assert_eq!(stored(key), None, "an API key");
}
