//! Rules for every settings route: who has access, and that a request takes effect at most once.

mod once;
mod refusals;

use crate::invitations::address;
use overturn_core::base::ctx::Purpose;
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self, AGREEMENT_VERSION};

const READS: [&str; 8] = ["agreements", "api_keys", "api_tokens", "audit", "members", "practice", "sso", "webhooks"];

/// A practice with a record of each kind.
struct World {
    tenant: Tenant<'static>,
    owner: Person<'static>,
    member: Person<'static>,
    token: String,
    bearer: Client,
    /// A key that was replaced by the practice's other one.
    replaced: String,
    webhook: String,
    delivery: String,
    provider: String,
    domain: String,
    agreement: String,
}

impl World {
    fn new() -> Self {
        let tenant = Tenant::shared();
        let owner = Person::of(&tenant, Role::Owner);
        let member = Person::of(&tenant, Role::Member);
        let body = json!({ "name": "x", "scopes": ["settings:read", "audit:read"], "expires_in_days": 9 });
        let made = owner.client().post("/api/v1/settings/api_tokens", body.to_string());
        let token = made.id().to_owned();
        let bearer = format!("Bearer {}", made.json["token"].as_str().unwrap());
        let bearer = Server::shared().client().with("Authorization", &bearer);
        let hook = json!({ "url": "https://hooks.example.com/", "events": ["report.delivered"] });
        let made = owner.client().post("/api/v1/settings/webhooks", hook.to_string());
        let webhook = made.id().to_owned();
        let delivery = tenant::ctx().id(Purpose::Message, 0).to_string();
        // Due in the year 2255.
        tenant.change(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at)
             VALUES (?1, ?2, ?3, 'report.delivered', '{}', 1, 9000000000000)",
            &[&webhook, &delivery],
        );
        let made = owner.client().post("/api/v1/settings/api_keys", r#"{"name": "x", "scopes": ["claims:read"]}"#);
        let replaced = made.id().to_owned();
        let by = tenant.key.id.to_string();
        tenant.change("UPDATE api_keys SET replaced_by = ?2 WHERE practice_id = ?1 AND id = ?3", &[&by, &replaced]);
        let provider = tenant::ctx().id(Purpose::Record, 0).to_string();
        tenant.change(
            "INSERT INTO sso_providers (practice_id, id, kind, name, configured, contexts, created_at)
             VALUES (?1, ?2, 'oidc', 'Work', 'gone', '[]', 1)",
            &[&provider],
        );
        let made = owner.client().post("/api/v1/settings/sso/domains", r#"{"domain":"clinic.example"}"#);
        let domain = made.id().to_owned();
        let signed = &tenant.rows("SELECT id FROM agreements WHERE practice_id = ?1", &[])[0]["id"];
        let agreement = signed.as_str().unwrap().to_owned();
        Self { tenant, owner, member, token, bearer, replaced, webhook, delivery, provider, domain, agreement }
    }

    /// Everything that a settings request can change.
    fn stored(&self) -> Vec<Vec<Value>> {
        let rows = |sql: &str| {
            let mut rows = self.tenant.rows(sql, &[]);
            // The audit chain is linked after the answers, so possibly between two reads of a test.
            for row in rows.iter_mut().filter_map(Value::as_object_mut) {
                row.remove("previous");
            }
            rows
        };
        let own = [
            "agreements",
            "api_keys",
            "api_tokens",
            "users",
            "audit",
            "webhooks",
            "deliveries",
            "sso_providers",
            "practice_domains",
        ];
        let own = own.map(|table| rows(&format!("SELECT * FROM {table} WHERE practice_id = ?1 ORDER BY id")));
        let of_users = ["sessions", "links"].map(|table| {
            rows(&format!(
                "SELECT * FROM {table} WHERE user_id IN (SELECT id FROM users WHERE practice_id = ?1) ORDER BY hash"
            ))
        });
        let practice = rows("SELECT * FROM practices WHERE id = ?1");
        let documents = rows("SELECT * FROM document_settings WHERE practice_id = ?1");
        [&own[..], &of_users, &[practice, documents]].concat()
    }

    fn audited(&self) -> i64 {
        self.tenant.count("audit")
    }
}

/// A write of the settings.
#[derive(Clone, Debug)]
struct Change {
    method: &'static str,
    target: String,
    body: Option<String>,
    /// The status of a success.
    status: u16,
    sensitive: bool,
}

impl Change {
    fn send(&self, client: &Client) -> Answer {
        // Every record of a new world has its first version.
        let client = client.with("If-Match", "\"1\"");
        client.request(self.method, &self.target, self.body.as_ref().map(String::as_bytes))
    }
}

/// Every settings write, with the records of a practice.
fn changes(world: &World) -> Vec<Change> {
    let change = |method, target: String, body: Value, status| Change {
        method,
        target: format!("/api/v1/settings/{target}"),
        body: (body != Value::Null).then(|| body.to_string()),
        status,
        sensitive: true,
    };
    let provider = format!("sso/providers/{}", world.provider);
    let domain = format!("sso/domains/{}", world.domain);
    let member = format!("members/{}", world.member.id);
    let token = format!("api_tokens/{}", world.token);
    let webhook = format!("webhooks/{}", world.webhook);
    let endpoint = json!({ "url": "https://example.com/", "events": ["claim.status_changed"] });
    let new_token = json!({ "name": "x", "scopes": ["audit:read"], "expires_in_days": 1 });
    let signature =
        json!({ "kind": "baa", "version": AGREEMENT_VERSION, "signer_name": "Ann", "signer_title": "Owner" });
    vec![
        change("POST", "agreements".into(), signature, 201),
        change("POST", format!("agreements/{}/end", world.agreement), Value::Null, 200),
        change("PATCH", "documents".into(), json!({ "legal_hold": true }), 200),
        change("POST", "api_keys".into(), json!({ "name": "x", "scopes": ["claims:read"] }), 201),
        change("POST", format!("api_keys/{}/rotate", world.tenant.key.id), Value::Null, 201),
        change("POST", format!("api_keys/{}/rotate/finish", world.replaced), Value::Null, 204),
        change("DELETE", format!("api_keys/{}", world.tenant.key.id), Value::Null, 204),
        change("POST", "api_tokens".into(), new_token, 201),
        change("POST", format!("{token}/regenerate"), json!({ "grace_days": 1 }), 201),
        change("DELETE", token, Value::Null, 204),
        change("POST", "members".into(), json!({ "email": address(), "role": "member" }), 201),
        change("PATCH", member.clone(), json!({ "role": "admin" }), 200),
        change("DELETE", format!("{member}/sessions"), Value::Null, 204),
        change("DELETE", member, Value::Null, 204),
        change("PATCH", "practice".into(), json!({ "concurrent_sessions": 1 }), 200),
        change("POST", "webhooks".into(), endpoint.clone(), 201),
        change("PATCH", webhook.clone(), endpoint, 200),
        change("POST", format!("{webhook}/test"), Value::Null, 202),
        change("POST", format!("{webhook}/rotate_secret"), Value::Null, 200),
        change("DELETE", webhook.clone(), Value::Null, 204),
        change("PATCH", provider.clone(), json!({ "name": "Team" }), 200),
        change("DELETE", provider, Value::Null, 204),
        change("POST", "sso/domains".into(), json!({ "domain": "b.example" }), 201),
        change("DELETE", domain, Value::Null, 204),
        Change {
            sensitive: false,
            ..change("POST", format!("{webhook}/deliveries/{}/replay", world.delivery), Value::Null, 202)
        },
        Change { sensitive: false, ..change("PATCH", "practice".into(), json!({ "name": "Harbour" }), 200) },
    ]
}

#[test]
fn an_edit_takes_the_version_that_the_person_has_seen() {
    let world = World::new();
    let client = world.owner.client();
    let edits = changes(&world).into_iter();
    let edits = edits.filter(|of| of.method == "PATCH" || of.target.ends_with("/rotate_secret"));
    let mut seen = 0;
    for edit in edits {
        let body = edit.body.as_ref().map(String::as_bytes);
        let missing = client.request(edit.method, &edit.target, body);
        assert_eq!(missing.details(), ["If-Match is required: the ETag of what you change"], "{edit:?}");
        let stale = client.with("If-Match", "\"9\"");
        let stale = stale.request(edit.method, &edit.target, body);
        assert_eq!(stale.json["error"]["reason"], "version_conflict", "{edit:?}");
        seen += 1;
    }
    assert_eq!(seen, 7);
    // Two people read the same version, and the second one learns of the first.
    let target = "/api/v1/settings/practice";
    let tag = client.get(target).header("etag").unwrap().to_owned();
    let both = ["First", "Second"].map(|name| {
        let body = json!({ "name": name }).to_string();
        let edited = client.with("If-Match", &tag);
        edited.patch(target, &body).status
    });
    assert_eq!(both, [200, 409]);
    assert_eq!(client.get(target).json["name"], "First");
}

#[test]
fn every_change_is_carried_out_and_audited_once() {
    let count = changes(&World::new()).len();
    for n in 0..count {
        let world = World::new();
        let before = world.audited();
        let change = &changes(&world)[n];
        let answer = change.send(&world.owner.client());
        assert_eq!(answer.status, change.status, "{change:?} {}", answer.text());
        assert_eq!(world.audited(), before + 1, "{change:?}");
        let sql =
            "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND actor = 'user:' || ?2 AND request_id = ?3";
        let (id, actor) = (world.tenant.id.to_string(), world.owner.id.to_string());
        let of_request = Server::shared().database().number(sql, &[&id, &actor, answer.request_id()]);
        assert_eq!(of_request, 1, "{change:?}");
    }
}
