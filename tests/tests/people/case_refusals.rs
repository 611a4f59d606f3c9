//! Refused requests about cases, and who gets them.

use crate::cases::id_of;
use overturn_tests::prelude::*;

/// Every write of a case, with a valid body.
fn writes(case: &str) -> [(&'static str, String, String); 3] {
    let claims = [json!({ "id": "01a1fc69-15d5-7679-abf8-d8d7bb0bb088", "version": 1 })];
    [
        ("POST", "cases".into(), json!({ "claims": claims, "kind": "hearing" })),
        ("POST", format!("cases/{case}/levels"), json!({ "kind": "hearing" })),
        ("PATCH", format!("cases/{case}/levels/1"), json!({ "filed_on": "2026-01-05" })),
    ]
    .map(|(method, target, body)| (method, target, body.to_string()))
}

fn cases(tenant: &Tenant<'_>) -> i64 {
    tenant.count("cases")
}

#[test]
fn a_case_under_another_practice_is_none() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1"]);
    let case = id_of(&worker.open(&ids, None));
    let astray = Worker::on(&other);
    let client = astray.client.with("If-Match", "\"1\"");
    for id in [&*case, "00000000-0000-0000-0000-000000000000", "x"] {
        let target = astray.of_practice(&format!("cases/{id}"));
        client.get(&target).nested(404);
        for (method, what, body) in &writes(id)[1..] {
            let target = astray.of_practice(what);
            let refused = client.request(method, &target, Some(body.as_bytes()));
            assert_eq!(refused.nested(404).0, "not_found", "{what}");
        }
    }
    for level in ["2", "0", "-1", "x", "99999999999999999999"] {
        let target = worker.of_practice(&format!("cases/{case}/levels/{level}"));
        let body = json!({ "due_on": "2027-03-01" }).to_string();
        let refused = worker.on_case(&case).patch(&target, &body);
        assert_eq!(refused.nested(404).0, "not_found", "{level}");
    }
    // A claim of another practice looks like a missing one, both in the list and when it joins.
    let theirs = astray.reviewed(&["C-1"]).remove(0);
    let refused = astray.open(&[theirs.clone(), ids[0].clone()], None);
    assert_eq!(refused.details(), ["claims[1] must be a claim of the practice"]);
    let body = json!({ "status": "in_appeal", "case_id": case });
    let refused = astray.act(&theirs, "moves", &body);
    assert_eq!(refused.details(), ["case_id must be a case of the same patient and payer"]);
    // So is a claim of another patient of the same practice kept out.
    let joan = worker.review(&with(item("C-2"), "patient.first_name", "Joan")).remove(0);
    let jane = worker.reviewed(&["C-3"]).remove(0);
    let refused = worker.open(&[jane, joan.clone()], None);
    assert_eq!(refused.details(), ["claims[1] must be of the same patient and payer as those before it"]);
    let refused = worker.act(&joan, "moves", &body);
    assert_eq!(refused.details(), ["case_id must be a case of the same patient and payer"]);
    assert_eq!((cases(&tenant), cases(&other)), (1, 0));
}

#[test]
fn a_change_of_a_case_takes_the_tag_of_what_was_seen() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let case = id_of(&worker.open(&worker.reviewed(&["C-1"]), None));
    for (method, what, body) in &writes(&case)[1..] {
        let target = worker.of_practice(what);
        let ask = |client: &overturn_tests::client::Client| client.request(method, &target, Some(body.as_bytes()));
        assert_eq!(ask(&worker.client).details(), ["If-Match is required: the ETag of what you change"]);
        let stale = worker.client.with("If-Match", "\"7\"");
        ask(&stale).refused(409, "conflict");
    }
    assert_eq!(worker.case(&case).json["version"], 1);
}

#[test]
fn of_two_parallel_cases_that_share_a_claim_one_is_opened() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1", "C-2", "C-3"]);
    let people = [Worker::on(&tenant), Worker::on(&tenant)];
    let calls = [(&people[0], &ids[..2]), (&people[1], &ids[1..])];
    let calls = calls.map(|(who, claims)| move || who.open(claims, None).status);
    let mut done = at_once(calls.into());
    done.sort_unstable();
    assert_eq!(done, [201, 409]);
    assert_eq!(cases(&tenant), 1);
    tenant.check();
}
