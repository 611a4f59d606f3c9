//! `…/claims/{id}/letter` and `/api/v1/denials/{id}/letter`: what a person read in the payer's letter.

use overturn_core::base::date::Date;
use overturn_tests::prelude::*;
use std::thread;

const DENIALS: &str = "/api/v1/denials";

/// A day so many days from today.
fn day(days: i32) -> String {
    let day = Date::of(now()).plus_days(days);
    day.unwrap().to_string()
}

fn patch(client: &Client, target: &str, tag: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let client = client.with("If-Match", tag);
    client.patch(target, &body)
}

fn reason(answer: &Answer, status: u16) -> &str {
    answer.nested(status);
    answer.json["error"]["reason"].as_str().unwrap()
}

/// Staff set the letter of a claim with its current version.
fn by_staff(worker: &Worker<'_>, id: &str, body: &Value) -> Answer {
    let tag = worker.see(id).header("etag").unwrap().to_owned();
    patch(&worker.client, &format!("{}/letter", worker.at(id)), &tag, body)
}

/// A person of the practice does.
fn by_practice(client: &Client, id: &str, body: &Value) -> Answer {
    let target = format!("{DENIALS}/{id}");
    let tag = client.get(&target).header("etag").unwrap().to_owned();
    patch(client, &format!("{target}/letter"), &tag, body)
}

#[test]
fn a_claim_without_a_rule_gets_the_day_of_its_letter_and_its_place_in_every_order() {
    let tenant = Tenant::shared();
    let sent = tenant.send(&item("A-1"));
    let late = with(item("A-2"), "claim.denial_date", day(-1).as_str());
    let _late = tenant.send(&with(late, "claim.plan_type", "erisa"));
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let id = sent.id(0);
    let recorded = by_staff(&worker, id, &json!({ "appeal_due": day(30) }));
    recorded.expect(200);
    let deadline = json!({ "date": day(30), "from": "letter" });
    let answer = json!({ "id": id, "version": 2, "deadline": deadline });
    assert_eq!(recorded.json, answer);

    let seen = worker.see(id).json;
    assert_eq!(seen["deadline"], deadline);
    let letter = json!({ "denial_date": null, "plan_type": null, "appeal_due": day(30), "counts": "earliest",
        "read_by": "staff", "read_at": seen["updated_at"] });
    assert_eq!((&seen["letter"], &seen["denial_date"]), (&letter, &Value::Null));
    let last = seen["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["kind"], &last["actor_name"]), (&json!("deadline"), &json!("A person, staff")));
    let facts = json!({ "denial_date": null, "plan_type": null, "appeal_due": day(30), "counts": "earliest" });
    assert_eq!(last["detail"], json!({ "letter": facts, "appeal_due": day(30) }));
    let queue = worker.client.get(&format!("{QUEUE}?practice_id={}", tenant.id));
    let first = &queue.json["claims"][0];
    assert_eq!((&first["claim_number"], &first["letter"]), (&json!("A-1"), &letter));

    // The practice sees the facts and which side read them, and no person.
    let own = owner.get(&format!("{DENIALS}/{id}"));
    assert_eq!(own.json["letter"], letter);
    let from = json!({ "date": day(30), "from": "letter", "source": null });
    assert_eq!(own.json["deadline"], from);
    let event = own.json["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&event["by"], &event["letter"]), (&json!("staff"), &facts));
    assert!(!own.text().contains("A person, staff"));
    let ordered = owner.get(&format!("{DENIALS}?order=deadline"));
    assert_eq!(ordered.json["denials"][0]["claim_number"], "A-1");
    let summary = worker.client.get(&format!("/api/v1/staff/summary?practice_id={}&today={}", tenant.id, day(0)));
    let none = &summary.json["deadlines"]["none"];
    assert_eq!(none["claims"], 0, "{}", summary.text());

    let rows = tenant.audit("claim.letter_set");
    assert_eq!((rows.len(), &rows[0]["record"]), (1, &json!(id)));
    let said: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(said, json!({ "letter": facts, "deadline": deadline }));
    tenant.check();
}

#[test]
fn two_people_at_once_do_not_overwrite_each_other() {
    let tenant = Tenant::shared();
    let id = tenant.send(&item("A-1")).id(0).to_owned();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let target = format!("{DENIALS}/{id}");
    let tag = owner.get(&target).header("etag").unwrap().to_owned();
    let of_staff = worker.see(&id).header("etag").unwrap().to_owned();
    let answers = thread::scope(|scope| {
        let one = scope.spawn(|| patch(&owner, &format!("{target}/letter"), &tag, &json!({ "appeal_due": day(10) })));
        let other = scope.spawn(|| {
            let at = format!("{}/letter", worker.at(&id));
            patch(&worker.client, &at, &of_staff, &json!({ "appeal_due": day(20) }))
        });
        [one.join().unwrap(), other.join().unwrap()]
    });
    let mut statuses = answers.each_ref().map(|answer| answer.status);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let lost = answers.iter().find(|answer| answer.status == 409).unwrap();
    assert_eq!(lost.json["error"]["reason"], "version_conflict");
    assert_eq!(tenant.audit("claim.letter_set").len(), 1);
    tenant.check();
}

#[test]
fn a_letter_whose_answer_is_lost_is_recorded_once() {
    let tenant = Tenant::shared();
    let id = tenant.send(&item("A-1")).id(0).to_owned();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let target = format!("{DENIALS}/{id}");
    for (n, due) in [day(10), day(20)].iter().enumerate() {
        let body = json!({ "appeal_due": due });
        let set = match n {
            0 => patch(
                &owner.losing_commit(),
                &format!("{target}/letter"),
                owner.get(&target).header("etag").unwrap(),
                &body,
            ),
            _ => {
                let tag = worker.see(&id).header("etag").unwrap().to_owned();
                patch(&worker.client.losing_commit(), &format!("{}/letter", worker.at(&id)), &tag, &body)
            }
        };
        set.expect(200);
        assert_eq!(set.json["deadline"]["date"], *due);
        assert_eq!(owner.get(&target).json["version"], set.json["version"]);
        assert_eq!(tenant.audit("claim.letter_set").len(), n + 1);
    }
    tenant.check();
}

#[test]
fn only_people_of_the_practice_and_staff_record_a_letter_while_the_appeal_is_open() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let id = tenant.send(&item("A-1")).id(0).to_owned();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let target = format!("{DENIALS}/{id}/letter");
    let body = json!({ "appeal_due": day(10) });
    let stranger = other.owner();
    patch(&stranger, &target, "\"1\"", &body).nested(404);
    patch(&worker.client, &target, "\"1\"", &body).nested(403);
    patch(&owner, &format!("{}/letter", worker.at(&id)), "\"1\"", &body).nested(403);
    let token = tenant.integration(&owner, &["denials:read"]);
    let refused = patch(&token, &target, "\"1\"", &body);
    assert_eq!(reason(&refused, 403), "token_not_allowed");
    let seen = token.get(&format!("{DENIALS}/{id}")).json;
    assert_eq!(seen["may"], json!([]));

    let unseen = owner.patch(&target, body.to_string());
    unseen.expect(422);
    let wrong = patch(&owner, &target, "\"1\"", &json!({ "due": day(1) }));
    wrong.expect(422);
    assert_eq!(tenant.audit("claim.letter_set").len(), 0);

    worker.take(&id);
    let closed = worker.act(&id, "moves", &json!({ "status": "closed", "reason": "withdrawn" }));
    closed.expect(200);
    for stuck in [by_practice(&owner, &id, &body), by_staff(&worker, &id, &body)] {
        assert_eq!(reason(&stuck, 409), "move_not_possible");
    }
    assert_eq!(owner.get(&format!("{DENIALS}/{id}")).json["may"], json!([]));
}
