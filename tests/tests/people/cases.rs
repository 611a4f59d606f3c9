//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer are appealed together.

use overturn_core::auth::role::Role;
use overturn_tests::claims::{batch, item, numbered, with};
use overturn_tests::client::Answer;
use overturn_tests::person::Person;
use overturn_tests::server::Server;
use overturn_tests::staff::Worker;
use overturn_tests::tenant::Tenant;
use serde_json::{Value, json};

pub(crate) fn id_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json["id"].as_str().unwrap().into()
}

/// The outcome of a claim's appeal in its case.
fn outcome(worker: &Worker<'_>, case: &str, n: usize) -> Value {
    let claim = &worker.case(case).json["claims"][n];
    json!([claim["status"], claim["outcome"], claim["amount_recovered"], claim["closing_reason"]])
}

#[test]
fn claims_of_a_case_are_in_appeal_together_and_due_when_its_first_level_is() {
    let tenant = Tenant::new(Server::shared());
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1", "C-2"]);
    assert_eq!(worker.report(&ids[1..]).status, 201);
    let opened = worker.open(&ids, Some("2027-03-01"));
    let case = id_of(&opened);
    let level = json!({ "level": 1, "kind": "internal_appeal", "due_on": "2027-03-01", "filed_on": null,
        "decided_on": null, "outcome": null, "decision_due": null, "decision_source": null, "follow_up_on": null });
    let answer = json!({ "id": case, "version": 1, "level": level });
    assert_eq!(opened.json, answer);
    for id in &ids {
        let claim = worker.see(id).json;
        assert_eq!((&claim["status"], &claim["case_id"]), (&json!("in_appeal"), &json!(case)));
        let due = json!({ "date": "2027-03-01", "from": "case" });
        assert_eq!(claim["deadline"], due);
    }
    assert_eq!(tenant.client().status("C-1").json["claim"]["status"], "in_appeal");

    let seen = worker.case(&case);
    let tag = seen.header("etag").unwrap();
    assert!(tag.starts_with("\"1-"), "{tag}");
    let target = worker.of_practice(&format!("cases/{case}"));
    let same = worker.client.with("If-None-Match", tag).get(&target);
    assert_eq!(same.status, 304);
    let view = &seen.json;
    assert_eq!(view["payer_name"], "Acme Health");
    assert_eq!(view["practice"]["id"], tenant.id.to_string());
    assert_eq!(view["opened_by"]["id"], worker.person.id.to_string());
    assert_eq!(view["claims"][1]["claim_number"], "C-2");
    assert_eq!(view["levels"][0]["due_on"], "2027-03-01");
    assert_eq!(view["levels"][0]["begun_by"]["name"], "A person, staff");
    for patient in ["Jane", "Doe", "1980-02-29"] {
        assert!(!seen.text().contains(patient), "{patient}");
    }
    let rows = tenant.audit("case.opened");
    assert_eq!((rows.len(), &rows[0]["record"]), (1, &json!(case)));
    let said: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(said, json!({ "claims": ids, "kind": "internal_appeal", "due_on": "2027-03-01" }));
    tenant.check();
}

#[test]
fn the_result_of_a_claim_is_in_its_case_and_its_deadline_is_cleared() {
    let tenant = Tenant::new(Server::shared());
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1", "C-2"]);
    let case = id_of(&worker.open(&ids, Some("2027-03-01")));
    assert_eq!(outcome(&worker, &case, 0), json!(["in_appeal", null, null, null]));
    let paid = json!({ "status": "recovered", "amount_recovered": "80.00" });
    assert_eq!(worker.act(&ids[0], "moves", &paid).status, 200);
    let closed = json!({ "status": "closed", "reason": "denial_upheld" });
    // A move takes only the fields of its status: this amount is not a payment, because there is a reason.
    let both = json!({ "status": "closed", "reason": "denial_upheld", "amount_recovered": "1.00" });
    assert_eq!(worker.act(&ids[1], "moves", &both).status, 200);
    assert_eq!(outcome(&worker, &case, 0), json!(["recovered", "recovered", "80.00", null]));
    assert_eq!(outcome(&worker, &case, 1), json!(["closed", "closed", null, "denial_upheld"]));
    assert!(worker.case(&case).json["claims"][1]["decided_at"].is_string());
    for id in &ids {
        assert_eq!(worker.see(id).json["deadline"], Value::Null);
    }
    let listed = worker.client.get(&worker.of_practice("cases"));
    let item = &listed.json["cases"][0];
    assert_eq!((&item["id"], &item["claims"], &item["in_appeal"]), (&json!(case), &json!(2), &json!(0)));

    // Back in its case, the claim is undecided and has the level's deadline. Closed at that level, it has no payment.
    let back = json!({ "status": "in_appeal", "case_id": case });
    assert_eq!(worker.act(&ids[0], "moves", &back).status, 200);
    assert_eq!(outcome(&worker, &case, 0), json!(["in_appeal", null, null, null]));
    let due = json!({ "date": "2027-03-01", "from": "case" });
    assert_eq!(worker.see(&ids[0]).json["deadline"], due);
    assert_eq!(worker.case(&case).json["version"], 2);
    assert_eq!(worker.act(&ids[0], "moves", &closed).status, 200);
    assert_eq!(outcome(&worker, &case, 0), json!(["closed", "closed", null, "denial_upheld"]));
    tenant.check();
}

#[test]
fn a_claim_that_ended_in_one_case_can_be_appealed_in_another_and_stays_decided_in_the_first() {
    let tenant = Tenant::new(Server::shared());
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1"]);
    let first = id_of(&worker.open(&ids, None));
    // A claim can be in only one open case.
    let refused = worker.open(&ids, None);
    assert_eq!(refused.nested(409).0, "conflict");
    let message = refused.nested(409).1;
    assert!(message.contains("claims[0] status is in_appeal"), "{message}");
    let closed = json!({ "status": "closed", "reason": "no_grounds" });
    assert_eq!(worker.act(&ids[0], "moves", &closed).status, 200);
    let second = id_of(&worker.open(&ids, None));
    assert_eq!(outcome(&worker, &first, 0), json!(["in_appeal", "closed", null, "no_grounds"]));
    assert_eq!(outcome(&worker, &second, 0), json!(["in_appeal", null, null, null]));
    let claim = worker.see(&ids[0]).json;
    assert_eq!((&claim["case_id"], &claim["closing_reason"]), (&json!(second), &Value::Null));
    // The first case's deadlines no longer change the claim.
    let due = json!({ "due_on": "2027-05-05" });
    assert_eq!(worker.edit_level(&first, 1, &due).status, 200);
    assert_eq!(worker.see(&ids[0]).json["deadline"], Value::Null);
}

#[test]
fn endpoints_get_a_message_about_every_changed_deadline_with_the_claim_number() {
    let tenant = Tenant::new(Server::shared());
    let worker = Worker::on(&tenant);
    let owner = Person::of(&tenant, Role::Owner).client();
    let endpoint = crate::webhooks::make(&owner);
    let wants = br#"{"events": ["claim.deadline_changed"]}"#;
    assert_eq!(owner.seeing(&endpoint).request("PATCH", &endpoint, Some(wants)).status, 200);
    let ids = worker.reviewed(&["C-1"]);
    let case = id_of(&worker.open(&ids, Some("2027-03-01")));
    // Setting the same day again makes no event; filing clears the deadline.
    for edit in
        [json!({ "due_on": "2027-03-01" }), json!({ "due_on": "2027-05-05" }), json!({ "filed_on": "2026-01-05" })]
    {
        let edited = worker.edit_level(&case, 1, &edit);
        assert_eq!(edited.status, 200, "{}", edited.text());
    }
    let told = tenant.rows("SELECT body FROM deliveries WHERE practice_id = ?1 ORDER BY id", &[]);
    let mut told: Vec<Value> = told
        .iter()
        .map(|row| serde_json::from_str(row["body"].as_str().unwrap()).unwrap())
        .map(|body: Value| body["data"]["claim"].clone())
        .collect();
    told.sort_by_key(|claim| claim["deadline"].to_string());
    let claim = |due| json!({ "id": ids[0], "claim_number": "C-1", "deadline": due });
    let expected = [Some("2027-03-01"), Some("2027-05-05"), None].map(claim);
    assert_eq!(told, expected);
}

#[test]
fn only_claims_of_one_patient_and_payer_share_a_case() {
    let tenant = Tenant::new(Server::shared());
    let worker = Worker::on(&tenant);
    let bodies = [
        item("C-1"),
        with(item("C-2"), "patient.first_name", "JANE"),
        with(item("C-3"), "patient.first_name", "Joan"),
        with(item("C-4"), "claim.payer_name", "Umbrella"),
        with(item("C-5"), "patient.date_of_birth", "1980-02-28"),
    ];
    let ids = worker.review(&batch(bodies));
    for other in &ids[2..] {
        let refused = worker.open(&[ids[0].clone(), ids[1].clone(), other.clone()], Some("2027-03-01"));
        let wrong = "claims[2] must be of the same patient and payer as those before it";
        assert_eq!(refused.details(), [wrong]);
    }
    let sql = "SELECT count(*) AS n FROM cases WHERE practice_id = ?1";
    assert_eq!(tenant.number(sql), 0);
    let case = id_of(&worker.open(&ids[..1], None));
    let join = json!({ "status": "in_appeal", "case_id": case });
    for other in &ids[2..] {
        let refused = worker.act(other, "moves", &join);
        assert_eq!(refused.details(), ["case_id must be a case of the same patient and payer"]);
    }
    assert_eq!(worker.act(&ids[1], "moves", &join).status, 200);
}

#[test]
fn a_hundred_claims_go_into_one_case_and_cases_are_listed_page_by_page() {
    let (tenant, other) = (Tenant::new(Server::shared()), Tenant::new(Server::shared()));
    let (worker, elsewhere) = (Worker::on(&tenant), Worker::on(&other));
    let numbers: Vec<String> = (0..102).map(|n| format!("C-{n:03}")).collect();
    let mut ids = Vec::new();
    for some in numbers.chunks(51) {
        let sent = tenant.send(&numbered(some));
        ids.extend((0..51).map(|n| sent.id(n).to_owned()));
    }
    let sql = "UPDATE claims SET status = 'in_report' WHERE practice_id = ?1";
    tenant.change(sql, &[]);
    let mut opened: Vec<String> = [&ids[..100], &ids[100..101], &ids[101..]]
        .iter()
        .map(|claims| id_of(&worker.open(claims, Some("2027-03-01"))))
        .collect();
    assert_eq!(worker.case(&opened[0]).json["claims"].as_array().unwrap().len(), 100);
    opened.reverse();
    let target = worker.of_practice("cases?limit=2");
    let first = worker.client.get(&target);
    let cursor = first.json["next_cursor"].as_str().unwrap();
    let rest = worker.client.get(&format!("{target}&cursor={cursor}"));
    let pages = [&first, &rest].map(|page| page.json["cases"].as_array().unwrap().clone());
    let listed = pages.concat();
    let listed: Vec<_> = listed.iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(listed, opened);
    assert_eq!(rest.json["cases"][0]["level"]["due_on"], "2027-03-01");
    let none = elsewhere.client.get(&elsewhere.of_practice("cases"));
    assert_eq!(none.json["cases"], json!([]));
    tenant.check();
}
