//! Reads that leave an audit row.

use overturn_tests::account::Account;
use overturn_tests::host;
use overturn_tests::prelude::*;
use overturn_tests::signing::{Case, NUMBER, patient, proof, sign};

fn line(answer: &Answer) -> Value {
    Server::shared().log().of(answer.request_id()).remove(0)
}

#[test]
fn a_status_read_that_hands_out_a_link_is_in_the_trail_and_no_other_is() {
    let case = Case::undecided();
    let client = case.tenant.client();
    let plain = client.status(NUMBER);
    assert_eq!(line(&plain)["d1_round_trips"], 1);
    assert!(case.tenant.audit("signing.link_shown").is_empty());
    case.decide("needed").expect(200);
    let shown = client.status(NUMBER);
    assert!(shown.json["claim"]["signing"]["link"].is_string());
    assert_eq!(line(&shown)["d1_round_trips"], 2);
    let link = &case.links()[0];
    let rows = case.tenant.audit("signing.link_shown");
    let key = format!("api_key:{}", case.tenant.key.id);
    let detail = json!({ "link_id": link["id"] }).to_string();
    assert_eq!(rows, [json!({ "actor": key, "record": case.id, "request_id": shown.request_id(), "detail": detail })]);
    // Nothing is handed out while the button is off, after the link was revoked, or to a revoked key.
    case.tenant.change("UPDATE practices SET appeal_button = 0 WHERE id = ?1", &[]);
    assert!(client.status(NUMBER).json["claim"]["signing"]["link"].is_null());
    case.tenant.change("UPDATE practices SET appeal_button = 1 WHERE id = ?1", &[]);
    let revoked = case.work().request("DELETE", &case.path("/signing/link"), Some(b""));
    revoked.expect(200);
    let after = client.status(NUMBER);
    assert!(after.json["claim"]["signing"]["link"].is_null());
    assert_eq!(line(&after)["d1_round_trips"], 1);
    assert_eq!(case.tenant.audit("signing.link_shown").len(), 1);
}

#[test]
fn the_signed_copy_that_is_seen_again_is_in_the_trail_without_the_patients_address() {
    let (case, token) = Case::needed();
    let client = patient(Server::shared()).with("CF-Connecting-IP", "203.0.113.77");
    let proof = proof(&client, &token);
    for _ in 0..3 {
        let signed = sign(&client, &token, &proof, &[("name", "Jane Doe")]);
        signed.expect(200);
        assert!(signed.text().contains("Jane Doe"));
    }
    // The first is the signature itself.
    let again = case.tenant.audit("signing.copy_shown");
    assert_eq!(again.len(), 2);
    assert_eq!((&again[0]["record"], case.tenant.audit("signing.signed").len()), (&json!(case.id), 1));
    let addresses = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND actor LIKE 'signing_link:%'
                     AND (address IS NOT NULL OR detail LIKE '%203.0.113.77%')";
    assert_eq!(case.tenant.number(addresses), 0);
    let seen = case.work().get(&case.path("/signature"));
    seen.expect(200);
    let staff = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action = 'signature.read'
                 AND address IS NOT NULL AND session_id IS NOT NULL";
    assert_eq!(case.tenant.number(staff), 1);
}

#[test]
fn a_document_that_is_shown_again_is_in_the_trail_each_time() {
    let (case, token) = Case::needed();
    let client = patient(Server::shared());
    let proof = proof(&client, &token);
    assert_eq!(case.tenant.audit("signing.shown").len(), 1);
    let incomplete = sign(&client, &token, &proof, &[("name", "")]);
    incomplete.expect(422);
    assert!(incomplete.text().contains("Acme"));
    assert_eq!(case.tenant.audit("signing.shown").len(), 2);
    // After a correction, the claim's content differs.
    let corrected = with(item(NUMBER), "claim.billed_amount", "77.00");
    case.tenant.send(&corrected);
    let changed = sign(&client, &token, &proof, &[("name", "Jane Doe")]);
    changed.expect(422);
    assert!(changed.text().contains("77.00"));
    let shown = case.tenant.audit("signing.shown");
    assert_eq!(shown.len(), 3);
    assert!(shown[2]["detail"].as_str().unwrap().contains("again"));
    let tries = "SELECT attempts AS n FROM signing_links WHERE practice_id = ?1";
    assert_eq!(case.tenant.number(tries), 0);
}

#[test]
fn a_search_of_the_queue_by_number_is_in_the_staffs_trail_without_the_number() {
    let tenant = Tenant::shared();
    let number = "SEARCHED-4711";
    let sent = tenant.send(&item(number));
    let claim = sent.claims[0].outcome.as_ref().unwrap().id.clone();
    let staff = Person::staff(Server::shared());
    let rows = || {
        let sql =
            "SELECT record, detail, request_id FROM audit WHERE practice_id = 'staff' AND action = 'queue.searched'
                   AND actor = ?1 ORDER BY seq";
        let actor = format!("user:{}", staff.id);
        Server::shared().database().rows(sql, &[&actor])
    };
    let plain = staff.client().get(QUEUE);
    // One to each cell. The first one is the directory.
    assert_eq!(line(&plain)["d1_round_trips"], host::cells());
    assert!(rows().is_empty());
    let found = staff.client().get(&format!("{QUEUE}?claim_number={number}"));
    assert_eq!(found.json["claims"][0]["id"], claim);
    let missed = staff.client().get(&format!("{QUEUE}?claim_number=NO-{number}&practice_id={}", tenant.id));
    assert_eq!(missed.json["claims"], json!([]));
    let rows = rows();
    assert_eq!(rows.len(), 2);
    let details: Vec<Value> =
        rows.iter().map(|row| serde_json::from_str(row["detail"].as_str().unwrap()).unwrap()).collect();
    assert_eq!(details[0], json!({ "practice_id": null, "found": [{ "practice_id": tenant.id, "id": claim }] }));
    assert_eq!(details[1], json!({ "practice_id": tenant.id, "found": [] }));
    assert_eq!(rows[0]["request_id"], found.request_id());
    assert!(!format!("{rows:?}").contains(number));

    // An auditor reads which claims it found, while their practice may read them.
    let auditor = Person::auditor(Server::shared()).client();
    let read = |number: &str| {
        let query = format!("/api/v1/staff/audit?actor={}&action=queue.searched&claim_number={number}", staff.id);
        let page = auditor.get(&query);
        page.expect(200);
        let rows = page.json["audit"].as_array().unwrap().iter();
        rows.map(|row| row["claim_numbers"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(read(""), [json!([]), json!([number])]);
    assert_eq!(read(number), [json!([number])]);
    assert!(read(&format!("NO-{number}")).is_empty());
    tenant.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    assert!(read(number).is_empty());
    assert_eq!(read(""), [json!([]), json!([])]);
}

#[test]
fn a_row_of_a_person_says_from_where_and_in_which_session_and_a_sign_in_which_it_made() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, overturn_service::auth::role::Role::Owner);
    let page = account.sign_in().with("CF-Connecting-IP", "198.51.100.9");
    let edited = page.seeing("/api/v1/settings/practice").patch("/api/v1/settings/practice", br#"{"name":"Other"}"#);
    edited.expect(200);
    let sessions = tenant.rows("SELECT id FROM sessions WHERE user_id = ?2 AND ?1 <> ''", &[&account.id.to_string()]);
    let sql = "SELECT action, address, session_id FROM audit WHERE practice_id = ?1 AND action IN ('session.created', 'practice.changed')
               ORDER BY seq";
    let rows = tenant.rows(sql, &[]);
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["session_id"] == sessions[0]["id"]));
    assert_eq!(rows[1]["address"], "198.51.100.9");
    assert!(rows[0]["address"].is_string());
}
