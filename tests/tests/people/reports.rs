//! `/api/v1/staff/practices/{practice}/reports`: a report delivers all of its claims or none.

use overturn_tests::prelude::*;

/// The statuses of the practice's claims, sorted by number.
fn statuses(tenant: &Tenant<'_>) -> Vec<String> {
    let sql = "SELECT claim_number || ' ' || status AS s FROM claims WHERE practice_id = ?1 ORDER BY claim_number";
    let rows = tenant.rows(sql, &[]).into_iter();
    rows.map(|row| row["s"].as_str().unwrap().into()).collect()
}

fn reports(tenant: &Tenant<'_>) -> i64 {
    tenant.count("reports")
}

fn id_of(answer: &Answer) -> String {
    answer.id().into()
}

#[test]
fn claims_of_a_report_are_in_report_together_and_the_report_shows_them_without_their_patient() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["R-1", "R-2"]);
    let made = worker.report(&ids);
    made.expect(201);
    assert_eq!(made.json["claims"], 2);
    assert_eq!(statuses(&tenant), ["R-1 in_report", "R-2 in_report"]);

    let report = id_of(&made);
    let seen = worker.see(&ids[0]).json;
    assert_eq!(seen["report_id"], report);
    let last = seen["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["kind"], &last["status"], &last["detail"]),
        (&json!("moved"), &json!("in_report"), &json!({ "report_id": report }))
    );
    let target = worker.of_practice(&format!("reports/{report}"));
    let shown = worker.client.get(&target);
    shown.expect(200);
    assert_eq!(shown.json["practice"]["id"], tenant.id.to_string());
    assert_eq!(shown.json["delivered_by"]["name"], "A person, staff");
    assert_eq!(shown.json["delivered_at"], made.json["delivered_at"]);
    assert_eq!(
        shown.json["claims"][0],
        json!({ "id": ids[0], "claim_number": "R-1", "status": "in_report", "deadline": null,
            "payer_name": "Acme Health", "billed_amount": "120.00", "denied_amount": null, "amount_recovered": null })
    );
    for patient in ["Jane", "Doe", "1980-02-29"] {
        assert!(!shown.text().contains(patient), "{patient}");
    }
    let known = shown.header("etag").unwrap();
    let again = worker.client.with("If-None-Match", known).get(&target);
    again.expect(304);
    let rows = tenant.audit("report.delivered");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["record"], report);
    assert_eq!(rows[0]["actor"], format!("user:{}", worker.person.id));
    let said: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(said, json!({ "claims": ids }));
    // It shows where its claims stand now, and a claim can be in a later report.
    worker.step(&ids[0], "reviewing").expect(200);
    let status = |target: &str| worker.client.get(target).json["claims"][0]["status"].clone();
    assert_eq!(status(&target), "reviewing");
    let second = id_of(&worker.report(&ids[..1]));
    let of_second = worker.of_practice(&format!("reports/{second}"));
    assert_eq!([status(&target), status(&of_second)], ["in_report", "in_report"]);
    assert_eq!(worker.see(&ids[0]).json["report_id"], second);
    tenant.check();
}

#[test]
fn endpoints_get_messages_about_a_report_and_each_of_its_claims() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["R-1", "R-2"]);
    let _endpoint = crate::webhooks::make(&tenant.owner());
    let report = id_of(&worker.report(&ids));
    let told =
        |kind: &str| -> Vec<Value> { tenant.messages().into_iter().filter(|told| told["type"] == kind).collect() };
    let delivered = told("report.delivered");
    assert_eq!(delivered.len(), 1);
    let data = json!({ "report": { "id": report, "claims": 2 } });
    assert_eq!(delivered[0]["data"], data);
    let mut moved: Vec<_> = told("claim.status_changed").iter().map(|told| told["data"]["claim"].clone()).collect();
    moved.sort_by_key(ToString::to_string);
    let expected = ids
        .iter()
        .zip(["R-1", "R-2"])
        .map(|(id, number)| json!({ "id": id, "claim_number": number, "status": "in_report" }));
    assert_eq!(moved, expected.collect::<Vec<_>>());
}

#[test]
fn one_claim_that_is_in_the_way_keeps_all_of_them_back() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let mut ids = worker.reviewed(&["R-1", "R-2"]);
    let sent = tenant.send(&overturn_tests::claims::numbered(["R-3"]));
    ids.insert(1, sent.id(0).into());
    worker.report(&ids[2..]).expect(201);
    let refused = worker.report(&ids);
    let (code, message) = refused.nested(409);
    assert_eq!(code, "conflict");
    for why in ["claims[1] status is received", "claims[2] status is in_report"] {
        assert!(message.contains(why), "{message}");
    }
    assert_eq!(statuses(&tenant), ["R-1 reviewing", "R-2 in_report", "R-3 received"]);
    assert_eq!(reports(&tenant), 1);
    assert_eq!(tenant.audit("report.delivered").len(), 1);
}

#[test]
fn the_list_names_each_claim_that_the_practice_does_not_have() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&tenant);
    let theirs = Worker::on(&other).reviewed(&["R-1"]).remove(0);
    let ours = worker.reviewed(&["R-1"]).remove(0);
    let unknown = "01a1fc69-15d5-7679-abf8-d8d7bb0bb088".to_owned();
    let refused = worker.report(&[ours.clone(), theirs, unknown]);
    assert_eq!(
        refused.details(),
        ["claims[1] must be a claim of the practice", "claims[2] must be a claim of the practice"]
    );
    for (claims, problem) in [
        (json!([seen(&ours), seen(&ours)]), "claims[1].id must be given only once"),
        (json!([seen(&ours), seen(&ours.to_uppercase())]), "claims[1].id must be given only once"),
    ] {
        let body = json!({ "claims": claims }).to_string();
        let refused = worker.client.post(&worker.of_practice("reports"), body);
        assert_eq!(refused.details(), [problem]);
    }
    let refused = worker.client.post(&worker.of_practice("reports"), "[]");
    refused.nested(400);
    assert_eq!((reports(&tenant), reports(&other)), (0, 0));
}

#[test]
fn reports_are_listed_newest_first_page_by_page_for_their_practice_alone() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let (worker, elsewhere) = (Worker::on(&tenant), Worker::on(&other));
    let ids = worker.reviewed(&["R-1", "R-2", "R-3"]);
    let mut made: Vec<String> = ids.chunks(1).map(|claims| id_of(&worker.report(claims))).collect();
    made.reverse();
    let page = |query: &str| {
        let target = worker.of_practice(&format!("reports?{query}"));
        let listed = worker.client.get(&target);
        listed.expect(200);
        let reports = listed.json["reports"].as_array().unwrap().clone();
        let ids = reports.iter().map(|r| r["id"].as_str().unwrap().to_owned());
        (ids.collect::<Vec<_>>(), listed.json["next_cursor"].clone())
    };
    let (first, next) = page("limit=2");
    let (rest, end) = page(&format!("limit=2&cursor={}", next.as_str().unwrap()));
    assert_eq!([first, rest].concat(), made);
    assert_eq!(end, Value::Null);
    let none = elsewhere.client.get(&elsewhere.of_practice("reports"));
    assert_eq!(none.json, json!({ "reports": [], "next_cursor": null }));
    for id in [&*made[0], "01a1fc69-15d5-7679-abf8-d8d7bb0bb088", "x"] {
        let target = elsewhere.of_practice(&format!("reports/{id}"));
        elsewhere.client.get(&target).nested(404);
    }
}

#[test]
fn of_two_parallel_reports_that_share_a_claim_one_is_delivered() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["R-1", "R-2", "R-3"]);
    let people = [Worker::on(&tenant), Worker::on(&tenant)];
    let calls = [(&people[0], &ids[..2]), (&people[1], &ids[1..])];
    let calls = calls.map(|(who, claims)| move || who.report(claims).status);
    let mut done = at_once(calls.into());
    done.sort_unstable();
    assert_eq!(done, [201, 409]);
    assert_eq!(reports(&tenant), 1);
    let sql = "SELECT count(*) AS n FROM claims WHERE practice_id = ?1 AND status = 'in_report'";
    assert_eq!(tenant.number(sql), 2);
    // A claim that changes between load and commit makes the whole request fail.
    let free = tenant.rows("SELECT id FROM claims WHERE practice_id = ?1 AND status = 'reviewing'", &[]);
    let free = free[0]["id"].as_str().unwrap().to_owned();
    let sql = "UPDATE claims SET version = version + 1 WHERE id = ?1";
    let client = worker.client.overtaken_by(sql, &[&free]);
    let body = json!({ "claims": worker.with_versions(&[free]) }).to_string();
    let raced = client.post(&worker.of_practice("reports"), body);
    raced.refused(409, "conflict");
    assert_eq!(reports(&tenant), 1);
}

/// A claim as a report names it.
fn seen(id: &str) -> Value {
    json!({ "id": id, "version": 1 })
}

#[test]
fn claims_that_a_colleague_has_changed_are_neither_reported_nor_appealed() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["R-1", "R-2"]);
    let seen = worker.with_versions(&ids);
    // The colleague takes the second claim and gives it back.
    let colleague = Worker::on(&tenant);
    colleague.take(&ids[1]);
    let _back = worker.take(&ids[1]);
    for what in ["reports", "cases"] {
        let body = json!({ "claims": seen, "kind": "hearing" }).to_string();
        let refused = worker.client.post(&worker.of_practice(what), body);
        assert_eq!(refused.json["error"]["reason"], "version_conflict", "{what}");
        let message = refused.nested(409).1;
        assert!(message.ends_with("claims[1] has changed, read it again"), "{message}");
    }
    assert_eq!(reports(&tenant), 0);
    worker.report(&ids).expect(201);
    tenant.check();
}
