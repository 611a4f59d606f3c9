//! `POST …/cases/{id}/decisions`, the payer's clock, and `PATCH …/claims/{id}/amount`.

use crate::cases::id_of;
use overturn_core::base::date::Date;
use overturn_tests::prelude::*;

/// Claims of an ERISA plan, in a case whose first level was filed.
fn filed(worker: &Worker<'_>, numbers: &[&str]) -> (String, Vec<String>) {
    let claims = numbers.iter().map(|number| {
        let item = with(item(number), "claim.plan_type", "erisa");
        with(item, "claim.denial_date", "2026-01-01")
    });
    let ids = worker.review(&batch(claims));
    let case = id_of(&worker.open(&ids, Some("2027-03-01")));
    let edited = worker.edit_level(&case, 1, &json!({ "filed_on": "2026-01-05" }));
    edited.expect(200);
    (case, ids)
}

/// Each claim with its result.
fn results(worker: &Worker<'_>, ids: &[String], results: &[Value]) -> Value {
    let with_versions = worker.with_versions(ids);
    let claims = with_versions.as_array().unwrap().iter().zip(results);
    let claims = claims.map(|(claim, result)| {
        let mut claim = claim.clone();
        let fields = claim.as_object_mut().unwrap();
        fields.extend(result.as_object().unwrap().clone());
        claim
    });
    claims.collect()
}

fn paid(amount: &str) -> Value {
    json!({ "result": "recovered", "amount_recovered": amount })
}

fn upheld() -> Value {
    json!({ "result": "closed", "reason": "denial_upheld" })
}

fn goes_on() -> Value {
    json!({ "result": "in_appeal" })
}

fn decision(claims: &Value) -> Value {
    json!({ "outcome": "partly_overturned", "decided_on": "2026-02-06", "claims": claims })
}

fn decide(worker: &Worker<'_>, case: &str, body: &Value) -> Answer {
    let target = worker.of_practice(&format!("cases/{case}/decisions"));
    worker.on_case(case).post(&target, body.to_string())
}

fn correct(worker: &Worker<'_>, claim: &str, amount: &str) -> Answer {
    let seen = worker.see(claim);
    let client = worker.client.with("If-Match", seen.header("etag").unwrap());
    let body = json!({ "amount_recovered": amount }).to_string();
    client.patch(&format!("{}/amount", worker.at(claim)), &body)
}

#[test]
fn one_step_records_what_a_decision_changes() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, ids) = filed(&worker, &["D-1", "D-2", "D-3"]);
    assert_eq!(worker.case(&case).json["standing"], "awaiting_decision");
    let claims = results(&worker, &ids, &[paid("80.00"), upheld(), goes_on()]);
    let mut body = decision(&claims);
    body["next_level"] = json!({ "kind": "external_review", "due_on": "2027-06-07" });
    let done = decide(&worker, &case, &body);
    done.expect(200);
    assert_eq!(done.json["version"], 3);
    assert_eq!(done.json["next_level"]["level"], 2);
    let statuses = [0, 1, 2].map(|n| done.json["claims"][n]["status"].clone());
    assert_eq!(statuses, ["recovered", "closed", "in_appeal"]);

    let view = worker.case(&case).json;
    assert_eq!((&view["version"], &view["standing"]), (&json!(3), &json!("to_file")));
    assert_eq!(view["levels"][0]["outcome"], "partly_overturned");
    assert_eq!(view["claims"][0]["amount_recovered"], "80.00");
    assert_eq!(view["claims"][1]["closing_reason"], "denial_upheld");
    assert_eq!(view["appealed"].as_array().unwrap().len(), 1);
    let due = json!({ "date": "2027-06-07", "from": "case" });
    assert_eq!(worker.see(&ids[2]).json["deadline"], due);
    assert_eq!(worker.see(&ids[0]).json["deadline"], Value::Null);
    // The trail and the history are those of the single steps.
    for (event, rows) in [("case.level_changed", 2), ("case.level_begun", 1), ("claim.moved", 2)] {
        assert_eq!(tenant.audit(event).len(), rows, "{event}");
    }
    let shown = tenant.owner();
    let appeal = shown.get(&format!("/api/v1/appeals/{case}")).json;
    assert_eq!(appeal["standing"], "to_file");
    assert_eq!(appeal["levels"][0]["decided_on"], "2026-02-06");
    tenant.check();
}

#[test]
fn of_two_decisions_at_once_one_is_recorded() {
    let tenant = Tenant::shared();
    let [worker, colleague] = [(), ()].map(|()| Worker::on(&tenant));
    let (case, ids) = filed(&worker, &["D-1"]);
    let claims = results(&worker, &ids, &[paid("80.00")]);
    let mut body = decision(&claims);
    body["take_over"] = json!(true);
    let calls = [&worker, &colleague].map(|one| (one, &case, &body));
    let calls = calls.map(|(one, case, body)| move || decide(one, case, body).status);
    let mut statuses = at_once(calls.into());
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(tenant.audit("claim.moved").len(), 1);
    tenant.check();
}

#[test]
fn a_filed_level_has_the_day_by_which_the_payer_must_decide_and_staff_ask_on_it() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, _) = filed(&worker, &["D-1"]);
    let level = worker.case(&case).json["levels"][0].clone();
    assert_eq!(level["decision_due"], "2026-03-06");
    assert_eq!(level["decision_source"], "29 CFR 2560.503-1(i)(2)(iii)(A)");
    let today = Date::of(now());
    let listed = |more: &str| {
        let target = format!("/api/v1/staff/cases?practice_id={}{more}", tenant.id);
        let answer = worker.client.get(&target);
        answer.expect(200);
        let cases = answer.json["cases"].as_array().unwrap().clone();
        cases.into_iter().map(|case| case["ask_on"].clone()).collect::<Vec<_>>()
    };
    let queued = |more: &str| {
        let queue = worker.client.get(&format!("{QUEUE}?practice_id={}{more}", tenant.id));
        let claims = queue.json["claims"].as_array().unwrap().clone();
        claims.into_iter().map(|claim| claim["ask_on"].clone()).collect::<Vec<_>>()
    };
    let due = || {
        let target = format!("/api/v1/staff/summary?practice_id={}", tenant.id);
        worker.client.get(&target).json["decisions_due"].clone()
    };
    let overdue = format!("&ask_before={}", today.plus_days(1).unwrap());
    assert_eq!(listed("&awaiting=decision"), [json!("2026-03-06")]);
    assert_eq!(listed(&overdue), [json!("2026-03-06")]);
    assert_eq!(queued(&overdue), [json!("2026-03-06")]);
    assert_eq!(due(), 1);
    // The payer said that it needs longer.
    let later = today.plus_days(14).unwrap().to_string();
    let edited = worker.edit_level(&case, 1, &json!({ "follow_up_on": later }));
    assert_eq!(edited.json["level"]["follow_up_on"], json!(later));
    assert_eq!(listed("&awaiting=decision"), [json!(later)]);
    assert_eq!(listed(&overdue), [Value::Null; 0]);
    assert_eq!(queued(&overdue), [Value::Null; 0]);
    assert_eq!(queued(""), [json!(later)]);
    assert_eq!(due(), 0);
    let decided = json!({ "outcome": "upheld", "decided_on": "2026-02-06" });
    decide(&worker, &case, &decided).expect(200);
    assert_eq!(listed("&awaiting=decision"), [Value::Null; 0]);
    let early = worker.edit_level(&case, 1, &json!({ "follow_up_on": later }));
    early.expect(422);
}

#[test]
fn a_plan_that_is_learned_after_the_filing_gives_the_payers_day_which_never_becomes_later_by_itself() {
    let patch = |client: &Client, target: &str, plan: &str| {
        let seen = client.get(target);
        let client = client.with("If-Match", seen.header("etag").unwrap());
        let body = json!({ "plan_type": plan }).to_string();
        let answer = client.patch(&format!("{target}/letter"), &body);
        answer.expect(200);
    };
    for learned in ["from staff", "from the practice", "by a resend"] {
        let tenant = Tenant::shared();
        let worker = Worker::on(&tenant);
        let ids = worker.review(&item("D-1"));
        let case = id_of(&worker.open(&ids, Some("2027-03-01")));
        let edited = worker.edit_level(&case, 1, &json!({ "filed_on": "2026-01-05" }));
        assert_eq!(edited.json["level"]["decision_due"], Value::Null);
        let owner = tenant.owner();
        let known = worker.case(&case);
        let of_staff = worker.at(&ids[0]);
        match learned {
            "from staff" => patch(&worker.client, &of_staff, "erisa"),
            "from the practice" => patch(&owner, &format!("/api/v1/denials/{}", ids[0]), "erisa"),
            _ => {
                let sent = tenant.send(&with(item("D-1"), "claim.plan_type", "erisa"));
                assert_eq!(sent.id(0), ids[0]);
            }
        }
        let level = || {
            let level = worker.case(&case).json["levels"][0].clone();
            (level["decision_due"].clone(), level["decision_source"].clone())
        };
        assert_eq!(level(), (json!("2026-03-06"), json!("29 CFR 2560.503-1(i)(2)(iii)(A)")), "{learned}");
        let queue = worker.client.get(&format!("{QUEUE}?practice_id={}", tenant.id));
        assert_eq!(queue.json["claims"][0]["ask_on"], "2026-03-06");
        assert_ne!(worker.case(&case).header("etag"), known.header("etag"));
        patch(&worker.client, &of_staff, "medi_cal_managed");
        assert_eq!(level().0, "2026-02-04");
        patch(&worker.client, &of_staff, "erisa");
        assert_eq!(level().0, "2026-02-04");
    }
}

#[test]
fn a_decision_and_a_correction_whose_answers_are_lost_count_once() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, ids) = filed(&worker, &["D-1", "D-2"]);
    let mut body = decision(&results(&worker, &ids, &[paid("80.00"), goes_on()]));
    body["next_level"] = json!({ "kind": "external_review", "due_on": "2027-06-01" });
    let target = worker.of_practice(&format!("cases/{case}/decisions"));
    let decided = worker.on_case(&case).losing_commit().post(&target, body.to_string());
    decided.expect(200);
    assert_eq!(
        (&decided.json["next_level"]["level"], &decided.json["claims"][0]["status"]),
        (&json!(2), &json!("recovered"))
    );
    let seen = worker.see(&ids[0]);
    let client = worker.client.with("If-Match", seen.header("etag").unwrap()).losing_commit();
    let corrected = client.patch(&format!("{}/amount", worker.at(&ids[0])), r#"{"amount_recovered":"90.00"}"#);
    corrected.expect(200);
    let case = worker.case(&case).json;
    assert_eq!(case["levels"].as_array().unwrap().len(), 2);
    assert_eq!((&case["claims"][0]["amount_recovered"], &case["version"]), (&json!("90.00"), &decided.json["version"]));
    assert_eq!(worker.see(&ids[1]).json["deadline"]["date"], "2027-06-01");
    for (event, rows) in [("claim.moved", 1), ("claim.amount_corrected", 1), ("case.level_begun", 1)] {
        let own = tenant.audit(event).iter().filter(|row| row["record"] != json!(ids[1])).count();
        assert_eq!(own, rows, "{event}");
    }
    tenant.check();
}

#[test]
fn a_recovered_amount_is_corrected_in_place() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let (case, ids) = filed(&worker, &["D-1"]);
    let claims = results(&worker, &ids, &[paid("80.00")]);
    decide(&worker, &case, &decision(&claims)).expect(200);
    let at = |view: &Value| view["claims"][0]["decided_at"].clone();
    let before = worker.case(&case).json;
    crate::webhooks::listen(&owner, &["claim.amount_corrected", "claim.status_changed"]);
    assert!(worker.see(&ids[0]).json["may"].as_array().unwrap().contains(&json!("correct_amount")));
    let corrected = correct(&worker, &ids[0], "120.00");
    corrected.expect(200);
    assert_eq!(corrected.json["status"], "recovered");
    let claim = worker.see(&ids[0]).json;
    assert_eq!(claim["amount_recovered"], "120.00");
    let last = claim["history"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["kind"], &last["detail"]),
        (&json!("amount_corrected"), &json!({ "amount_recovered": "120.00" }))
    );
    let after = worker.case(&case).json;
    assert_eq!(after["claims"][0]["amount_recovered"], "120.00");
    assert_eq!(at(&after), at(&before), "the result is as old as it was");
    let sql = "SELECT sum(recovered_cents) AS n FROM level_claims WHERE practice_id = ?1";
    assert_eq!(tenant.number(sql), 12_000);
    let denial = owner.get(&format!("/api/v1/denials/{}", ids[0])).json;
    assert_eq!(denial["amount_recovered"], "120.00");
    let total = owner.get("/api/v1/denials/summary").json["total"]["amount_recovered"].clone();
    assert_eq!(total, "120.00");
    let told = tenant.messages();
    assert_eq!((told.len(), &told[0]["type"]), (1, &json!("claim.amount_corrected")));
    assert_eq!(told[0]["data"]["claim"], json!({ "id": ids[0], "claim_number": "D-1" }));
    let rows = tenant.audit("claim.amount_corrected");
    assert_eq!((rows.len(), &rows[0]["record"]), (1, &json!(ids[0])));
    // The same amount again changes nothing. Any colleague can correct it, because nobody can take the claim.
    let version = worker.see(&ids[0]).json["version"].clone();
    correct(&worker, &ids[0], "120.00").expect(200);
    assert_eq!(worker.see(&ids[0]).json["version"], version);
    let colleague = Worker::on(&tenant);
    let actions = colleague.see(&ids[0]).json["may"].clone();
    assert!(actions.as_array().unwrap().contains(&json!("correct_amount")));
    correct(&colleague, &ids[0], "130.00").expect(200);
    let actors = tenant.audit("claim.amount_corrected");
    let actors: Vec<_> = actors.iter().map(|row| &row["actor"]).collect();
    assert_eq!(actors.len(), 2);
    assert_ne!(actors[0], actors[1], "the trail says who");
    // The amount stands while the claim is appealed further and after it is closed, and so does its correction.
    let back = json!({ "status": "in_appeal", "case_id": case, "amount_stands": true });
    worker.act(&ids[0], "moves", &back).expect(200);
    correct(&colleague, &ids[0], "125.00").expect(200);
    let closed = json!({ "status": "closed", "reason": "denial_upheld" });
    worker.act(&ids[0], "moves", &closed).expect(200);
    correct(&colleague, &ids[0], "135.00").expect(200);
    let (claim, at) = (worker.see(&ids[0]).json, worker.case(&case).json["claims"][0].clone());
    assert_eq!((&claim["status"], &claim["amount_recovered"]), (&json!("closed"), &json!("135.00")));
    assert_eq!(
        (&at["outcome"], &at["amount_recovered"], &at["closing_reason"]),
        (&json!("closed"), &json!("135.00"), &json!("denial_upheld"))
    );
    let total = owner.get("/api/v1/denials/summary").json["total"]["amount_recovered"].clone();
    assert_eq!(total, "135.00");
    worker.act(&ids[0], "moves", &json!({ "status": "in_appeal", "case_id": case })).expect(200);
    worker.act(&ids[0], "moves", &json!({ "status": "recovered", "amount_recovered": "130.00" })).expect(200);
    worker
        .act(&ids[0], "moves", &json!({ "status": "in_appeal", "case_id": case, "amount_stands": false }))
        .expect(200);
    correct(&colleague, &ids[0], "140.00").nested(409);
    worker.act(&ids[0], "moves", &json!({ "status": "recovered", "amount_recovered": "130.00" })).expect(200);
    // Closed again at this level, the claim has no payment.
    let back = json!({ "status": "in_appeal", "case_id": case });
    worker.act(&ids[0], "moves", &back).expect(200);
    let closed = json!({ "status": "closed", "reason": "denial_upheld" });
    worker.act(&ids[0], "moves", &closed).expect(200);
    assert_eq!(worker.see(&ids[0]).json["amount_recovered"], Value::Null);
    tenant.check();
}
