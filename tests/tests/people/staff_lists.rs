//! The staff's lists that name no patient: the cases of all practices, and the other claims of a patient.

use overturn_tests::prelude::*;

const CASES: &str = "/api/v1/staff/cases";

/// The ids of the practice's cases in a list.
fn listed(client: &Client, tenant: &Tenant<'_>, filter: &str) -> Vec<String> {
    let page = client.get(&format!("{CASES}?practice_id={}{filter}", tenant.id));
    ids(&page, "cases")
}

fn ids(page: &Answer, noun: &str) -> Vec<String> {
    page.expect(200);
    let items = page.json[noun].as_array().unwrap().iter();
    items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// A practice with a case for each of these days.
fn opened<'t>(worker: &Worker<'t>, days: &[Option<&str>]) -> Vec<String> {
    let numbers: Vec<String> = (0..days.len()).map(|n| format!("C-{n}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let claims = worker.reviewed(&numbers);
    let cases = claims.iter().zip(days);
    cases
        .map(|(claim, day)| {
            let opened = worker.open(std::slice::from_ref(claim), *day);
            opened.expect(201);
            opened.id().to_owned()
        })
        .collect()
}

#[test]
fn the_case_that_is_due_first_comes_first_page_by_page() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let days = [None, Some("2027-03-01"), Some("2027-01-01"), Some("2027-03-01")];
    let cases = opened(&worker, &days);
    let order = [&cases[2], &cases[1], &cases[3], &cases[0]];
    assert_eq!(listed(&worker.client, &tenant, ""), order.map(String::as_str));
    let first = worker.client.get(&format!("{CASES}?practice_id={}&limit=1", tenant.id));
    let case = &first.json["cases"][0];
    assert_eq!(case["practice"]["id"], tenant.id.to_string());
    assert_eq!([&case["claims"], &case["in_appeal"], &case["version"]], [1, 1, 1]);
    assert_eq!([&case["level"]["due_on"], &case["due"]], ["2027-01-01"; 2]);
    assert!(!first.text().contains("Jane"));

    let mut seen = Vec::new();
    let mut next = format!("{CASES}?practice_id={}&limit=1", tenant.id);
    loop {
        let page = worker.client.get(&next);
        seen.extend(ids(&page, "cases"));
        let Some(link) = page.header("link") else {
            break;
        };
        next = link[1..].split_once('>').unwrap().0.into();
    }
    assert_eq!(seen, order.map(String::as_str));

    // A level that was filed is not due any more.
    let filed = worker.edit_level(&cases[2], 1, &json!({ "filed_on": "2026-01-02" }));
    filed.expect(200);
    let order = [&cases[1], &cases[3], &cases[0], &cases[2]];
    assert_eq!(listed(&worker.client, &tenant, ""), order.map(String::as_str));
    let due = listed(&worker.client, &tenant, "&due_before=2027-03-02");
    assert_eq!(due, [&*cases[1], &*cases[3]]);
    assert!(listed(&worker.client, &tenant, "&due_before=2027-03-01").is_empty());

    let target = format!("{CASES}?practice_id={}", tenant.id);
    let page = worker.client.get(&target);
    let known = worker.client.with("If-None-Match", page.header("etag").unwrap());
    known.get(&target).expect(304);
}

#[test]
fn a_case_is_open_while_a_claim_is_appealed_in_it_and_a_closed_practice_has_none() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let cases = opened(&worker, &[None, None]);
    let claim = worker.case(&cases[0]).json["claims"][0]["id"].clone();
    let claim = claim.as_str().unwrap();
    let closed = worker.act(claim, "moves", &json!({ "status": "closed", "reason": "no_grounds" }));
    closed.expect(200);
    assert_eq!(listed(&worker.client, &tenant, "&open=true"), [&*cases[1]]);
    assert_eq!(listed(&worker.client, &tenant, "&open=false"), [&*cases[0]]);
    let back = json!({ "status": "in_appeal", "case_id": cases[0] });
    worker.act(claim, "moves", &back).expect(200);
    assert_eq!(listed(&worker.client, &tenant, "&open=true").len(), 2);
    tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    let closed = worker.client.get(&format!("{CASES}?practice_id={}", tenant.id));
    closed.nested(403);
    assert_eq!(closed.json["error"]["reason"], "practice_inactive");
}

#[test]
fn the_other_claims_of_the_patient_and_payer_are_listed_without_the_patient() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&tenant);
    let claims = batch([
        item("R-1"),
        with(item("R-2"), "patient.first_name", "JANE"),
        with(item("R-3"), "patient.first_name", "Joan"),
        with(item("R-4"), "claim.payer_name", "Another payer"),
        item("R-5"),
    ]);
    let sent = tenant.send(&claims);
    let _elsewhere = other.send(&item("R-1"));
    let id = |n| sent.id(n).to_owned();
    for n in 0..4 {
        worker.take(&id(n));
    }
    let reads = tenant.audit("claim.read").len();
    let target = format!("{}/related", worker.at(&id(0)));
    let page = worker.client.get(&target);
    // The last one is still received.
    let mut expected = [id(1), id(4)];
    expected.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(ids(&page, "claims"), expected);
    assert_eq!(tenant.audit("claim.read").len(), reads, "no patient was opened");
    for name in ["Jane", "JANE", "Doe", "1980", "has_link", "payer_name"] {
        assert!(!page.text().contains(name), "{name} in {}", page.text());
    }
    let claims = page.json["claims"].as_array().unwrap();
    let second = claims.iter().find(|claim| claim["id"] == id(1)).unwrap();
    assert_eq!(second["taken_by"]["id"], worker.person.id.to_string());
    let may =
        json!(["take", "let_go", "note", "set_letter", "decide_signing", "report", "open_case", "join_case", "close"]);
    assert_eq!(second["may"], may);
    let fifth = claims.iter().find(|claim| claim["id"] == id(4)).unwrap();
    assert_eq!(fifth["may"], json!(["take", "review", "note", "set_letter", "decide_signing"]));
    assert_eq!([&fifth["version"], &fifth["case_id"]], [&json!(1), &Value::Null]);

    let known = worker.client.with("If-None-Match", page.header("etag").unwrap());
    known.get(&target).expect(304);
    // They can be appealed together.
    let opened = worker.open(&[id(0), id(1)], None);
    opened.expect(201);
    known.get(&target).expect(200);

    let astray = Worker::on(&other);
    astray.client.get(&format!("{}/related", astray.at(&id(0)))).nested(404);
    tenant.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    worker.client.get(&target).nested(403);
}
