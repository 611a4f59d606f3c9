//! What a sandbox makes of a send.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::sandbox::{SANDBOX, Sandbox, sweep};
use overturn_tests::signing::{BORN, born, hidden, patient, sign};

fn post(client: &Client, item: &Value) -> Answer {
    client.post(CLAIMS, item.to_string())
}

#[test]
fn some_claim_numbers_say_how_a_send_fails() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let limited = post(&sandbox.client, &item("LIMIT-1"));
    limited.expect(429);
    assert_eq!(limited.header("retry-after"), Some("1"));
    for _ in 0..3 {
        let down = post(&sandbox.client, &batch([item("DOWN-1"), item("DOWN-2")]));
        down.expect(503);
        assert!(down.header("retry-after").is_some());
    }
    post(&sandbox.client, &batch([item("DOWN-1"), item("DOWN-2")])).expect(201);
    post(&sandbox.client, &item("DOWN-1")).expect(200);
    let sent = post(&sandbox.client, &batch([item("DIFFERENT-PATIENT-1"), item("N-1")]));
    sent.expect(201);
    let results = &sent.json["claims"];
    assert_eq!(results[0]["error"], "claim.claim_number is already used for a different patient");
    assert_eq!((&results[0]["created"], &results[1]["created"]), (&json!(false), &json!(true)));
    let numbers = sandbox.practice.rows("SELECT claim_number AS n FROM claims WHERE practice_id = ?1 ORDER BY n", &[]);
    assert_eq!(numbers, [json!({ "n": "DOWN-1" }), json!({ "n": "DOWN-2" }), json!({ "n": "N-1" })]);

    // In a live practice these are numbers as any others.
    let all = ["LIMIT-1", "DOWN-1", "DIFFERENT-PATIENT-1", "RECOVER-1"];
    post(&live.client(), &batch(all.map(item))).expect(201);
    assert_eq!(live.number("SELECT count(*) AS n FROM claims WHERE practice_id = ?1 AND script_at IS NOT NULL"), 0);
}

#[test]
fn a_patient_who_may_be_real_gets_advice_and_no_refusal() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let real = with(item("N-2"), "patient.last_name", "Smith");
    let sent = post(&sandbox.client, &batch([item("N-1"), real.clone()]));
    sent.expect(201);
    assert_eq!(sent.json["advice"].as_array().map(Vec::len), Some(1));
    assert_eq!((&sent.json["advice"][0]["index"], &sent.json["advice"][0]["code"]), (&json!(1), &json!("not_made_up")));
    assert!(!sent.text().contains("Smith"));
    assert_eq!(post(&sandbox.client, &item("N-3")).json.get("advice"), None);
    assert_eq!(post(&live.client(), &real).json.get("advice"), None);
}

/// The link works by the clock of the sandbox, in which it is made and ends.
#[test]
fn the_patient_of_a_scripted_claim_signs_by_its_link() {
    let sandbox = Sandbox::of(&Tenant::shared());
    post(&sandbox.client, &batch([item("SIGN-1"), item("SIGN-2")])).expect(201);
    sandbox.advance("P100D");
    let link = |number: &str| sandbox.client.status(number).json["claim"]["signing"]["link"].clone();
    assert_eq!(link("SIGN-1"), Value::Null, "it has ended, 30 days after it was made");
    post(&sandbox.client, &item("SIGN-3")).expect(201);
    sandbox.advance("P3D");
    let token = link("SIGN-3").as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    let phone = patient(sandbox.practice.server);
    let shown = born(&phone, &token, BORN);
    shown.expect(200);
    sign(&phone, &token, &hidden(&shown, "proof"), &[("name", "Jane Doe")]).expect(200);
    assert_eq!(sandbox.client.status("SIGN-3").json["claim"]["signing"]["status"], "signed");
    let signed = sandbox.practice.rows("SELECT signed_at FROM signatures WHERE practice_id = ?1", &[]);
    let ahead = signed[0]["signed_at"].as_i64().unwrap() - now().0 - 103 * 86_400_000;
    assert!(ahead.abs() < 60_000, "{ahead}");
}

#[test]
fn a_sandbox_takes_5000_claims_and_says_so() {
    let sandbox = Sandbox::of(&Tenant::shared());
    post(&sandbox.client, &item("N-0")).expect(201);
    let id = sandbox.practice.id.to_string();
    // Copies of the first claim, in one statement.
    let columns =
        "practice_id, submission_id, received_at, updated_at, payer_claim_number, payer_name, date_of_service,
        billed_cents, adjustment_codes, present, sealed, key_version, patient_tag, sandbox";
    sandbox.practice.server.database().change(
        &format!(
            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4998)
             INSERT INTO claims (claim_number, id, changed, {columns})
             SELECT 'C-' || n, 'copy-' || n, 1 + n, {columns} FROM n CROSS JOIN claims WHERE practice_id = ?1"
        ),
        &[&id],
    );
    let refused = post(&sandbox.client, &batch([item("N-1"), item("N-2")]));
    refused.expect(422);
    assert!(refused.text().contains("claims must be at most 5000 in a sandbox"), "{}", refused.text());
    post(&sandbox.client, &item("N-1")).expect(201);
    post(&sandbox.client, &item("N-2")).expect(422);
    post(&sandbox.client, &item("N-1")).expect(200);
    assert_eq!(sandbox.owner.get(SANDBOX).json["sandbox"]["claims"], 5000);
}

#[test]
fn a_sandbox_without_calls_for_90_days_is_emptied() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let server: &'static Server = Box::leak(Box::new(server));
    let live = Tenant::new(server);
    let [idle, busy] = [Sandbox::of(&live), Sandbox::of(&Tenant::new(server))];
    for sandbox in [&idle, &busy] {
        post(&sandbox.client, &item("N-1")).expect(201);
        // The clock counts as little as the calls by it.
        sandbox.advance("P200D");
    }
    sweep(server);
    assert_eq!((idle.practice.claims(), busy.practice.claims()), (1, 1));
    idle.practice.change(
        "UPDATE api_keys SET last_used_at = last_used_at - 91 * CAST(86400000 AS INTEGER) WHERE practice_id = ?1",
        &[],
    );
    // It is the turn of both to be looked at.
    for sandbox in [&idle, &busy] {
        sandbox.practice.change("UPDATE practices SET idle_at = 1 WHERE id = ?1", &[]);
    }
    sweep(server);
    sweep(server);
    assert_eq!((idle.practice.claims(), busy.practice.claims()), (0, 1));
    assert_eq!(live.audit("sandbox.emptied")[0]["actor"], "service");
}

#[test]
fn the_destruction_of_a_practices_data_takes_its_sandbox_along() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let server: &'static Server = Box::leak(Box::new(server));
    let live = Tenant::new(server);
    let sandbox = Sandbox::of(&live);
    post(&sandbox.client, &item("N-1")).expect(201);
    live.change("UPDATE agreements SET ended_at = 2 WHERE practice_id = ?1", &[]);
    live.change(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, due_at, totals)
         VALUES (?1, '01a21a98-d666-74f1-a309-fe00cef1c40b', 'destruction', 'waiting', 1, 'operator', 1, '{}')",
        &[],
    );
    (0..3).for_each(|_| sweep(server));
    assert_eq!(sandbox.practice.claims(), 0);
    let done = "SELECT count(*) AS n FROM data_jobs WHERE practice_id = ?1 AND state = 'done'";
    assert_eq!((live.number(done), sandbox.practice.number(done)), (1, 1));
}
