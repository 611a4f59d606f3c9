//! `/api/v1/settings/api_tokens`.

use overturn_core::base::instant::DAY_MS;
use overturn_tests::prelude::*;

const TOKENS: &str = "/api/v1/settings/api_tokens";
const PRACTICE: &str = "/api/v1/settings/practice";

fn new(scopes: &[&str]) -> String {
    json!({ "name": "Reports", "scopes": scopes, "expires_in_days": 30 }).to_string()
}

pub(crate) fn make(client: &Client) -> Answer {
    let made = client.post(TOKENS, new(&["settings:read", "audit:read"]));
    made.expect(201);
    made
}

pub(crate) fn bearer(made: &Answer) -> Client {
    let token = made.json["token"].as_str().unwrap();
    Server::shared().client().with("Authorization", &format!("Bearer {token}"))
}

fn regenerate(client: &Client, made: &Answer, grace_days: i64) -> Answer {
    let target = format!("{}/regenerate", one(made));
    client.post(&target, json!({ "grace_days": grace_days }).to_string())
}

fn one(made: &Answer) -> String {
    format!("{TOKENS}/{}", made.id())
}

/// The token with this id in a list.
fn listed(client: &Client, made: &Answer) -> Value {
    let list = client.get(TOKENS);
    let tokens = list.json["api_tokens"].as_array().unwrap();
    let mut found = tokens.iter().filter(|token| token["id"] == made.json["id"]);
    found.next().unwrap().clone()
}

/// Milliseconds until a token expires, from its database row.
fn lasts(tenant: &Tenant<'_>, made: &Answer) -> i64 {
    let sql = "SELECT expires_at FROM api_tokens WHERE practice_id = ?1 AND id = ?2";
    let rows = tenant.rows(sql, &[made.id()]);
    rows[0]["expires_at"].as_i64().unwrap() - now().0
}

#[test]
fn a_token_reads_what_its_scopes_allow_and_changes_nothing() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let made = make(&owner);
    assert!(made.json["token"].as_str().unwrap().starts_with("ovu_test_"));
    let token = bearer(&made);
    for target in [
        PRACTICE,
        TOKENS,
        "/api/v1/settings/agreements",
        "/api/v1/settings/api_keys",
        "/api/v1/settings/audit",
        "/api/v1/settings/members",
    ] {
        assert_eq!(token.get(target).status, 200, "{target}");
    }
    let refused = token.post(TOKENS, new(&["settings:read"]));
    assert_eq!(refused.nested(403).1, "an API token does not allow this");
    let refused = token.patch(PRACTICE, b"{\"name\":\"x\"}");
    refused.refused(403, "not_authorized");

    let made = owner.post(TOKENS, new(&["audit:read"]));
    bearer(&made).get("/api/v1/settings/audit").expect(200);
    let refused = bearer(&made).get(PRACTICE);
    let lacks = "the API token lacks the scope settings:read";
    assert_eq!(refused.nested(403).1, lacks);
}

#[test]
fn a_token_is_shown_once_and_listed_without_it() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let made = make(&owner.client());
    let token = made.json["token"].as_str().unwrap();
    let shown = listed(&owner.client(), &made);
    assert!(shown.get("token").is_none());
    assert_eq!(shown["prefix"], token[..13]);
    assert_eq!(shown["user_id"], owner.id.to_string());
    assert_eq!(shown["scopes"], json!(["settings:read", "audit:read"]));
    assert_eq!(shown["last_used_at"], Value::Null);
    assert!((30 * DAY_MS - lasts(&tenant, &made)).abs() < 60_000);
    bearer(&made).get(PRACTICE).expect(200);
    // The use is written after the answer.
    wait::until("it is used", || listed(&owner.client(), &made)["last_used_at"].is_string());
    let stored = tenant.rows("SELECT * FROM api_tokens WHERE practice_id = ?1", &[]);
    let audited = tenant.rows("SELECT * FROM audit WHERE practice_id = ?1", &[]);
    assert!(!format!("{stored:?}{audited:?}").contains(token));
}

#[test]
fn a_regenerated_token_leaves_the_old_one_valid_for_the_grace_and_no_longer() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let old = make(&owner);
    let new = regenerate(&owner, &old, 7);
    new.expect(201);
    assert_ne!(new.json["token"], old.json["token"]);
    assert_eq!((&new.json["name"], &new.json["scopes"]), (&old.json["name"], &old.json["scopes"]));
    assert_eq!(listed(&owner, &old)["replaced_by"], new.json["id"]);
    assert_eq!((bearer(&old).get(PRACTICE).status, bearer(&new).get(PRACTICE).status), (200, 200));
    assert!((7 * DAY_MS - lasts(&tenant, &old)).abs() < 60_000);
    assert!((30 * DAY_MS - lasts(&tenant, &new)).abs() < 60_000);
    regenerate(&owner, &old, 0).refused(409, "conflict");

    let last = regenerate(&owner, &new, 0);
    assert_eq!((bearer(&new).get(PRACTICE).status, bearer(&last).get(PRACTICE).status), (401, 200));
    // A change never extends a token's life.
    tenant.change(
        "UPDATE api_tokens SET expires_at = expires_at - 29 * 86400000 WHERE practice_id = ?1 AND id = ?2",
        &[last.id()],
    );
    regenerate(&owner, &last, 7).expect(201);
    assert!(lasts(&tenant, &last) <= DAY_MS);
    assert_eq!(tenant.audit("api_token.regenerated").len(), 3);
}

#[test]
fn of_two_parallel_regenerations_one_makes_a_token() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let old = make(&owner.client());
    let calls = (0..4).map(|_| || regenerate(&owner.client(), &old, 1)).collect();
    let mut statuses: Vec<u16> = at_once(calls).iter().map(|a| a.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    let count = "SELECT count(*) AS n FROM api_tokens WHERE practice_id = ?1";
    assert_eq!(tenant.number(count), 2);
}

#[test]
fn leaders_see_and_revoke_every_token_and_members_their_own() {
    let tenant = Tenant::shared();
    let (owner, admin) = (Person::of(&tenant, Role::Owner), Person::of(&tenant, Role::Admin));
    let (of_owner, of_admin) = (make(&owner.client()), make(&admin.client()));
    let count = |client: &Client| client.get(TOKENS).json["api_tokens"].as_array().unwrap().len();
    assert_eq!((count(&owner.client()), count(&admin.client())), (2, 2));
    let others = regenerate(&owner.client(), &of_admin, 0).nested(403).1.to_owned();
    assert_eq!(others, "the token is another person's");

    let id = admin.id.to_string();
    tenant.change("UPDATE users SET role = 'member' WHERE practice_id = ?1 AND id = ?2", &[&id]);
    let member = admin.client();
    assert_eq!(count(&member), 1);
    assert_eq!(listed(&member, &of_admin)["id"], of_admin.json["id"]);
    member.delete(&one(&of_owner)).refused(404, "not_found");
    bearer(&of_owner).get(PRACTICE).expect(200);
    member.delete(&one(&of_admin)).expect(204);
    member.post(TOKENS, new(&["settings:read"])).refused(403, "not_authorized");
    owner.client().delete(&one(&of_owner)).expect(204);
    bearer(&of_owner).get(PRACTICE).expect(401);
}
