//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer are appealed together.

use overturn_tests::prelude::*;

pub(crate) fn id_of(answer: &Answer) -> String {
    answer.expect(201);
    answer.id().into()
}

#[test]
fn claims_of_a_case_are_in_appeal_together_and_due_when_its_first_level_is() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["C-1", "C-2"]);
    worker.report(&ids[1..]).expect(201);
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
    same.expect(304);
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
fn endpoints_get_a_message_about_every_changed_deadline_with_the_claim_number() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    crate::webhooks::listen(&owner, &["claim.deadline_changed"]);
    let ids = worker.reviewed(&["C-1"]);
    let case = id_of(&worker.open(&ids, Some("2027-03-01")));
    // Setting the same day again makes no event; filing clears the deadline.
    for edit in
        [json!({ "due_on": "2027-03-01" }), json!({ "due_on": "2027-05-05" }), json!({ "filed_on": "2026-01-05" })]
    {
        let edited = worker.edit_level(&case, 1, &edit);
        edited.expect(200);
    }
    let mut told: Vec<Value> = tenant.messages().iter().map(|body| body["data"]["claim"].clone()).collect();
    told.sort_by_key(|claim| claim["deadline"].to_string());
    let claim = |due| json!({ "id": ids[0], "claim_number": "C-1", "deadline": due });
    let expected = [Some("2027-03-01"), Some("2027-05-05"), None].map(claim);
    assert_eq!(told, expected);
}

#[test]
fn a_hundred_claims_go_into_one_case_and_cases_are_listed_page_by_page() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let (worker, elsewhere) = (Worker::on(&tenant), Worker::on(&other));
    let numbers: Vec<String> = (0..102).map(|n| format!("C-{n:03}")).collect();
    let mut ids = Vec::new();
    for some in numbers.chunks(51) {
        let sent = tenant.send(&numbered(some));
        ids.extend((0..51).map(|n| sent.id(n).to_owned()));
    }
    let sql = "UPDATE claims SET status = 'in_report' WHERE practice_id = ?1";
    tenant.change_claims(sql, &[]);
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
