//! `POST /api/v1/denials`: a person of the practice sends claims.

use overturn_tests::prelude::*;

const PATH: &str = "/api/v1/denials";

fn send(client: &Client, body: &Value) -> Answer {
    client.post(PATH, body.to_string())
}

/// Whether each item was created.
fn created(answer: &Answer) -> Vec<bool> {
    let items = answer.json["claims"].as_array().unwrap().iter();
    items.map(|item| item["created"].as_bool().unwrap()).collect()
}

#[test]
fn everybody_of_the_practice_sends_and_the_trail_names_the_person() {
    for role in Role::OF_PRACTICE {
        let tenant = Tenant::shared();
        let person = Person::of(&tenant, role);
        let client = person.client();
        let sent = send(&client, &numbered(["A-1", "A-2"]));
        assert_eq!(sent.status, 201, "{role:?}: {}", sent.text());
        assert_eq!(created(&sent), [true, true]);
        let [row] = &tenant.audit("submission.received")[..] else {
            panic!("{role:?}: one row");
        };
        assert_eq!(row["actor"], format!("user:{}", person.id));
        assert_eq!(row["record"], sent.json["submission_id"]);
        let stored = "SELECT api_key_id, actor FROM submissions WHERE practice_id = ?1";
        let expected = json!([{ "api_key_id": null, "actor": row["actor"] }]);
        assert_eq!(Value::from(tenant.rows(stored, &[])), expected);
        let id = sent.json["claims"][0]["id"].as_str().unwrap();
        let claim = client.get(&format!("{PATH}/{id}"));
        assert_eq!(claim.json["claim_number"], "A-1", "{}", claim.text());
        assert_eq!(claim.json["history"][0]["kind"], "received");
        tenant.check();
    }
}

#[test]
fn a_repeated_request_and_the_billing_system_find_the_same_claims() {
    let tenant = Tenant::shared();
    let client = tenant.member();
    let first = send(&client, &numbered(["A-1", "A-2"]));
    let again = send(&client, &numbered(["A-1", "A-2"]));
    assert_eq!((again.status, created(&again)), (200, vec![false, false]));
    assert_eq!(again.json["claims"][0]["id"], first.json["claims"][0]["id"]);
    let by_key = tenant.client().send(&numbered(["A-2", "A-3"]));
    assert_eq!((by_key.status, created(&by_key)), (201, vec![false, true]));
    let other = with(item("A-3"), "patient.last_name", "Roe");
    let mixed = send(&client, &batch([other, item("A-4")]));
    assert_eq!((mixed.status, created(&mixed)), (201, vec![false, true]));
    assert_eq!(mixed.json["claims"][0]["error"], "claim.claim_number is already used for a different patient");
    assert_eq!(tenant.claims(), 4);
    tenant.check();
}

#[test]
fn the_trail_of_what_a_person_sends_is_intact_and_has_the_session() {
    let tenant = Tenant::shared();
    let person = Person::of(&tenant, Role::Owner);
    let client = person.client();
    send(&client, &item("A-1")).expect(201);
    let corrected = with(item("A-1"), "claim.billed_amount", "99.00");
    send(&client, &corrected).expect(200);
    let filled = with(item("A-1"), "patient.member_id", "W-1");
    send(&client, &filled).expect(200);
    let of = "SELECT count(DISTINCT action) AS n FROM audit WHERE practice_id = ?1 AND session_id IS NOT NULL
              AND action IN ('submission.received', 'claims.corrected', 'claims.filled_in')";
    assert_eq!(tenant.number(of), 3);
    let found = client.get("/api/v1/settings/audit/verify").json;
    assert_eq!((&found["intact"], &found["broken"]), (&json!(true), &Value::Null), "{found}");
}

#[test]
fn an_invalid_item_saves_nothing() {
    let tenant = Tenant::shared();
    let client = tenant.member();
    let broken = with(item("A-2"), "patient.first_name", Value::Null);
    let refused = send(&client, &batch([item("A-1"), broken]));
    refused.expect(422);
    let problems = refused.details();
    assert_eq!(problems, ["claims[1].patient.first_name is required"]);
    send(&client, &batch([])).expect(422);
    client.post(PATH, "not JSON").expect(422);
    let huge = numbered((0..100).map(|n| format!("{n}{}", "9".repeat(30_000))));
    send(&client, &huge).expect(413);
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn only_a_session_of_a_practice_that_may_send_does() {
    let server = Server::shared();
    let tenant = Tenant::new(server);
    let body = item("A-1");
    send(&server.client(), &body).expect(401);
    assert_eq!(send(&tenant.client(), &body).status, 401, "an API key");
    send(&Person::staff(server).client(), &body).expect(403);
    send(&Person::auditor(server).client(), &body).expect(403);
    // Who may not send does not learn what is wrong with the body.
    Person::staff(server).client().post(PATH, "not JSON").expect(403);
    let person = Person::of(&tenant, Role::Owner);
    let cookie = format!("__Host-session={}", person.session.expose());
    let bare = server.client().with("Cookie", &cookie);
    assert_eq!(send(&bare, &body).status, 403, "without the CSRF token");
    for (terms, reason) in [
        (Terms { signed: false, ..Terms::default() }, "agreement_required"),
        (Terms { active: false, ..Terms::default() }, "practice_inactive"),
    ] {
        let closed = Tenant::on(server, terms);
        let refused = send(&closed.owner(), &body);
        refused.refused(403, "not_authorized");
        assert_eq!(refused.json["error"]["reason"], reason);
        assert_eq!(closed.claims(), 0);
    }
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn of_people_and_a_billing_system_that_send_one_number_at_once_one_creates_it() {
    let tenant = Tenant::shared();
    let people = [Role::Owner, Role::Admin, Role::Member].map(|role| Person::of(&tenant, role));
    let key = tenant.key(&[Scope::ClaimsWrite], Realm::Test);
    let key = tenant.client_of(&key);
    let body = numbered((0..20).map(|n| format!("A-{n}")));
    let mut calls: Vec<Box<dyn FnOnce() -> Answer + Send>> = Vec::new();
    for person in &people {
        let (client, body) = (person.client(), &body);
        calls.push(Box::new(move || send(&client, body)));
    }
    calls.push(Box::new(|| key.send(&body)));
    let answers = at_once(calls);
    for answer in &answers {
        assert!(answer.status < 300, "{}", answer.text());
    }
    let created: usize = answers.iter().map(|answer| created(answer).iter().filter(|one| **one).count()).sum();
    assert_eq!((created, tenant.claims()), (20, 20));
    tenant.check();
}

#[test]
fn a_person_whose_session_ends_in_between_saves_nothing() {
    let tenant = Tenant::shared();
    let person = Person::of(&tenant, Role::Member);
    let client = person.client();
    send(&client, &item("A-1")).expect(201);
    let ended = "UPDATE sessions SET revoked_at = 1 WHERE id = ?2 AND ?1 = ?1";
    tenant.change(ended, &[&person.session_id.to_string()]);
    send(&client, &item("A-2")).expect(401);
    assert_eq!(tenant.claims(), 1);
}
