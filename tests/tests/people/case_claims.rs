//! Deadlines and paid amounts of the claims in a case, through all later changes.

use crate::cases::id_of;
use overturn_tests::prelude::*;

/// A claim whose rule gives the 30th of June.
fn ruled(number: &str) -> Value {
    let dated = with(item(number), "claim.date_of_service", "2026-01-01");
    let dated = with(dated, "claim.denial_date", "2026-01-01");
    with(dated, "claim.plan_type", "erisa")
}

fn reviewed(worker: &Worker<'_>, numbers: &[&str]) -> Vec<String> {
    worker.review(&batch(numbers.iter().map(|number| ruled(number))))
}

fn of_rule() -> Value {
    json!({ "date": "2026-06-30", "from": "rule" })
}

fn deadline(worker: &Worker<'_>, claim: &str) -> Value {
    worker.see(claim).json["deadline"].clone()
}

fn moves(worker: &Worker<'_>, claim: &str, body: &Value) {
    let moved = worker.act(claim, "moves", body);
    assert_eq!(moved.status, 200, "{}", moved.text());
}

fn edit(worker: &Worker<'_>, case: &str, body: &Value) {
    let edited = worker.edit_level(case, 1, body);
    edited.expect(200);
}

fn back(case: &str) -> Value {
    json!({ "status": "in_appeal", "case_id": case })
}

fn closed() -> Value {
    json!({ "status": "closed", "reason": "denial_upheld" })
}

fn recovered(amount: &str) -> Value {
    json!({ "status": "recovered", "amount_recovered": amount })
}

#[test]
fn a_claim_does_not_join_a_case_that_was_filed_without_it_and_keeps_its_deadline() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = reviewed(&worker, &["J-1", "J-2", "J-3"]);
    let case = id_of(&worker.open(&ids[..1], None));
    for (done, joins) in [
        (json!({ "filed_on": "2026-01-05" }), false),
        (json!({ "decided_on": "2026-01-06", "outcome": "upheld" }), false),
        (json!({ "filed_on": null, "outcome": "withdrawn" }), false),
        (json!({ "decided_on": null, "outcome": null, "due_on": "2027-01-01" }), true),
    ] {
        edit(&worker, &case, &done);
        let answer = worker.act(&ids[1], "moves", &back(&case));
        if joins {
            answer.expect(200);
            // Its own date has passed, so the case gives the one that can still be missed.
            assert_eq!(deadline(&worker, &ids[1]), json!({ "date": "2027-01-01", "from": "case" }));
            continue;
        }
        let (_, message) = answer.nested(409);
        let wrong = "level 1 of the case was filed or decided without the claim; open another case with it";
        assert!(message.ends_with(wrong), "{message}");
        assert_eq!(worker.see(&ids[1]).json["status"], "reviewing");
        assert_eq!(deadline(&worker, &ids[1]), of_rule());
    }
    // The level is filed with both and lost, and the next one has begun. A third claim was not part of the first.
    edit(&worker, &case, &json!({ "filed_on": "2026-01-05", "decided_on": "2026-01-06", "outcome": "upheld" }));
    let next = json!({ "kind": "external_review", "due_on": "2027-03-01" });
    worker.begin_level(&case, &next).expect(201);
    let answer = worker.act(&ids[2], "moves", &back(&case));
    assert_eq!(answer.json["error"]["reason"], "filed_without_claim", "{}", answer.text());
    assert_eq!(deadline(&worker, &ids[2]), of_rule());
    // The claim can still have a case of its own.
    let own = id_of(&worker.open(&ids[2..], None));
    assert_eq!(deadline(&worker, &ids[2]), of_rule());
    edit(&worker, &own, &json!({ "filed_on": "2026-01-05" }));
    assert_eq!(deadline(&worker, &ids[2]), Value::Null);
    tenant.check();
}

/// The shown amounts: of the claim in the staff's view, and in a case.
fn shown(worker: &Worker<'_>, claim: &str, case: &str) -> [Value; 2] {
    let of_case = worker.case(case).json["claims"][0].clone();
    assert_eq!(of_case["id"], claim);
    [worker.see(claim).json["amount_recovered"].clone(), of_case["amount_recovered"].clone()]
}

#[test]
fn amounts_are_exact_to_the_last_cent_however_large() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    for (number, amount) in
        [("X-1", "90071992547409.93"), ("X-2", "9999999999999999.99"), ("X-3", "9999999999999998.01")]
    {
        let claim = with(with(ruled(number), "claim.billed_amount", amount), "claim.denied_amount", amount);
        let ids = worker.review(&batch([claim]));
        let (id, case) = (&ids[0], id_of(&worker.open(&ids, None)));
        moves(&worker, id, &recovered(amount));
        assert_eq!(shown(&worker, id, &case), [json!(amount), json!(amount)]);
        let seen = worker.see(id);
        let claim = &seen.json;
        assert_eq!((&claim["billed_amount"], &claim["denied_amount"]), (&json!(amount), &json!(amount)));
        // The answer has no number of cents, because a reader that knows only doubles would round it.
        assert!(!seen.text().contains("cents"), "{}", seen.text());
        assert!(!seen.text().contains(&amount.replace('.', "")), "{}", seen.text());
        let last = claim["history"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["detail"]["amount_recovered"], amount);
        assert_eq!(denial(&tenant, id)["amount_recovered"], amount);
    }
    tenant.check();
}

/// The claim as its practice sees it.
fn denial(tenant: &Tenant<'_>, id: &str) -> Value {
    let owner = Person::of(tenant, Role::Owner).client();
    let answer = owner.get(&format!("/api/v1/denials/{id}"));
    answer.expect(200);
    answer.json
}

#[test]
fn a_claim_in_review_is_closed_with_a_reason_and_comes_back_to_review_with_its_deadline() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    crate::webhooks::listen(&owner, &["claim.status_changed", "claim.deadline_changed"]);
    let ids = reviewed(&worker, &["R-1"]);
    let id = &ids[0];
    let upheld = worker.act(id, "moves", &closed());
    let known = "reason must be one of deadline_passed, not_appealable, no_grounds, already_paid, sent_in_error, \
                 patient_declined, withdrawn for a claim that is reviewing";
    assert_eq!(upheld.details(), [known]);
    let other = Worker::on(&tenant);
    let paid = json!({ "status": "closed", "reason": "already_paid" });
    assert_eq!(other.act(id, "moves", &paid).status, 409, "another has it");
    moves(&worker, id, &paid);
    let status = tenant.client().status("R-1");
    assert_eq!(status.json["claim"]["status"], "closed");
    let seen = denial(&tenant, id);
    assert_eq!(
        [&seen["status"], &seen["closing_reason"], &seen["deadline"]],
        [&json!("closed"), &json!("already_paid"), &Value::Null]
    );
    let may = worker.see(id).json["may"].clone();
    assert!(may.as_array().unwrap().contains(&json!("review")), "{may}");

    // It was not paid after all. A colleague reviews it again.
    moves(&other, id, &json!({ "status": "reviewing" }));
    let seen = other.see(id).json;
    assert_eq!(
        (&seen["status"], &seen["closing_reason"], &seen["deadline"]),
        (&json!("reviewing"), &Value::Null, &of_rule())
    );
    assert_eq!(seen["taken_by"]["id"], other.person.id.to_string());
    let last = seen["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["detail"]["appeal_due"], "2026-06-30");
    let told = tenant.count("deliveries");
    assert_eq!(told, 5, "taken, closed and reviewed again, and two deadlines");

    // A claim that was appealed goes back to its case only.
    let case = id_of(&other.open(&ids, None));
    moves(&other, id, &closed());
    let refused = other.act(id, "moves", &json!({ "status": "reviewing" }));
    refused.refused(409, "conflict");
    moves(&other, id, &back(&case));
    tenant.check();
}
