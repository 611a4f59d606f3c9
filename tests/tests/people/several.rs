//! `POST /api/v1/staff/claims/take` and `…/signing`: several claims at once, each decided alone.

use overturn_tests::only_in_one_cell;
use overturn_tests::prelude::*;
use std::collections::BTreeSet;

const TAKE: &str = "/api/v1/staff/claims/take";
const SIGNING: &str = "/api/v1/staff/claims/signing";
const KEY: &str = "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a01";

/// Sends claims with these numbers. Returns them as a request names them.
fn sent(tenant: &Tenant<'_>, numbers: &[&str]) -> Vec<Value> {
    let sent = tenant.send(&numbered(numbers));
    let named = |n| json!({ "practice_id": tenant.id, "id": sent.id(n), "version": 1 });
    (0..numbers.len()).map(named).collect()
}

fn take(client: &Client, claims: &[Value]) -> Answer {
    client.post(TAKE, json!({ "claims": claims }).to_string())
}

fn decide(client: &Client, decision: &str, claims: &[Value]) -> Answer {
    let body = json!({ "decision": decision, "claims": claims });
    client.post(SIGNING, body.to_string())
}

fn results(answer: &Answer) -> Vec<Value> {
    answer.expect(200);
    answer.json["results"].as_array().unwrap().clone()
}

/// What became of each claim: `done`, or the reason of the refusal.
fn outcomes(answer: &Answer) -> Vec<String> {
    let results = results(answer).into_iter();
    let outcome = |result: Value| {
        let said = if result["status"] == "done" { &result["status"] } else { &result["reason"] };
        said.as_str().unwrap().to_owned()
    };
    results.map(outcome).collect()
}

#[test]
fn claims_of_several_practices_are_taken_together_each_with_its_own_records() {
    let (one, two) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&one);
    let _endpoint = crate::webhooks::make(&two.owner());
    let claims = [sent(&one, &["A-1", "A-2"]), sent(&two, &["B-1"])].concat();
    let taken = take(&worker.client, &claims);
    assert_eq!(outcomes(&taken), ["done", "done", "done"]);
    for (result, claim) in results(&taken).iter().zip(&claims) {
        let expected = json!({
            "id": claim["id"], "version": 2, "status": "reviewing", "signing_status": "not_decided",
            "taken_by": worker.person.id.to_string(),
        });
        assert_eq!(result["claim"], expected);
        assert_eq!([&result["reason"], &result["message"]], [&Value::Null, &Value::Null]);
    }
    for (tenant, number, count) in [(&one, "A-1", 2), (&two, "B-1", 1)] {
        let rows = tenant.audit("claim.taken");
        assert_eq!(rows.len(), count);
        assert_eq!(rows[0]["actor"], format!("user:{}", worker.person.id));
        let status = tenant.client().status(number);
        assert_eq!(status.json["claim"]["status"], "reviewing");
        tenant.check();
    }
    let told = two.messages();
    assert_eq!((told.len(), &told[0]["data"]["claim"]["claim_number"]), (1, &json!("B-1")));
    // The history is that of a claim that is taken alone.
    let seen = worker.see(claims[0]["id"].as_str().unwrap()).json;
    assert_eq!(seen["history"][1]["kind"], "taken");
    assert_eq!(seen["history"][1]["detail"]["taken_by"], worker.person.id.to_string());
    assert_eq!(one.audit("claim.read").len(), 1, "taking opened no patient");
}

#[test]
fn each_claim_is_refused_for_its_own_reason_and_keeps_no_other_back() {
    let tenant = Tenant::shared();
    let (idle, unsigned) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&tenant);
    let mut claims = sent(&tenant, &["A-1", "A-2", "A-3"]);
    claims[1]["version"] = json!(2);
    tenant.change_claims("UPDATE claims SET status = 'closed' WHERE practice_id = ?1 AND claim_number = 'A-3'", &[]);
    claims.extend(sent(&idle, &["B-1"]));
    claims.extend(sent(&unsigned, &["C-1"]));
    idle.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    unsigned.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    let unknown = "00000000-0000-0000-0000-000000000000";
    claims.push(json!({ "practice_id": tenant.id, "id": unknown, "version": 1 }));
    let mut elsewhere = sent(&tenant, &["A-4"]).remove(0);
    elsewhere["practice_id"] = json!(Tenant::shared().id);
    claims.push(elsewhere);

    let taken = take(&worker.client, &claims);
    let expected = [
        "done",
        "version_conflict",
        "move_not_possible",
        "practice_inactive",
        "agreement_required",
        "not_found",
        "not_found",
    ];
    assert_eq!(outcomes(&taken), expected);
    let results = results(&taken);
    assert_eq!(results[1]["claim"]["version"], 1, "its current state");
    for hidden in &results[3..] {
        assert_eq!(hidden["claim"], Value::Null);
    }
    for tenant in [&idle, &unsigned] {
        let versions = "SELECT count(*) AS n FROM claims WHERE practice_id = ?1 AND version > 1";
        assert_eq!(tenant.number(versions), 0);
        assert_eq!(tenant.audit("claim.taken").len(), 0);
    }
    assert_eq!(tenant.audit("claim.taken").len(), 1);
    let nothing = take(&worker.client, &claims[1..]);
    assert!(!outcomes(&nothing).contains(&"done".to_owned()));
    assert_eq!(tenant.audit("claim.taken").len(), 1);
}

/// Both take the same claims. Each claim has one taker in each version.
#[test]
fn of_two_people_who_take_a_hundred_claims_at_once_each_claim_gets_one() {
    let (one, two) = (Tenant::shared(), Tenant::shared());
    let numbers: Vec<String> = (0..50).map(|n| format!("N-{n}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let claims = [sent(&one, &numbers), sent(&two, &numbers)].concat();
    let workers = [Worker::on(&one), Worker::on(&one), Worker::on(&one)];
    // Not the same claims and not the same order, so that each loses some to the others.
    let mut last = claims[20..].to_vec();
    last.reverse();
    let asked = [claims[..80].to_vec(), last, claims.clone()];
    let calls = workers.iter().zip(&asked);
    let calls = calls.map(|(worker, claims)| move || take(&worker.client, claims));
    let answers = at_once(calls.collect());
    let mut taken = BTreeSet::new();
    for ((worker, asked), answer) in workers.iter().zip(&asked).zip(&answers) {
        for (claim, result) in asked.iter().zip(results(answer)) {
            assert_eq!(result["id"], claim["id"]);
            if result["status"] == "done" {
                let id = claim["id"].as_str().unwrap().to_owned();
                assert!(taken.insert(id.clone()), "{id} was taken twice in version 1");
                assert_eq!(result["claim"]["taken_by"], worker.person.id.to_string());
                let row = "SELECT taken_by FROM claims WHERE id = ?2 AND practice_id IN (?1, ?3)";
                let other = two.id.to_string();
                let rows = one.rows(row, &[&id, &other]);
                assert_eq!(rows[0]["taken_by"], worker.person.id.to_string());
            } else {
                assert_eq!(result["reason"], "version_conflict");
            }
        }
    }
    assert_eq!(taken.len(), 100, "each claim has a taker");
    for tenant in [&one, &two] {
        let events = "SELECT count(*) AS n FROM claim_events WHERE practice_id = ?1 AND kind = 'taken'";
        assert_eq!(tenant.number(events), 50);
        assert_eq!(tenant.audit("claim.taken").len(), 50);
        tenant.check();
    }
}

#[test]
fn a_claim_that_changes_before_the_commit_is_refused_and_the_others_are_taken() {
    only_in_one_cell!("it changes claims before batches of these numbers");
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let claims = sent(&tenant, &["A-1", "A-2", "A-3"]);
    let changes = |claim: &Value| {
        let sql = "UPDATE claims SET version = version + 1 WHERE id = ?1";
        json!({ "before": [{ "sql": sql, "params": [claim["id"]] }] })
    };
    // The commits are the batches with even numbers.
    let faults = json!({ "2": changes(&claims[0]), "4": changes(&claims[2]) });
    let client = worker.client.faulty(&faults);
    let taken = take(&client, &claims);
    assert_eq!(outcomes(&taken), ["version_conflict", "done", "version_conflict"]);
    assert_eq!(tenant.audit("claim.taken").len(), 1);
    assert_eq!(tenant.row("A-2")["taken_by"], worker.person.id.to_string());

    // A claim that is another one at each commit, and the same one at each read, is given up after a while.
    let claims = sent(&tenant, &["B-1"]);
    let step = |by: &str| {
        let sql = format!("UPDATE claims SET version = version {by} WHERE id = ?1");
        json!({ "before": [{ "sql": sql, "params": [claims[0]["id"]] }] })
    };
    let mut faults = serde_json::Map::new();
    for round in 1..=8 {
        faults.insert((2 * round).to_string(), step("+ 1"));
        faults.insert((2 * round + 1).to_string(), step("- 1"));
    }
    let client = worker.client.with("Tests-Database", &Value::Object(faults).to_string());
    let refused = take(&client, &claims);
    refused.refused(409, "conflict");
    assert_eq!(refused.json["error"]["reason"], "version_conflict");
    assert_eq!(tenant.row("B-1")["version"], 2, "the eighth round was the last one");
    assert_eq!(tenant.audit("claim.taken").len(), 1);
}

#[test]
fn a_repeated_request_gets_its_first_answer_and_a_lost_answer_changes_nothing_twice() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let claims = sent(&tenant, &["A-1", "A-2"]);
    let once = worker.client.with("Idempotency-Key", KEY);
    let first = take(&once.losing_commit(), &claims);
    assert_eq!(outcomes(&first), ["done", "done"]);
    let again = take(&once, &claims);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.json, first.json);
    let other = take(&once, &claims[..1]);
    other.refused(422, "validation_failed");
    assert_eq!(tenant.audit("claim.taken").len(), 2);
    assert_eq!(tenant.row("A-1")["version"], 2);
    // Without the key the versions have changed.
    let stale = take(&worker.client, &claims);
    assert_eq!(outcomes(&stale), ["version_conflict", "version_conflict"]);
    // An answer in which nothing was done is kept as well.
    let once = worker.client.with("Idempotency-Key", "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a02");
    let refused = take(&once, &claims);
    let again = take(&once, &claims);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.json, refused.json);
}

#[test]
fn a_decision_makes_a_link_for_each_claim_under_the_key_of_its_practice() {
    let (one, two) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&one);
    let mut claims = [sent(&one, &["A-1", "A-2"]), sent(&two, &["B-1"])].concat();
    one.change("UPDATE claims SET signing_status = 'signed' WHERE practice_id = ?1 AND claim_number = 'A-2'", &[]);
    let needed = decide(&worker.client, "needed", &claims);
    assert_eq!(outcomes(&needed), ["done", "already_signed", "done"]);
    let link = |tenant: &Tenant<'_>, number: &str| {
        let status = tenant.client().status(number).json;
        status["claim"]["signing"]["link"].as_str().map(str::to_owned)
    };
    let links = [link(&one, "A-1"), link(&two, "B-1")];
    assert!(links.iter().all(Option::is_some), "{links:?}");
    assert_ne!(links[0], links[1]);
    for link in links.iter().flatten() {
        assert!(!needed.text().contains(link));
        let (_, token) = link.split_once("token=").unwrap();
        let path = format!("/sign?token={token}");
        let page = Server::shared().client().get(&path);
        page.expect(200);
    }
    for (tenant, count) in [(&one, 1), (&two, 1)] {
        assert_eq!(tenant.audit("signing.decided").len(), count);
        tenant.check();
    }
    for claim in &mut claims {
        claim["version"] = json!(2);
    }
    let not_needed = decide(&worker.client, "not_needed", &[claims[0].clone(), claims[2].clone()]);
    assert_eq!(outcomes(&not_needed), ["done", "done"]);
    assert_eq!([link(&one, "A-1"), link(&two, "B-1")], [None, None]);
    for tenant in [&one, &two] {
        let usable = "SELECT count(*) AS n FROM signing_links WHERE practice_id = ?1 AND revoked_at IS NULL";
        assert_eq!(tenant.number(usable), 0);
    }
    for claim in &mut claims {
        claim["version"] = json!(3);
    }
    let same = decide(&worker.client, "not_needed", &claims[..1]);
    assert_eq!(results(&same)[0]["claim"]["version"], 3, "it was decided already");
    assert_eq!(one.audit("signing.decided").len(), 2);
}
