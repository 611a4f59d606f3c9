//! Claims that a staff member gives to a colleague.

use overturn_tests::prelude::*;

const TAKE: &str = "/api/v1/staff/claims/take";

fn give(worker: &Worker<'_>, claim: &str, version: i64, to: &Person<'_>) -> Answer {
    let body = json!({ "user_id": to.id.to_string() });
    worker.act_on(claim, &format!("\"{version}\""), "take", &body)
}

fn give_all(client: &Client, claims: &[Value], to: &str) -> Answer {
    let body = json!({ "claims": claims, "user_id": to });
    client.post(TAKE, body.to_string())
}

#[test]
fn a_claim_is_given_to_a_colleague_with_its_row_and_its_history() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let colleague = Person::staff(tenant.server);
    let id = tenant.send(&numbered(["A-1"])).id(0).to_owned();
    let given = give(&worker, &id, 1, &colleague);
    given.expect(200);
    assert_eq!(given.json["status"], "reviewing");
    assert_eq!(given.json["taken_by"], colleague.id.to_string());
    let rows = tenant.audit("claim.assigned");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["record"], id);
    assert_eq!(rows[0]["actor"], format!("user:{}", worker.person.id));
    let detail: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail["taken_by"], colleague.id.to_string());
    assert!(tenant.audit("claim.taken").is_empty());
    let entry = worker.see(&id).json["history"][1].clone();
    assert_eq!(entry["kind"], "taken");
    assert_eq!(entry["detail"]["taken_by"], colleague.id.to_string());
    assert!(entry["holder_name"].is_string(), "{entry}");
    // The colleague has it in the queue, and the giver has not.
    let of = |client: &Client| {
        let page = client.get(&format!("/api/v1/staff/claims?taken_by=me&practice_id={}", tenant.id));
        page.json["claims"].as_array().unwrap().len()
    };
    assert_eq!((of(&colleague.client()), of(&worker.client)), (1, 0));
    // The giver can take it back, and an old version gives it to nobody.
    give(&worker, &id, 1, &colleague).expect(409);
    let back = worker.act_on(&id, "\"2\"", "take", &json!({}));
    assert_eq!(back.json["taken_by"], worker.person.id.to_string());
    tenant.check();
}

#[test]
fn only_an_active_colleague_who_works_on_claims_gets_a_claim() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let id = tenant.send(&numbered(["A-1"])).id(0).to_owned();
    let removed = Person::staff(tenant.server);
    tenant.server.database().change("UPDATE users SET state = 'removed' WHERE id = ?1", &[&removed.id.to_string()]);
    let auditor = Person::auditor(tenant.server);
    let owner = Person::of(&tenant, overturn_service::auth::role::Role::Owner);
    let claim = json!({ "practice_id": tenant.id, "id": id, "version": 1 });
    for other in [&removed, &auditor, &owner] {
        let refused = give(&worker, &id, 1, other);
        let (code, details) = (refused.nested(422).0, refused.json["error"]["details"].clone());
        assert_eq!(code, "validation_failed");
        assert_eq!(details[0]["field"], "user_id");
        let refused = give_all(&worker.client, std::slice::from_ref(&claim), &other.id.to_string());
        refused.expect(422);
    }
    assert_eq!(tenant.row("A-1")["version"], 1);
}

/// The colleague is removed after the claim was read, and before it is written.
#[test]
fn a_colleague_who_is_removed_meanwhile_gets_nothing() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let id = tenant.send(&numbered(["A-1"])).id(0).to_owned();
    let claim = json!({ "practice_id": tenant.id, "id": id, "version": 1 });
    let colleague = Person::staff(tenant.server);
    let sql = "UPDATE users SET state = 'removed', epoch = epoch + 1 WHERE id = ?1";
    let client = worker.client.overtaken_by(sql, &[&colleague.id.to_string()]);
    let refused = give_all(&client, &[claim], &colleague.id.to_string());
    refused.expect(422);
    assert_eq!(tenant.row("A-1")["taken_by"], Value::Null);
    assert!(tenant.audit("claim.assigned").is_empty());
}

#[test]
fn of_two_people_who_give_a_claim_away_at_once_one_is_refused() {
    let tenant = Tenant::shared();
    let workers = [Worker::on(&tenant), Worker::on(&tenant)];
    let colleagues = [Person::staff(tenant.server), Person::staff(tenant.server)];
    let sent = tenant.send(&numbered(["A-1", "A-2"]));
    let id = sent.id(0).to_owned();
    let pairs = workers.iter().zip(&colleagues);
    let gives = pairs.map(|(worker, to)| || give(worker, &id, 1, to));
    let answers = at_once(gives.collect());
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(tenant.audit("claim.assigned").len(), 1);
    // Of several, the others are given all the same.
    let named = |n: usize, version: i64| json!({ "practice_id": tenant.id, "id": sent.id(n), "version": version });
    let both = [named(0, 1), named(1, 1)];
    let answer = give_all(&workers[0].client, &both, &colleagues[1].id.to_string());
    let results = answer.json["results"].clone();
    assert_eq!(results[0]["reason"], "version_conflict");
    assert_eq!(results[1]["claim"]["taken_by"], colleagues[1].id.to_string());
    tenant.check();
}
