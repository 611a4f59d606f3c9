//! `/api/v1/settings/api_keys`.

use overturn_core::auth::role::Role;
use overturn_tests::claims::item;
use overturn_tests::client::CLAIMS;
use overturn_tests::person::{Person, page};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;
use serde_json::{Value, json};

const KEYS: &str = "/api/v1/settings/api_keys";

fn new(name: &str) -> String {
    json!({ "name": name, "scopes": ["claims:write", "claims:read"] }).to_string()
}

#[test]
fn a_key_works_from_its_creation_to_its_revocation() {
    let tenant = Tenant::new(Server::shared());
    let owner = Person::of(&tenant, Role::Owner).client();
    let made = owner.post(KEYS, new("Billing"));
    assert_eq!(made.status, 201, "{}", made.text());
    let key = made.json["key"].as_str().unwrap();
    let billing = Server::shared().client().with("Authorization", &format!("Bearer {key}"));
    assert_eq!(billing.send(&item("K-1")).status, 201);

    // The use is noted after the answer.
    let used = "SELECT last_used_at IS NOT NULL AS n FROM api_keys WHERE id = ?1";
    let id = made.json["id"].as_str().unwrap();
    let mut looks = std::iter::repeat_with(|| tenant.server.database().number(used, &[id])).take(500);
    assert!(looks.any(|noted| noted == 1));
    let listed = owner.get(KEYS);
    assert_eq!(listed.status, 200, "{}", listed.text());
    let listed = &listed.json["api_keys"][0];
    assert_eq!(listed["name"], "Billing");
    assert_eq!(listed["scopes"], json!(["claims:write", "claims:read"]));
    assert_eq!(listed["prefix"], key[..13]);
    assert_eq!(listed["revoked_at"], Value::Null);
    assert!(listed["last_used_at"].is_string());
    assert!(listed.get("key").is_none());

    let one = format!("{KEYS}/{}", made.json["id"].as_str().unwrap());
    assert_eq!(owner.request("DELETE", &one, None).status, 204);
    assert_eq!(billing.post(CLAIMS, item("K-2").to_string()).status, 401);
    assert_eq!(owner.request("DELETE", &one, None).status, 204, "again");
    assert_eq!(tenant.audit("api_key.revoked").len(), 1);
}

#[test]
fn a_second_factor_is_asked_for_again_after_ten_minutes() {
    let tenant = Tenant::new(Server::shared());
    let owner = Person::of(&tenant, Role::Owner);
    let (_, stale) = owner.session(None);
    let client = page(Server::shared(), &stale);
    let refused = client.post(KEYS, new("x"));
    assert_eq!(refused.status, 402, "{}", refused.text());
    assert_eq!(refused.json["error"]["code"], "two_factor_required");
    let token = refused.json["continuation_token"].as_str().unwrap();
    assert!(token.starts_with("ovc_"));
    // The test setup made the practice's first key.
    assert_eq!(client.get(KEYS).json["api_keys"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_idempotency_key_makes_one_key_and_shows_it_once() {
    let tenant = Tenant::new(Server::shared());
    let owner = Person::of(&tenant, Role::Owner).client();
    let once = owner.with("Idempotency-Key", "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a01");
    let first = once.post(KEYS, new("Billing"));
    let again = once.post(KEYS, new("Billing"));
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.json["id"], first.json["id"]);
    assert_eq!(again.json["key"], Value::Null);
    assert!(again.json["not_repeated"].is_string());
    let other = once.post(KEYS, new("Other"));
    assert_eq!(other.status, 422, "{}", other.text());
    let listed = owner.get(KEYS);
    assert_eq!(listed.json["api_keys"].as_array().unwrap().len(), 2);
}
