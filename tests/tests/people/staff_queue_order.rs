//! The reverse order of the queue, and the count of the claims that pass its filters.

use overturn_tests::prelude::*;

fn numbers(page: &Answer) -> Vec<String> {
    page.expect(200);
    let claims = page.json["claims"].as_array().unwrap().iter();
    claims.map(|claim| claim["claim_number"].as_str().unwrap().into()).collect()
}

#[test]
fn the_queue_is_read_from_either_end_and_counted_on_its_first_page() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let all = (1..=5).map(|n| item(&format!("A-{n}")));
    tenant.send(&batch(all));
    for (number, due) in [("A-1", "2027-01-05"), ("A-2", "2027-01-03"), ("A-3", "2027-01-04"), ("A-4", "2027-01-06")] {
        tenant.change_claims(
            "UPDATE claims SET appeal_due = ?3, appeal_due_from = 'rule' WHERE practice_id = ?1 AND claim_number = ?2",
            &[number, due],
        );
    }
    let filter = format!("{QUEUE}?practice_id={}&count=true", tenant.id);
    let read = |more: &str| worker.client.get(&format!("{filter}{more}"));
    let soonest = read("");
    assert_eq!(numbers(&soonest), ["A-2", "A-3", "A-1", "A-4", "A-5"]);
    assert_eq!(soonest.json["count"], json!({ "claims": 5, "more": false }));
    let latest = read("&order=latest_deadline&limit=2");
    assert_eq!(numbers(&latest), ["A-5", "A-4"]);
    assert_eq!(latest.json["count"]["claims"], 5);
    let cursor = latest.json["next_cursor"].as_str().unwrap();
    let rest = read(&format!("&order=latest_deadline&cursor={cursor}"));
    assert_eq!(numbers(&rest), ["A-1", "A-3", "A-2"]);
    assert_eq!(rest.json.get("count"), None, "only the first page is counted");
    assert_eq!(read("&claim_number=A-1").json.get("count"), None);
    assert_eq!(read("&taken_by=me").json["count"], json!({ "claims": 0, "more": false }));
    let plain = worker.client.get(&format!("{QUEUE}?practice_id={}", tenant.id));
    assert_eq!(plain.json.get("count"), None);
    let csv = worker.client.with("Accept", "text/csv");
    let table = csv.get(&filter).text();
    let mut columns = table.lines().next().unwrap().split(',');
    assert!(columns.all(|column| column != "count"));
    for wrong in ["&order=age", "&count=1"] {
        read(wrong).nested(422);
    }
}
