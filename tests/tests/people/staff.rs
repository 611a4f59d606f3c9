//! `/api/v1/staff/practices/{practice}/claims/{id}`: reading, taking, notes and moves.

use overturn_tests::prelude::*;

fn sent(tenant: &Tenant<'_>, body: &Value) -> String {
    let sent = tenant.send(body);
    sent.claims[0].outcome.as_ref().unwrap().id.clone()
}

/// Puts a claim into a status that these tests cannot reach through routes.
fn put(tenant: &Tenant<'_>, id: &str, status: &str) {
    let sql = "UPDATE claims SET status = ?3 WHERE practice_id = ?1 AND id = ?2";
    tenant.change_claims(sql, &[id, status]);
}

#[test]
fn a_claim_is_shown_with_its_patient_and_that_it_was_is_in_the_trail_before() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &full("A-1"));
    let worker = Worker::on(&tenant);
    let seen = worker.see(&id).json;
    let patient = &seen["patient"];
    assert_eq!(
        [&patient["first_name"], &patient["date_of_birth"], &patient["member_id"]],
        ["Jane", "1980-02-29", "W123"]
    );
    assert_eq!(
        [&seen["claim_number"], &seen["status"], &seen["procedure_code"], &seen["billed_amount"]],
        ["A-1", "received", "99213-25", "200.00"]
    );
    assert_eq!(seen["practice"]["id"], tenant.id.to_string());
    assert_eq!(seen["taken_by"], Value::Null);
    assert_eq!(seen["history"][0]["kind"], "received");
    assert_eq!(seen["notes"], json!([]));
    let rows = tenant.audit("claim.read");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["record"], id);
    assert_eq!(rows[0]["actor"], format!("user:{}", worker.person.id));

    // A `304` shows nothing new, but is audited all the same.
    let tag = worker.see(&id).header("etag").unwrap().to_owned();
    assert!(tag.starts_with("\"1-"), "{tag}");
    let same = worker.client.with("If-None-Match", &tag).get(&worker.at(&id));
    assert_eq!((same.status, &same.json), (304, &Value::Null));
    assert_eq!(tenant.audit("claim.read").len(), 3);
}

#[test]
fn a_read_that_cannot_be_audited_shows_nothing() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &full("A-1"));
    let worker = Worker::on(&tenant);
    let faults = json!({ "2": { "fails": "D1_ERROR: disk I/O error" } });
    let client = worker.client.faulty(&faults);
    let refused = client.get(&worker.at(&id));
    refused.expect(500);
    assert!(!refused.text().contains("Jane"));
    // The same for a person whose session ended in between.
    let sql = "UPDATE sessions SET revoked_at = 1 WHERE id = ?1";
    let session = worker.person.session_id.to_string();
    let client = worker.client.overtaken_by(sql, &[&session]);
    let refused = client.get(&worker.at(&id));
    refused.expect(401);
    assert_eq!(tenant.audit("claim.read").len(), 0);
}

#[test]
fn taking_a_claim_begins_its_review_and_a_colleague_can_take_it_over() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &item("A-1"));
    let (one, two) = (Worker::on(&tenant), Worker::on(&tenant));
    let taken = one.take(&id).json;
    assert_eq!([&taken["status"], &taken["version"]], [&json!("reviewing"), &json!(2)]);
    assert_eq!(taken["taken_by"], one.person.id.to_string());
    let over = two.take(&id).json;
    assert_eq!([&over["status"], &over["version"]], [&json!("reviewing"), &json!(3)]);
    let seen = two.see(&id).json;
    assert_eq!(seen["taken_by"]["id"], two.person.id.to_string());
    let kinds: Vec<_> = seen["history"].as_array().unwrap().iter().map(|e| e["kind"].clone()).collect();
    assert_eq!(kinds, ["received", "taken", "taken"]);
    assert_eq!(seen["history"][2]["detail"]["taken_by"], two.person.id.to_string());
    assert_eq!(seen["history"][2]["actor_name"], "A person, staff");
    assert_eq!(tenant.audit("claim.taken").len(), 2);
    assert_eq!(tenant.client().status("A-1").json["claim"]["status"], "reviewing");
    for status in ["recovered", "closed"] {
        put(&tenant, &id, status);
        let refused = one.act(&id, "take", &json!({}));
        let (code, message) = refused.nested(409);
        assert_eq!(code, "conflict");
        assert!(message.ends_with(&format!("status is {status}")), "{message}");
    }
    tenant.check();
}

#[test]
fn a_write_takes_the_tag_of_what_was_seen() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &item("A-1"));
    let worker = Worker::on(&tenant);
    let target = format!("{}/take", worker.at(&id));
    let missing = worker.client.post(&target, "{}");
    missing.refused(422, "validation_failed");
    assert_eq!(missing.details(), ["If-Match is required: the ETag of what you change"]);
    for unreadable in ["*", "x", "\"\"", "\"1\", \"2\""] {
        let refused = worker.client.with("If-Match", unreadable).post(&target, "{}");
        assert_eq!(refused.details(), ["If-Match must be the ETag of what you change"]);
    }
    let tag = worker.see(&id).header("etag").unwrap().to_owned();
    worker.act_on(&id, &tag, "take", &json!({})).expect(200);
    let stale = worker.act_on(&id, &tag, "moves", &json!({ "status": "received" }));
    stale.refused(409, "conflict");
    // A correction by the billing system also changes the ETag.
    let tag = worker.see(&id).header("etag").unwrap().to_owned();
    let mut corrected = item("A-1");
    corrected["claim"]["billed_amount"] = json!("130.00");
    tenant.send(&corrected);
    let stale = worker.act_on(&id, &tag, "moves", &json!({ "status": "received" }));
    stale.refused(409, "conflict");
    assert_eq!(tenant.row("A-1")["status"], "reviewing");
    // A weak ETag and the plain version match, too.
    let weak = format!("W/{}", worker.see(&id).header("etag").unwrap());
    worker.act_on(&id, &weak, "take", &json!({})).expect(200);
    worker.act_on(&id, "\"4\"", "take", &json!({})).expect(200);
}

#[test]
fn a_note_is_sealed_and_shown_to_staff_alone() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &item("A-1"));
    let worker = Worker::on(&tenant);
    let target = format!("{}/notes", worker.at(&id));
    let text = "Called Jane, <b>she</b> will sign.\nZoë";
    let left = worker.client.post(&target, json!({ "text": text }).to_string());
    left.expect(201);
    let seen = worker.see(&id).json;
    assert_eq!(seen["notes"][0]["text"], text);
    assert_eq!(seen["notes"][0]["author"]["id"], worker.person.id.to_string());
    assert_eq!(seen["version"], 1, "a note overwrites nothing");
    let sql = "SELECT sealed FROM claim_notes WHERE practice_id = ?1 AND claim_id = ?2";
    let rows = tenant.rows(sql, &[&id]);
    assert!(!rows[0]["sealed"].as_str().unwrap().contains("Jane"));
    let trail = tenant.audit("claim.noted");
    assert_eq!(trail.len(), 1);
    assert!(!trail[0].to_string().contains("Jane"));
    for (body, problem) in [
        (json!({}), "text is required"),
        (json!({ "text": " " }), "text is required"),
        (json!({ "text": "x".repeat(5001) }), "text must be at most 5000 characters"),
    ] {
        let refused = worker.client.post(&target, body.to_string());
        assert_eq!(refused.details(), [problem]);
    }
    let once = worker.client.with("Idempotency-Key", "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a01");
    let twice = [0; 2].map(|_| once.post(&target, json!({ "text": "twice" }).to_string()).json["id"].clone());
    assert_eq!(twice[0], twice[1]);
    assert_eq!(worker.see(&id).json["notes"].as_array().unwrap().len(), 2);
}

#[test]
fn a_history_without_end_is_shown_by_its_latest_part() {
    let tenant = Tenant::shared();
    let id = sent(&tenant, &item("A-1"));
    let events = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
         INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
         SELECT ?1, ?2, i, i, 'corrected', 'received', 'api_key:x', 'x', json_object('before', printf('%300d', i)) FROM n";
    tenant.change(events, &[&id]);
    let worker = Worker::on(&tenant);
    let notes = format!("{}/notes", worker.at(&id));
    let note = json!({ "text": "n".repeat(5000) }).to_string();
    for _ in 0..51 {
        worker.client.post(&notes, &note).expect(201);
    }
    let seen = worker.see(&id).json;
    let versions = seen["history"].as_array().unwrap();
    assert_eq!(versions.len(), 200);
    assert_eq!([&versions[0]["version"], &versions[199]["version"]], [7801, 8000]);
    assert_eq!(seen["notes"].as_array().unwrap().len(), 50);
}
