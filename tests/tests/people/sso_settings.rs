//! `/api/v1/settings/sso`: identity providers, mail domains, and required single sign-on.

mod domains;
mod providers;
mod required;
mod warnings;

use overturn_tests::account::Account;
use overturn_tests::prelude::*;
use overturn_tests::providers::Providers;
use overturn_tests::resolver::Resolver;
use std::sync::OnceLock;

const SSO: &str = "/api/v1/settings/sso";
const PROVIDERS: &str = "/api/v1/settings/sso/providers";
const DOMAINS: &str = "/api/v1/settings/sso/domains";

/// A server with an OpenID provider, SAML keys and a resolver of its own.
struct Installation {
    server: Server,
    resolver: Resolver,
    providers: Providers,
}

fn installation() -> &'static Installation {
    static SHARED: OnceLock<Installation> = OnceLock::new();
    SHARED.get_or_init(|| {
        let (resolver, providers) = (Resolver::start(), Providers::start());
        let mut vars = providers.vars();
        vars["DNS_RESOLVER"] = json!(resolver.url());
        vars["LIMITS"] = json!("unlimited");
        Installation { server: Server::lasting(&vars), resolver, providers }
    })
}

/// A practice with an owner.
struct World {
    of: &'static Installation,
    tenant: Tenant<'static>,
    owner: Person<'static>,
}

impl World {
    fn new() -> Self {
        let of = installation();
        let tenant = Tenant::new(&of.server);
        let owner = Person::of(&tenant, Role::Owner);
        Self { of, tenant, owner }
    }

    fn shown(&self) -> Value {
        let shown = self.owner.client().get(SSO);
        shown.expect(200);
        shown.json.clone()
    }

    /// Adds the SAML provider of the tests.
    fn saml(&self) -> Value {
        let body = json!({ "name": "Demo", "metadata": self.of.providers.metadata() });
        made(&post(&self.owner.client(), PROVIDERS, &body))
    }

    /// Adds the provider of the installation.
    fn oidc(&self) -> Value {
        let body = json!({ "provider": "demo" });
        made(&post(&self.owner.client(), PROVIDERS, &body))
    }

    fn domain(&self, domain: &str) -> Value {
        made(&post(&self.owner.client(), DOMAINS, &json!({ "domain": domain })))
    }

    /// A domain that no other test uses.
    fn fresh_domain(&self) -> String {
        format!("d{}.example", self.tenant.id.0.simple())
    }
}

fn post(client: &Client, target: &str, body: &Value) -> Answer {
    client.post(target, body.to_string())
}

fn patch(client: &Client, target: &str, body: &Value) -> Answer {
    client.seeing(target).patch(target, body.to_string())
}

fn delete(client: &Client, target: &str) -> Answer {
    client.delete(target)
}

fn made(answer: &Answer) -> Value {
    answer.expect(201);
    answer.json.clone()
}

fn place(of: &str, made: &Value) -> String {
    format!("{of}/{}", made["id"].as_str().unwrap())
}

#[test]
fn the_settings_show_everything_that_a_practice_needs_and_have_a_tag() {
    let world = World::new();
    let empty = json!({ "version": 1, "required": false, "providers": [], "domains": [], "saml_available": true,
        "available": [{ "id": "demo", "name": world.shown()["available"][0]["name"] }] });
    assert_eq!(world.shown(), empty);
    let client = world.owner.client();
    let before = client.get(SSO);
    let tag = before.header("etag").unwrap().to_owned();
    client.with("If-None-Match", &tag).get(SSO).expect(304);
    let (saml, oidc, domain) = (world.saml(), world.oidc(), world.domain(&world.fresh_domain()));
    client.with("If-None-Match", &tag).get(SSO).expect(200);
    let shown = world.shown();
    assert_eq!(shown["providers"], json!([saml, oidc]));
    assert_eq!(shown["domains"], json!([domain]));
}

#[test]
fn every_change_needs_a_fresh_second_factor_and_asks_nobody_without_it() {
    let world = World::new();
    let name = world.fresh_domain();
    let (saml, domain) = (world.saml(), world.domain(&name));
    let account = Account::of(&world.tenant, Role::Owner);
    let client = Person::signed_in(&world.of.server, account.id, &account.email, None).client();
    let metadata = world.of.providers.metadata();
    for answer in [
        patch(&client, SSO, &json!({ "required": true })),
        post(&client, PROVIDERS, &json!({ "name": "x", "metadata": metadata })),
        patch(&client, &place(PROVIDERS, &saml), &json!({ "name": "x" })),
        delete(&client, &place(PROVIDERS, &saml)),
        post(&client, DOMAINS, &json!({ "domain": "x.example" })),
        client.post(&format!("{}/verify", place(DOMAINS, &domain)), ""),
        delete(&client, &place(DOMAINS, &domain)),
    ] {
        answer.expect(402);
        assert!(answer.json["continuation_token"].is_string());
    }
    client.get(SSO).expect(200);
    let asked = world.of.resolver.asked(&format!("_overturn.{name}"));
    assert!(asked.is_empty());
}

#[test]
fn what_another_practice_has_looks_like_nothing() {
    let (world, other) = (World::new(), World::new());
    let (saml, domain) = (other.saml(), other.domain(&other.fresh_domain()));
    let before = other.shown();
    let client = world.owner.client();
    let unknown = "00000000-0000-7000-8000-000000000000";
    let pairs = [
        (place(PROVIDERS, &saml), format!("{PROVIDERS}/{unknown}")),
        (place(DOMAINS, &domain), format!("{DOMAINS}/{unknown}")),
    ];
    for (foreign, unknown) in &pairs {
        let calls = |target: &str| {
            [
                patch(&client, target, &json!({ "name": "x" })),
                delete(&client, target),
                client.post(&format!("{target}/verify"), ""),
            ]
        };
        for (foreign, unknown) in calls(foreign).iter().zip(calls(unknown)) {
            assert_eq!(foreign.status, unknown.status);
            assert!(matches!(foreign.status, 404 | 405), "{}", foreign.text());
            let message = |answer: &Answer| answer.json["error"]["message"].clone();
            assert_eq!(message(foreign), message(&unknown));
        }
    }
    assert_eq!(other.shown(), before);
}
