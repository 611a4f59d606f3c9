//! `/api/v1/settings/api_keys/{id}/rotate`: programs renew their keys.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;

const KEYS: &str = "/api/v1/settings/api_keys";

#[test]
fn a_token_of_its_scope_replaces_a_key_and_ends_it_and_does_nothing_else() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let program = tenant.integration(&owner, &["api_keys:rotate"]);
    let path = format!("{KEYS}/{}/rotate", tenant.key.id);
    let end = format!("{path}/finish");
    assert_eq!(program.post(&end, "").nested(409), ("conflict", "no API key that works has replaced it"));
    let made = program.post(&path, "");
    made.expect(201);
    let old = &owner.get(KEYS).json["api_keys"][1];
    assert_eq!((&made.json["name"], &made.json["scopes"]), (&old["name"], &old["scopes"]));
    let bearer = format!("Bearer {}", made.json["key"].as_str().unwrap());
    let new = tenant.server.client().with("Authorization", &bearer);
    new.send(&item("R-1")).expect(201);
    tenant.client().send(&item("R-2")).expect(201);
    for _ in 0..2 {
        program.post(&end, "").expect(204);
    }
    tenant.client().post(CLAIMS, item("R-3").to_string()).expect(401);
    new.send(&item("R-3")).expect(201);
    assert_eq!(program.post(&path, "").nested(409), ("conflict", "the API key was revoked or has expired"));
    assert_eq!((tenant.audit("api_key.rotated").len(), tenant.audit("api_key.revoked").len()), (1, 1));

    let body = json!({ "name": "x", "scopes": ["claims:read"] }).to_string();
    program.post(KEYS, body).refused(403, "not_authorized");
    program.delete(&format!("{KEYS}/{}", made.id())).refused(403, "not_authorized");
    program.get(KEYS).refused(403, "not_authorized");
    let next = format!("{KEYS}/{}/rotate", made.id());
    tenant.integration(&owner, &["settings:read"]).post(&next, "").refused(403, "not_authorized");
    tenant.member().post(&next, "").refused(403, "not_authorized");
    let other = Tenant::shared();
    other.integration(&other.owner(), &["api_keys:rotate"]).post(&next, "").refused(404, "not_found");
}

#[test]
fn a_repeated_request_makes_one_key_and_shows_it_once() {
    let tenant = Tenant::shared();
    let program = tenant.integration(&tenant.owner(), &["api_keys:rotate"]);
    let once = program.with("Idempotency-Key", "6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b12");
    let path = format!("{KEYS}/{}/rotate", tenant.key.id);
    let [first, again] = [once.post(&path, ""), once.post(&path, "")];
    assert!(first.json["key"].is_string() && again.json["key"].is_null());
    assert_eq!(first.id(), again.id());
    assert_eq!(tenant.number("SELECT count(*) AS n FROM api_keys WHERE practice_id = ?1"), 2);
}

#[test]
fn a_replacement_that_was_revoked_keeps_the_old_key() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let program = tenant.integration(&owner, &["api_keys:rotate"]);
    let path = format!("{KEYS}/{}/rotate", tenant.key.id);
    let made = program.post(&path, "");
    owner.delete(&format!("{KEYS}/{}", made.id())).expect(204);
    assert_eq!(program.post(&format!("{path}/finish"), "").nested(409).1, "no API key that works has replaced it");
    tenant.client().send(&item("R-1")).expect(201);
}

#[test]
fn a_key_has_one_replacement_that_works_and_a_lost_one_is_replaced_and_ended() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let program = tenant.integration(&owner, &["api_keys:rotate"]);
    let path = |id: &str| format!("{KEYS}/{id}/rotate");
    let old = path(&tenant.key.id.to_string());
    let answers = at_once(vec![|| program.post(&old, ""); 4]);
    let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (1, 3));
    // Those that were decided before the first one was written met its guard.
    for refused in refused {
        let why = refused.nested(409);
        assert_eq!(why.0, "conflict");
        let known = ["another API key that works has replaced it", "the record has changed, read it again"];
        assert!(known.contains(&why.1), "{why:?}");
    }
    assert_eq!(program.post(&old, "").nested(409), ("conflict", "another API key that works has replaced it"));
    let lost = made[0].id();
    let replaced_by = |id: &str| {
        let listed = owner.get(KEYS);
        let found = listed.json["api_keys"].as_array().unwrap().iter().find(|key| key["id"] == *id);
        found.unwrap()["replaced_by"].clone()
    };
    assert_eq!(replaced_by(&tenant.key.id.to_string()), *lost);
    let new = program.post(&path(lost), "");
    new.expect(201);
    assert_eq!(replaced_by(&tenant.key.id.to_string()), *new.id());
    for ended in [path(lost), old] {
        program.post(&format!("{ended}/finish"), "").expect(204);
    }
    assert_eq!(tenant.number("SELECT count(*) AS n FROM api_keys WHERE practice_id = ?1 AND revoked_at IS NULL"), 1);
    let bearer = format!("Bearer {}", new.json["key"].as_str().unwrap());
    tenant.server.client().with("Authorization", &bearer).send(&item("R-1")).expect(201);
}
