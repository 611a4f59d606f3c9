//! The search for a patient's claims by name and date of birth.

use overturn_core::base::cell::Cell;
use overturn_tests::host;
use overturn_tests::prelude::*;

const SEARCH: &str = "/api/v1/staff/patients/search";

/// Sends a claim of a patient whose last name is of this test alone.
fn sent(tenant: &Tenant<'_>, number: &str, last_name: &str) -> String {
    let sent = tenant.send(&with(item(number), "patient.last_name", last_name));
    sent.claims[0].outcome.as_ref().unwrap().id.clone()
}

fn search(client: &Client, last_name: &str, practice: Option<&Tenant<'_>>) -> Answer {
    let patient = &item("X")["patient"];
    let body = json!({
        "first_name": patient["first_name"], "last_name": last_name, "date_of_birth": patient["date_of_birth"],
        "practice_id": practice.map(|tenant| tenant.id.to_string()),
    });
    client.post(SEARCH, body.to_string())
}

fn found(answer: &Answer) -> Vec<String> {
    answer.expect(200);
    let claims = answer.json["claims"].as_array().unwrap().iter();
    let mut ids: Vec<String> = claims.map(|claim| claim["id"].as_str().unwrap().into()).collect();
    ids.sort_unstable();
    ids
}

fn own_rows(staff: &Person<'_>) -> Vec<Value> {
    let sql = "SELECT record, detail FROM audit WHERE practice_id = 'staff' AND action = 'patient.searched'
               AND actor = 'user:' || ?1 ORDER BY seq";
    Server::shared().database().rows(sql, &[&staff.id.to_string()])
}

#[test]
fn the_claims_of_a_patient_are_found_in_every_practice_with_a_row_about_each() {
    let (one, two) = (Tenant::shared(), Tenant::shared());
    let worker = Worker::on(&one);
    let name = format!("Every {}", one.id);
    let mut ids = vec![sent(&one, "A-1", &name), sent(&one, "A-2", &name), sent(&two, "B-1", &name.to_uppercase())];
    let _other = sent(&one, "A-3", "Somebody Else");
    // One is reviewed, and so in the index of patients. The others are still received.
    worker.take(&ids[0]).expect(200);
    ids.sort_unstable();
    let answer = search(&worker.client, &format!("  {name} "), None);
    assert_eq!(found(&answer), ids);
    assert_eq!(answer.json["complete"], true);
    assert!(!answer.text().contains("Every") && !answer.text().contains("Jane"));
    let claim = &answer.json["claims"][0];
    assert!(claim["may"].is_array() && claim["version"].is_i64());

    let rows = [one.audit("patient.searched"), two.audit("patient.searched")];
    assert_eq!(rows.each_ref().map(Vec::len), [2, 1]);
    let mut records: Vec<&str> = rows.iter().flatten().map(|row| row["record"].as_str().unwrap()).collect();
    records.sort_unstable();
    assert_eq!(records, ids);
    let own = own_rows(&worker.person);
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["record"], worker.person.id.to_string());
    let texts = format!("{rows:?} {own:?}");
    assert!(!texts.contains("Every") && !texts.contains("Jane"), "{texts}");

    let in_two = search(&worker.client, &name, Some(&two));
    assert_eq!(found(&in_two).len(), 1);
    assert_eq!(one.audit("patient.searched").len(), 2, "not searched again");
    one.check();
    two.check();
}

#[test]
fn a_patient_who_is_not_found_leaves_a_row_for_the_staff_alone() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let name = format!("Nobody {}", tenant.id);
    let id = sent(&tenant, "A-1", &name);
    for other in ["Nobody", &format!("{name}s")] {
        assert!(found(&search(&worker.client, other, Some(&tenant))).is_empty());
    }
    assert!(tenant.audit("patient.searched").is_empty());
    let own = own_rows(&worker.person);
    assert_eq!(own.len(), 2);
    let detail: Value = serde_json::from_str(own[1]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail, json!({ "practice_id": tenant.id.to_string(), "found": [] }));
    // A practice that is switched off shows nothing.
    tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    let refused = search(&worker.client, &name, Some(&tenant));
    refused.refused(422, "validation_failed");
    assert!(found(&search(&worker.client, &name, None)).is_empty());
    worker.client.get(&worker.at(&id)).expect(403);
}

#[test]
fn a_practice_that_is_switched_off_during_the_search_is_not_shown() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let name = format!("Meanwhile {}", tenant.id);
    let _id = sent(&tenant, "A-1", &name);
    let sql = "UPDATE practices SET state = 'inactive' WHERE id = ?1";
    let off = json!({ "sql": sql, "params": [tenant.id.to_string()] });
    // The batch after the one that finds the claims. With several cells, the directory says first where the practice lives.
    let next = match (host::cells(), tenant.id.cell()) {
        (1, _) => "3",
        (_, Cell::FIRST) => "4",
        _ => "6",
    };
    let faults = json!({ next: { "before": [off] } }).to_string();
    let client = worker.client.with("Tests-Database", &faults);
    let refused = search(&client, &name, Some(&tenant));
    refused.refused(409, "conflict");
    assert!(tenant.audit("patient.searched").is_empty());
}

#[test]
fn nobody_else_searches_and_problems_repeat_no_value() {
    let tenant = Tenant::shared();
    let name = format!("Private {}", tenant.id);
    let _id = sent(&tenant, "A-1", &name);
    for other in [Person::of(&tenant, Role::Owner), Person::auditor(Server::shared())] {
        search(&other.client(), &name, None).expect(403);
    }
    let staff = Person::staff(Server::shared());
    let wrong = json!({ "first_name": "Qanary", "last_name": "", "date_of_birth": "Qanary", "practice_id": "Qanary" });
    let refused = staff.client().post(SEARCH, wrong.to_string());
    refused.refused(422, "validation_failed");
    assert!(!refused.text().contains("Qanary"), "{}", refused.text());
    assert!(own_rows(&staff).is_empty());
}
