//! `/api/v1/staff/filters`: the filters of the queue that a staff member has saved.

use overturn_tests::claims::item;
use overturn_tests::client::{Answer, Client};
use overturn_tests::person::Person;
use overturn_tests::race::at_once;
use overturn_tests::server::Server;
use overturn_tests::staff::QUEUE;
use overturn_tests::tenant::Tenant;
use serde_json::{Value, json};

const FILTERS: &str = "/api/v1/staff/filters";

fn save(client: &Client, name: &str, query: &str) -> Answer {
    client.post(FILTERS, json!({ "name": name, "query": query }).to_string())
}

fn made(client: &Client, name: &str, query: &str) -> Value {
    let saved = save(client, name, query);
    assert_eq!(saved.status, 201, "{}", saved.text());
    saved.json
}

fn path(filter: &Value) -> String {
    format!("{FILTERS}/{}", filter["id"].as_str().unwrap())
}

fn edit(client: &Client, filter: &Value, edit: &Value) -> Answer {
    client.request("PATCH", &path(filter), Some(edit.to_string().as_bytes()))
}

fn names(client: &Client) -> Vec<String> {
    let listed = client.get(FILTERS).json;
    let filters = listed["filters"].as_array().unwrap().iter();
    filters.map(|filter| filter["name"].as_str().unwrap().to_owned()).collect()
}

fn audited(person: &Person<'_>) -> Vec<String> {
    let sql = "SELECT action, record, detail FROM audit WHERE practice_id = 'staff' AND actor = ?1 ORDER BY id";
    let rows = Server::shared().database().rows(sql, &[&format!("user:{}", person.id)]);
    assert!(rows.iter().all(|row| row["detail"].is_null()), "{rows:?}");
    rows.iter().map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}

fn reason(refused: &Answer) -> &Value {
    assert_eq!(refused.status, 409, "{}", refused.text());
    &refused.json["error"]["reason"]
}

#[test]
fn a_filter_is_saved_finds_its_claims_and_is_renamed_replaced_and_removed() {
    let tenant = Tenant::new(Server::shared());
    let _sent = tenant.send(&item("A-1"));
    let staff = Person::staff(Server::shared());
    let client = staff.client();
    let query = format!("payer_name=ACME+health&practice_id={}&order=deadline", tenant.id);
    let filter = made(&client, " Acme, open ", &query);
    let kept = format!("practice_id={}&payer_name=Acme+Health", tenant.id);
    assert_eq!(filter, json!({ "id": filter["id"], "name": "Acme, open", "query": kept }));
    assert_eq!(client.get(FILTERS).json, json!({ "filters": [filter] }));
    let found = client.get(&format!("{QUEUE}?{kept}")).json;
    assert_eq!(found["claims"][0]["claim_number"], "A-1", "{found}");

    let renamed = edit(&client, &filter, &json!({ "name": "Zebra" }));
    assert_eq!(renamed.json, json!({ "id": filter["id"], "name": "Zebra", "query": kept }));
    let replaced = edit(&client, &filter, &json!({ "query": "taken_by=me" }));
    assert_eq!(replaced.json, json!({ "id": filter["id"], "name": "Zebra", "query": "taken_by=me" }));
    assert_eq!(edit(&client, &filter, &json!({ "query": "taken_by=me" })).json, replaced.json);
    made(&client, "apple", "signature=link_dead");
    assert_eq!(names(&client), ["apple", "Zebra"]);

    assert_eq!(client.request("DELETE", &path(&filter), None).status, 204);
    assert_eq!(names(&client), ["apple"]);
    assert_eq!(client.request("DELETE", &path(&filter), None).nested(404).1, "no such filter");
    assert_eq!(edit(&client, &filter, &json!({ "name": "x" })).nested(404).1, "no such filter");
    let saved = "queue_filter.saved";
    assert_eq!(audited(&staff), [saved, saved, saved, saved, "queue_filter.removed"]);
}

#[test]
fn nobody_else_sees_changes_or_removes_a_filter() {
    let (mine, theirs) = (Person::staff(Server::shared()).client(), Person::staff(Server::shared()).client());
    let filter = made(&mine, "Mine", "taken_by=me");
    assert!(names(&theirs).is_empty());
    assert_eq!(edit(&theirs, &filter, &json!({ "name": "Theirs" })).nested(404).1, "no such filter");
    assert_eq!(theirs.request("DELETE", &path(&filter), None).status, 404);
    made(&theirs, "Mine", "taken_by=nobody");
    assert_eq!(mine.get(FILTERS).json["filters"], json!([filter]));
}

#[test]
fn a_query_that_the_queue_refuses_or_that_may_name_a_patient_is_not_saved() {
    let client = Person::staff(Server::shared()).client();
    for (query, problem) in [
        ("taken_by=you", "query.taken_by must be me, nobody or the id of a staff member"),
        ("claim_number=A-1&taken_by=me", "query.claim_number cannot be saved"),
        ("payer_name=Jane+Doe", "query.payer_name must be a payer that a claim has named"),
    ] {
        assert_eq!(save(&client, "x", query).details(), [problem]);
        let filter = made(&client, "y", "taken_by=me");
        assert_eq!(edit(&client, &filter, &json!({ "query": query })).details(), [problem]);
        assert_eq!(client.request("DELETE", &path(&filter), None).status, 204);
    }
    assert_eq!(client.post(FILTERS, "{}").details(), ["name is required", "query is required"]);
    assert_eq!(client.get(&format!("{FILTERS}?limit=5")).status, 422);
}

#[test]
fn two_tabs_make_one_filter_of_a_name_and_twenty_at_most() {
    let client = Person::staff(Server::shared()).client();
    let statuses = at_once(vec![|| save(&client, "Same", "taken_by=me").status; 6]);
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [201, 409].contains(status)), "{statuses:?}");
    assert_eq!(reason(&save(&client, "same", "taken_by=me")), "already_exists");
    let calls = (0..30).map(|n| {
        let client = &client;
        move || save(client, &format!("Filter {n}"), "taken_by=me").status
    });
    let statuses = at_once(calls.collect());
    assert!(statuses.iter().all(|status| [201, 409].contains(status)), "{statuses:?}");
    assert_eq!((names(&client).len(), statuses.iter().filter(|status| **status == 201).count()), (20, 19));
    assert_eq!(reason(&save(&client, "One more", "taken_by=me")), "limit_reached");
}

#[test]
fn a_filter_whose_answer_is_lost_is_saved_once_and_its_key_repeats_the_answer() {
    let staff = Person::staff(Server::shared());
    let client = staff.client();
    let lost = json!({ "2": { "loses": "D1_ERROR: Network connection lost." } }).to_string();
    let once = client.with("Idempotency-Key", "0b9e6b0e-5d5b-4d5a-9d4b-3f8f2c1d7a64");
    let first = save(&once.with("Tests-Database", &lost), "Mine", "taken_by=me");
    assert_eq!(first.status, 201, "{}", first.text());
    let again = save(&once, "Mine", "taken_by=me");
    assert_eq!((again.status, &again.json), (201, &first.json));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(client.get(FILTERS).json["filters"], json!([first.json]));
    assert_eq!(audited(&staff), ["queue_filter.saved"]);
}
