//! `…/claims/{id}/letter` and `/api/v1/denials/{id}/letter`: what a person read in the payer's letter.

use overturn_core::auth::role::Role;
use overturn_core::base::date::Date;
use overturn_tests::claims::{item, with};
use overturn_tests::client::{Answer, Client};
use overturn_tests::person::Person;
use overturn_tests::server::Server;
use overturn_tests::staff::{QUEUE, Worker};
use overturn_tests::tenant::{Tenant, now};
use serde_json::{Value, json};
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
    client.request("PATCH", target, Some(body.as_bytes()))
}

fn reason(answer: &Answer, status: u16) -> &str {
    let _ = answer.nested(status);
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
    let tenant = Tenant::new(Server::shared());
    let sent = tenant.send(&item("A-1"));
    let late = with(item("A-2"), "claim.denial_date", day(-1).as_str());
    let _late = tenant.send(&with(late, "claim.plan_type", "erisa"));
    let worker = Worker::on(&tenant);
    let owner = Person::of(&tenant, Role::Owner).client();
    let id = sent.id(0);
    let recorded = by_staff(&worker, id, &json!({ "appeal_due": day(30) }));
    assert_eq!(recorded.status, 200, "{}", recorded.text());
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
fn the_practice_corrects_what_was_sent_and_a_resend_overwrites_neither() {
    let tenant = Tenant::new(Server::shared());
    let plain = with(item("A-1"), "claim.denial_date", "2026-01-01");
    let sent = tenant.send(&plain);
    let id = sent.id(0);
    let member = Person::of(&tenant, Role::Member).client();
    let read = json!({ "denial_date": "2026-02-01", "plan_type": "tricare" });
    let recorded = by_practice(&member, id, &read);
    assert_eq!(recorded.json["deadline"], json!({ "date": "2026-05-02", "from": "rule" }));
    let one = || member.get(&format!("{DENIALS}/{id}")).json;
    let shown = one();
    assert_eq!((&shown["denial_date"], &shown["plan_type"]), (&json!("2026-01-01"), &Value::Null));
    assert_eq!(shown["letter"]["read_by"], "practice");
    assert_eq!(shown["deadline"]["source"], "32 CFR 199.10(b)");
    assert_eq!(shown["deadline_by_rule"]["days"], 90);

    // The resend fills in what was never sent, and the letter still counts.
    let filled = tenant.client().send(&with(plain, "claim.plan_type", "erisa"));
    assert_eq!(filled.status, 200);
    let shown = one();
    assert_eq!((&shown["plan_type"], &shown["letter"]["plan_type"]), (&json!("erisa"), &json!("tricare")));
    assert_eq!(shown["deadline"]["date"], "2026-05-02");
    // Without the letter, what was sent counts again.
    let cleared = by_practice(&member, id, &json!({ "denial_date": null, "plan_type": null }));
    assert_eq!(cleared.json["deadline"], json!({ "date": "2026-06-30", "from": "rule" }));
    assert_eq!(one()["letter"], Value::Null);
    // Of two dates the earlier counts, unless a person says that the letter's does.
    let later = by_practice(&member, id, &json!({ "appeal_due": "2026-08-01" }));
    assert_eq!(later.json["deadline"], json!({ "date": "2026-06-30", "from": "rule" }));
    let decided = by_practice(&member, id, &json!({ "counts": "letter" }));
    assert_eq!(decided.json["deadline"], json!({ "date": "2026-08-01", "from": "letter" }));
    let filter = |days: &str| member.get(&format!("{DENIALS}?denied_from={days}")).json["denials"][0]["id"].clone();
    assert_eq!(filter("2026-02-01"), Value::Null);
    let _read = by_practice(&member, id, &json!({ "denial_date": "2026-02-01" }));
    assert_eq!(filter("2026-02-01"), id);
    tenant.check();
}

#[test]
fn two_people_at_once_do_not_overwrite_each_other() {
    let tenant = Tenant::new(Server::shared());
    let id = tenant.send(&item("A-1")).id(0).to_owned();
    let worker = Worker::on(&tenant);
    let owner = Person::of(&tenant, Role::Owner).client();
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
fn only_people_of_the_practice_and_staff_record_a_letter_while_the_appeal_is_open() {
    let (tenant, other) = (Tenant::new(Server::shared()), Tenant::new(Server::shared()));
    let id = tenant.send(&item("A-1")).id(0).to_owned();
    let worker = Worker::on(&tenant);
    let owner = Person::of(&tenant, Role::Owner).client();
    let target = format!("{DENIALS}/{id}/letter");
    let body = json!({ "appeal_due": day(10) });
    let stranger = Person::of(&other, Role::Owner).client();
    let _ = patch(&stranger, &target, "\"1\"", &body).nested(404);
    let _ = patch(&worker.client, &target, "\"1\"", &body).nested(403);
    let _ = patch(&owner, &format!("{}/letter", worker.at(&id)), "\"1\"", &body).nested(403);
    let token = owner.post(
        "/api/v1/settings/api_tokens",
        json!({ "name": "T", "scopes": ["denials:read"], "expires_in_days": 1 }).to_string(),
    );
    let bearer = format!("Bearer {}", token.json["token"].as_str().unwrap());
    let token = Server::shared().client().with("Authorization", &bearer);
    let refused = patch(&token, &target, "\"1\"", &body);
    assert_eq!(reason(&refused, 403), "token_not_allowed");
    let seen = token.get(&format!("{DENIALS}/{id}")).json;
    assert_eq!(seen["may"], json!([]));

    let unseen = owner.request("PATCH", &target, Some(body.to_string().as_bytes()));
    assert_eq!(unseen.status, 422, "{}", unseen.text());
    let wrong = patch(&owner, &target, "\"1\"", &json!({ "due": day(1) }));
    assert_eq!(wrong.status, 422, "{}", wrong.text());
    assert_eq!(tenant.audit("claim.letter_set").len(), 0);

    let _taken = worker.take(&id);
    let closed = worker.act(&id, "moves", &json!({ "status": "closed", "reason": "withdrawn" }));
    assert_eq!(closed.status, 200, "{}", closed.text());
    for stuck in [by_practice(&owner, &id, &body), by_staff(&worker, &id, &body)] {
        assert_eq!(reason(&stuck, 409), "move_not_possible");
    }
    assert_eq!(owner.get(&format!("{DENIALS}/{id}")).json["may"], json!([]));
}
