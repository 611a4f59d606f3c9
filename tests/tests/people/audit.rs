//! `/api/v1/settings/audit`.

use overturn_tests::prelude::*;

const AUDIT: &str = "/api/v1/settings/audit";

#[test]
fn the_trail_says_who_did_what_to_which_record_when_and_in_which_request() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let client = owner.client();
    let body = br#"{"appeal_button":false}"#;
    let changed = client.seeing("/api/v1/settings/practice").patch("/api/v1/settings/practice", body);
    let sent = tenant.send(&item("A-1"));
    let read = client.get(AUDIT);
    read.expect(200);
    let rows = read.json["audit"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    // The first send makes the practice's data key. Rows of one request are ordered by sequence, not by id.
    let (made, rows): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["action"] == "data_key.created");
    assert_eq!(made[0]["request_id"], sent.request_id);
    assert_eq!(made[0]["sequence"], 2);
    let (send, edit) = (rows[0], rows[1]);
    let key = json!({ "type": "api_key", "id": tenant.key.id, "name": "Billing" });
    let expected = json!({ "id": send["id"], "at": send["at"], "actor": key, "action": "submission.received",
        "record": sent.submission_id, "claim_number": null, "claim_numbers": [], "record_name": null, "request_id": sent.request_id, "detail": null, "sequence": 3,
        "address": send["address"], "session_id": null });
    assert_eq!(send, &expected);
    assert!(send["address"].is_string() && edit["address"].is_string());
    let tenant_name = client.get("/api/v1/settings/practice").json["name"].clone();
    let person = json!({ "type": "user", "id": owner.id, "name": "A person, owner" });
    let expected = json!({ "id": edit["id"], "at": edit["at"], "actor": person, "action": "practice.changed",
        "record": tenant.id, "claim_number": null, "claim_numbers": [], "record_name": tenant_name, "request_id": changed.request_id(), "detail": { "appeal_button": false }, "sequence": 1,
        "address": edit["address"], "session_id": owner.session_id });
    assert_eq!(edit, &expected);
    assert!(edit["at"].as_str().unwrap() <= send["at"].as_str().unwrap());
}

#[test]
fn only_leaders_read_the_trail_and_only_their_own() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let of_other = Person::of(&other, Role::Owner);
    let edit = br#"{"name":"Other"}"#;
    let _edited = of_other.client().seeing("/api/v1/settings/practice").patch("/api/v1/settings/practice", edit);
    let insert = "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, seq)
                  SELECT 'staff', ?1, 1, 'user:x', 'session.created', 'x', 'x', ifnull(max(seq), 0) + 1
                  FROM audit WHERE practice_id = 'staff'";
    Server::shared().database().change(insert, &[&tenant.id.to_string()]);
    let owner = tenant.owner();
    assert_eq!(owner.get(AUDIT).json["audit"], json!([]));
    // A cursor from another practice pages through one's own rows.
    let foreign = &of_other.client().get(AUDIT).json["audit"][0];
    let cursor = foreign["id"].as_str().unwrap();
    assert_eq!(owner.get(&format!("{AUDIT}?cursor={cursor}")).json["audit"], json!([]));
    let member = tenant.member();
    member.get(AUDIT).refused(403, "not_authorized");
}

#[test]
fn an_actor_from_elsewhere_has_no_name_and_staff_are_named_as_such() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let (staff, foreign) = (Person::staff(Server::shared()), Person::of(&other, Role::Owner));
    let owner = Person::of(&tenant, Role::Owner);
    // Whoever acts for a practice is known where it lives.
    assert_eq!(staff.client().get(&format!("/api/v1/staff/practices/{}/cases", tenant.id)).status, 200);
    let insert = "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, seq)
                  SELECT ?1, ?2, 1, ?3, 'x', 'x', 'x', ifnull(max(seq), 0) + 1 FROM audit WHERE practice_id = ?1";
    for (id, actor) in
        [("3", format!("user:{}", staff.id)), ("2", format!("user:{}", foreign.id)), ("1", "operator".into())]
    {
        let id = format!("00000000-0000-7000-8000-00000000000{id}");
        tenant.change(insert, &[&id, &actor]);
    }
    let read = owner.client().get(AUDIT);
    let rows = read.json["audit"].as_array().unwrap();
    let actors: Vec<&Value> = rows.iter().map(|row| &row["actor"]).collect();
    assert_eq!(
        actors,
        [
            &json!({ "type": "staff", "id": staff.id, "name": null }),
            &json!({ "type": "user", "id": foreign.id, "name": null }),
            &json!({ "type": "operator", "id": null, "name": null }),
        ]
    );
}
