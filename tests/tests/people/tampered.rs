//! A writer of the database without a key moves sealed values. They do not open, and the service reports it.

use overturn_tests::prelude::*;
use overturn_tests::signing::{Case, NUMBER};
use overturn_tests::signing::{proof, sign};

fn noticed(case: &Case<'_>, table: &str) {
    let rows = case.tenant.audit("record.tampered");
    let found = rows.iter().any(|row| row["detail"].to_string().contains(table));
    assert!(found, "{table}: {rows:?}");
}

/// The trail and the log name a record and say nothing else about it.
pub(crate) fn reported(tenant: &Tenant<'_>, column: (&str, &str), claim: Option<&str>, record: &str) {
    let (table, name) = column;
    let rows = wait::found(table, || Some(tenant.audit("record.tampered")).filter(|rows| !rows.is_empty()));
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((&rows[0]["record"], &rows[0]["actor"]), (&json!(record), &json!("service")));
    let detail: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail, json!({ "table": table, "column": name }));
    // Compares the whole line, so that it holds nothing else.
    let line = json!({ "event": "tampered", "table": table, "column": name, "owner_id": tenant.id,
        "claim_id": claim, "record_id": record });
    assert!(tenant.server.log().has(|logged| *logged == line), "{line}");
}

fn eventually(case: &Case<'_>, table: &str) {
    wait::until(table, || !case.tenant.audit("record.tampered").is_empty());
    noticed(case, table);
}

#[test]
fn a_claim_that_was_copied_into_a_signing_link_is_not_printed() {
    let (case, _token) = Case::needed();
    let row = case.tenant.row(NUMBER);
    let sealed = row["sealed"].as_str().unwrap();
    case.tenant.change("UPDATE signing_links SET sealed = ?2 WHERE practice_id = ?1", &[sealed]);
    let status = case.tenant.client().status(NUMBER);
    status.expect(200);
    assert_eq!(status.json["claim"]["signing"]["link"], Value::Null);
    assert!(!status.text().contains("Jane"), "{}", status.text());
    eventually(&case, "signing_links");
}

#[test]
fn a_claim_of_another_number_or_practice_does_not_open() {
    let (case, _token) = Case::needed();
    let _other = case.tenant.send(&item("A-2"));
    let sealed = case.tenant.row("A-2")["sealed"].as_str().unwrap().to_owned();
    let sql = "UPDATE claims SET sealed = ?2 WHERE practice_id = ?1 AND claim_number = ?3";
    case.tenant.change(sql, &[&sealed, NUMBER]);
    let refused = case.work().get(&case.path(""));
    refused.expect(500);
    assert_eq!(refused.json["error"]["code"], json!("internal_error"));
    eventually(&case, "claims");
}

/// Another claim of the case's practice: its id and its staff path.
fn another_claim(case: &Case<'_>) -> (String, String) {
    assert_eq!(case.tenant.send(&item("A-2")).created(), [true]);
    let id = case.tenant.row("A-2")["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/staff/practices/{}/claims/{id}", case.tenant.id);
    (id, path)
}

#[test]
fn a_note_that_was_moved_to_another_claim_is_not_shown() {
    let case = Case::undecided();
    let body = json!({ "text": "Jane called about her surgery." }).to_string();
    let noted = case.work().post(&case.path("/notes"), body);
    assert!(noted.status < 300, "{}", noted.text());
    let (other, path) = another_claim(&case);
    // The same record under the other claim.
    case.tenant.change(
        "INSERT INTO claim_notes (practice_id, claim_id, id, at, author, key_version, sealed)
         SELECT practice_id, ?2, id, at, author, key_version, sealed FROM claim_notes WHERE practice_id = ?1",
        &[&other],
    );
    let refused = case.staff.client().get(&path);
    refused.expect(500);
    assert!(!refused.text().contains("surgery"), "{}", refused.text());
    let notes = "SELECT id FROM claim_notes WHERE practice_id = ?1 AND claim_id = ?2";
    let note = case.tenant.rows(notes, &[&other]).remove(0);
    let note = note["id"].as_str().unwrap();
    reported(&case.tenant, ("claim_notes", "sealed"), Some(&other), note);
    let own = case.staff.client().get(&case.path(""));
    assert!(own.text().contains("surgery"), "{}", own.text());
}

#[test]
fn a_signature_that_was_moved_to_another_claim_is_not_shown() {
    let (case, token) = Case::needed();
    let phone = case.tenant.server.client();
    let shown = proof(&phone, &token);
    let signed = sign(&phone, &token, &shown, &[("name", "Jane Quincy Doe")]);
    signed.expect(200);
    let (other, path) = another_claim(&case);
    case.tenant.change(
        "INSERT INTO signatures (practice_id, claim_id, id, link_id, signed_at, key_version, sealed)
         SELECT practice_id, ?2, id, link_id, signed_at, key_version, sealed FROM signatures WHERE practice_id = ?1",
        &[&other],
    );
    let refused = case.staff.client().get(&format!("{path}/signature"));
    refused.expect(500);
    assert!(!refused.text().contains("Quincy"), "{}", refused.text());
    let ids = "SELECT id FROM signatures WHERE practice_id = ?1 AND claim_id = ?2";
    let id = case.tenant.rows(ids, &[&other]).remove(0);
    let id = id["id"].as_str().unwrap();
    reported(&case.tenant, ("signatures", "sealed"), Some(&other), id);
    let own = case.staff.client().get(&case.path("/signature"));
    assert!(own.text().contains("Quincy"), "{}", own.text());
}
