//! Somebody who writes to the database without a key moves what is sealed. It does not open, and it is noticed.

use overturn_core::id::{ClaimId, SigningLinkId};
use overturn_core::sealed::Place;
use overturn_tests::claims::item;
use overturn_tests::sealed::old_blob;
use overturn_tests::server::{SEALING_KEYS, Server};
use overturn_tests::signing::{Case, NUMBER};
use serde_json::{Value, json};

const TEXT: &str =
    r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"}}"#;

fn noticed(case: &Case<'_>, table: &str) {
    let rows = case.tenant.audit("record.tampered");
    let found = rows
        .iter()
        .any(|row| row["detail"].to_string().contains(table));
    assert!(found, "{table}: {rows:?}");
}

fn eventually(case: &Case<'_>, table: &str) {
    for _ in 0..50 {
        if !case.tenant.audit("record.tampered").is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    noticed(case, table);
}

#[test]
fn a_claim_that_was_copied_into_a_signing_link_is_not_printed() {
    let (case, _token) = Case::needed(Server::shared());
    let row = case.tenant.row(NUMBER);
    let sealed = row["sealed"].as_str().unwrap();
    case.tenant.change(
        "UPDATE signing_links SET sealed = ?2 WHERE practice_id = ?1",
        &[sealed],
    );
    let status = case.tenant.client().status(NUMBER);
    assert_eq!(status.status, 200);
    assert_eq!(status.json["claim"]["signing"]["link"], Value::Null);
    assert!(!status.text().contains("Jane"), "{}", status.text());
    eventually(&case, "signing_links");
}

#[test]
fn what_the_service_sealed_before_is_shown_as_a_link_only_if_it_is_the_token_of_the_link() {
    let (case, token) = Case::needed(Server::shared());
    let link = case.links().remove(0);
    let id = |name: &str| link[name].as_str().unwrap().parse().unwrap();
    let place = Place::SigningLink {
        practice: case.tenant.id,
        claim: ClaimId(id("claim_id")),
        id: SigningLinkId(id("id")),
    };
    let set = |text: &str| {
        let blob = old_blob(SEALING_KEYS, place, text.as_bytes());
        let sql = "UPDATE signing_links SET sealed = ?2, key_version = 1 WHERE practice_id = ?1";
        case.tenant.change(sql, &[&blob]);
        case.tenant.client().status(NUMBER)
    };
    // The old form does not name the column: what opens is looked at before it is shown.
    let status = set(TEXT);
    assert_eq!(status.json["claim"]["signing"]["link"], Value::Null);
    assert!(!status.text().contains("Jane"), "{}", status.text());
    eventually(&case, "signing_links");
    let shown = set(&token);
    let shown = shown.json["claim"]["signing"]["link"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(shown.ends_with(&token), "the old form is read");
}

#[test]
fn a_claim_of_another_number_or_practice_does_not_open() {
    let (case, _token) = Case::needed(Server::shared());
    let _other = case.tenant.send(&item("A-2"));
    let sealed = case.tenant.row("A-2")["sealed"]
        .as_str()
        .unwrap()
        .to_owned();
    let sql = "UPDATE claims SET sealed = ?2 WHERE practice_id = ?1 AND claim_number = ?3";
    case.tenant.change(sql, &[&sealed, NUMBER]);
    let refused = case.work().get(&case.path(""));
    assert_eq!(refused.status, 500, "{}", refused.text());
    assert_eq!(refused.json["error"]["code"], json!("internal_error"));
    eventually(&case, "claims");
}
