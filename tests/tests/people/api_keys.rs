//! `/api/v1/settings/api_keys`.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;

const KEYS: &str = "/api/v1/settings/api_keys";

fn new(name: &str) -> String {
    json!({ "name": name, "scopes": ["claims:write", "claims:read"] }).to_string()
}

#[test]
fn a_key_works_from_its_creation_to_its_revocation() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let made = owner.post(KEYS, new("Billing"));
    made.expect(201);
    let key = made.json["key"].as_str().unwrap();
    let billing = Server::shared().client().with("Authorization", &format!("Bearer {key}"));
    billing.send(&item("K-1")).expect(201);

    // The use is noted after the answer.
    let used = "SELECT last_used_at IS NOT NULL AS n FROM api_keys WHERE id = ?1";
    let id = made.id();
    let mut looks = std::iter::repeat_with(|| tenant.server.database().number(used, &[id])).take(500);
    assert!(looks.any(|noted| noted == 1));
    let listed = owner.get(KEYS);
    listed.expect(200);
    let listed = &listed.json["api_keys"][0];
    assert_eq!(listed["name"], "Billing");
    assert_eq!(listed["scopes"], json!(["claims:write", "claims:read"]));
    assert_eq!(listed["prefix"], key[..13]);
    assert_eq!(listed["revoked_at"], Value::Null);
    assert!(listed["last_used_at"].is_string());
    assert!(listed.get("key").is_none());

    let one = format!("{KEYS}/{}", made.id());
    owner.delete(&one).expect(204);
    billing.post(CLAIMS, item("K-2").to_string()).expect(401);
    assert_eq!(owner.delete(&one).status, 204, "again");
    assert_eq!(tenant.audit("api_key.revoked").len(), 1);
}
