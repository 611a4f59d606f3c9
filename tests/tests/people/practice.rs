//! `/api/v1/settings/practice`.

use overturn_tests::prelude::*;

const PRACTICE: &str = "/api/v1/settings/practice";

fn patch(client: &overturn_tests::client::Client, body: &Value) -> overturn_tests::client::Answer {
    client.seeing(PRACTICE).patch(PRACTICE, body.to_string())
}

#[test]
fn every_member_reads_the_settings_of_their_practice() {
    let tenant = Tenant::shared();
    let expected = json!({ "id": tenant.id, "version": 1, "name": "Practice", "state": "active", "appeal_button": true,
        "concurrent_sessions": "unlimited", "baa_signed": true, "has_api_key": true,
        "address": null, "npi": null, "tax_id": null, "phone": null, "time_zone": null });
    for role in Role::OF_PRACTICE {
        let client = Person::of(&tenant, role).client();
        let read = client.get(PRACTICE);
        assert_eq!((read.status, &read.json), (200, &expected));
        let tag = read.header("etag").unwrap();
        client.with("If-None-Match", tag).get(PRACTICE).expect(304);
    }
    let unsigned = Terms { signed: false, appeal_button: false, ..Terms::default() };
    let tenant = Tenant::on(Server::shared(), unsigned);
    let read = tenant.member().get(PRACTICE);
    let shown = (&read.json["baa_signed"], &read.json["appeal_button"]);
    assert_eq!(shown, (&json!(false), &json!(false)));
}

#[test]
fn a_change_shows_at_once_and_everything_else_stays() {
    let tenant = Tenant::shared();
    let admin = Person::of(&tenant, Role::Admin);
    let client = admin.client();
    let changed = patch(&client, &json!({ "name": "Harbour Clinic" }));
    changed.expect(200);
    assert_eq!(changed.json["name"], "Harbour Clinic");
    assert_eq!(changed.json["appeal_button"], true);
    assert_eq!(changed.json, client.get(PRACTICE).json);

    tenant.send(&item("P-1"));
    let button = || tenant.client().status("P-1").json["claim"]["signing"]["appeal_button"].clone();
    assert_eq!(button(), true);
    let changed = patch(&client, &json!({ "appeal_button": false }));
    assert_eq!((&changed.json["appeal_button"], &changed.json["name"]), (&json!(false), &json!("Harbour Clinic")));
    assert_eq!(button(), false);

    let rows = tenant.audit("practice.changed");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["actor"], format!("user:{}", admin.id));
    assert_eq!(rows[0]["record"], tenant.id.to_string());
    assert_eq!(rows[0]["detail"], r#"{"name":"Harbour Clinic"}"#);
    assert_eq!(rows[1]["detail"], r#"{"appeal_button":false}"#);
    assert_eq!(rows[1]["request_id"], changed.request_id());
}

#[test]
fn what_an_appeal_needs_is_set_seen_by_staff_and_removed() {
    let tenant = Tenant::shared();
    let client = tenant.admin();
    let address = json!({ "line1": "100 Main St", "city": "Austin", "state": "tx", "zip": "78701" });
    let set = json!({ "address": address, "npi": "1234567893", "tax_id": "12-3456789",
        "phone": "(512) 555-0100", "time_zone": "America/Chicago" });
    let changed = patch(&client, &set);
    changed.expect(200);
    let details = json!({
        "address": { "line1": "100 Main St", "line2": null, "city": "Austin", "state": "TX", "zip": "78701" },
        "npi": "1234567893", "tax_id": "12-3456789", "phone": "+15125550100", "time_zone": "America/Chicago",
    });
    for (name, value) in details.as_object().unwrap() {
        assert_eq!(&changed.json[name], value, "{name}");
    }
    assert_eq!(changed.json, client.get(PRACTICE).json);
    let stored = tenant.rows("SELECT tax_id FROM practices WHERE id = ?1", &[]);
    assert_eq!(stored[0]["tax_id"], "123456789");
    let sent = tenant.send(&item("P-1"));
    let staff = Person::staff(Server::shared()).client();
    let claim = format!("/api/v1/staff/practices/{}/claims/{}", tenant.id, sent.id(0));
    assert_eq!(staff.get(&claim).json["practice_details"], details);

    let removed = patch(&client, &json!({ "address": null, "npi": null }));
    assert_eq!((&removed.json["address"], &removed.json["npi"]), (&Value::Null, &Value::Null));
    assert_eq!(removed.json["tax_id"], "12-3456789");
    let rows = tenant.audit("practice.changed");
    let said = |n: usize| -> Value { serde_json::from_str(rows[n]["detail"].as_str().unwrap()).unwrap() };
    assert_eq!(said(0), json!({ "address": "set", "npi": "set", "tax_id": "set", "phone": "set", "time_zone": "set" }));
    assert_eq!(said(1), json!({ "address": "removed", "npi": "removed" }));

    let wrong = patch(&client, &json!({ "tax_id": "078-05-1120" }));
    assert_eq!(wrong.details(), ["tax_id must be an employer identification number (NN-NNNNNNN)"]);
    assert!(!wrong.text().contains("1120"));
}

#[test]
fn everyone_reads_whether_a_key_of_the_practice_works() {
    let tenant = Tenant::shared();
    let member = tenant.member();
    let has_key = || member.get(PRACTICE).json["has_api_key"].clone();
    assert_eq!(has_key(), true);
    tenant.change("UPDATE api_keys SET expires_at = 1 WHERE practice_id = ?1", &[]);
    assert_eq!(has_key(), false);
}

#[test]
fn one_session_each_ends_all_but_the_latest_and_of_who_says_so_all_but_this_one() {
    let tenant = Tenant::shared();
    let other = Tenant::shared();
    let now = Some(overturn_tests::tenant::now());
    let owner = Person::of(&tenant, Role::Owner);
    let (_, later) = owner.session(now);
    let member = Person::of(&tenant, Role::Member);
    // The ids of sessions tell their order, but not within a millisecond.
    let made = overturn_tests::tenant::now();
    while overturn_tests::tenant::now() == made {
        std::thread::yield_now();
    }
    let (_, latest) = member.session(None);
    let elsewhere = Person::of(&other, Role::Member);
    let (_, twice) = elsewhere.session(None);

    // An expired session does not count toward the limit.
    let colleague = Person::of(&tenant, Role::Member);
    let (idle, _) = colleague.session(None);
    let ago = "UPDATE sessions SET seen_at = seen_at - 1800000 WHERE id = ?1";
    let database = Server::shared().database();
    database.change(ago, &[&idle.to_string()]);

    let changed = patch(&owner.client(), &json!({ "concurrent_sessions": 1 }));
    assert_eq!(changed.json["concurrent_sessions"], 1, "{}", changed.text());
    let status = |session| page(Server::shared(), session).get(PRACTICE).status;
    assert_eq!((status(&owner.session), status(&later)), (200, 401));
    assert_eq!((status(&member.session), status(&latest)), (401, 200));
    assert_eq!((status(&elsewhere.session), status(&twice)), (200, 200));
    assert_eq!(status(&colleague.session), 200);

    // From here on, a new session ends the one before.
    let (_, next) = member.session(None);
    assert_eq!((status(&latest), status(&next)), (401, 200));
    let unlimited = patch(&owner.client(), &json!({ "concurrent_sessions": "unlimited" }));
    assert_eq!(unlimited.json["concurrent_sessions"], "unlimited");
    let (_, more) = member.session(None);
    assert_eq!((status(&next), status(&more)), (200, 200));
}
