use super::{PROVIDERS, SSO, World, made, patch, place, post};
use overturn_tests::prelude::*;

#[test]
fn metadata_is_read_and_the_answer_says_what_the_provider_needs() {
    let world = World::new();
    let saml = world.saml();
    assert_eq!(saml["entity_id"], world.of.providers.entity_id());
    assert_eq!((&saml["kind"], &saml["provider"]), (&json!("saml"), &Value::Null));
    let certificate = &saml["certificates"][0];
    assert_eq!(certificate["sha256"].as_str().unwrap().len(), 64);
    assert!(certificate["expires_at"].as_str().unwrap().ends_with('Z'));
    let id = saml["id"].as_str().unwrap();
    let start = format!("/api/v1/auth/saml/{id}");
    for (field, path) in
        [("sign_in_url", start.clone()), ("acs_url", start.clone()), ("metadata_url", format!("{start}/metadata"))]
    {
        let url = saml[field].as_str().unwrap();
        assert!(url.starts_with("http://") && url.ends_with(&path), "{url}");
    }
    let rows = world.tenant.audit("sso.provider_added");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["record"], id);
    let detail = rows[0]["detail"].as_str().unwrap();
    assert!(detail.contains(world.of.providers.entity_id()), "{detail}");
    assert!(!detail.contains('<'), "no metadata: {detail}");
}

#[test]
fn metadata_that_cannot_be_used_is_refused_in_words_and_the_log_has_the_reason() {
    let world = World::new();
    let client = world.owner.client();
    let good = world.of.providers.metadata();
    let no_redirect = good.replace("bindings:HTTP-Redirect", "bindings:HTTP-Other");
    let doctype = format!("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///secret-canary\">]>{good}");
    for (metadata, rule, reason) in [
        ("secret-canary", "metadata must be the XML metadata of a SAML 2.0 identity provider", "xml"),
        (&*no_redirect, "metadata has no sign-in address for the binding HTTP-Redirect", "no_redirect_endpoint"),
        (&*doctype, "metadata must not have a DOCTYPE or entities of its own", "doctype"),
    ] {
        let body = json!({ "name": "x", "metadata": metadata });
        let refused = post(&client, PROVIDERS, &body);
        assert_eq!(refused.details(), [rule]);
        assert!(!refused.text().contains("canary"));
        let lines = world.of.server.log().of(refused.request_id());
        let said = |line: &Value| line["event"] == "metadata_refused" && line["reason"] == reason;
        assert!(lines.iter().any(said), "{lines:?}");
    }
    let large = json!({ "name": "x", "metadata": "x".repeat(256 * 1024 + 1) });
    let refused = post(&client, PROVIDERS, &large);
    assert_eq!(refused.details(), ["metadata must be at most 256 KiB"]);
    assert_eq!(world.shown()["providers"], json!([]));
}

#[test]
fn an_installation_without_saml_keys_serves_no_saml_provider() {
    let tenant = Tenant::shared();
    let client = tenant.owner();
    let body = json!({ "name": "x", "metadata": "<x/>" });
    post(&client, PROVIDERS, &body).refused(409, "conflict");
    let shown = client.get(SSO).json.clone();
    assert_eq!((&shown["saml_available"], &shown["available"]), (&json!(false), &json!([])));
}

#[test]
fn an_identity_worker_that_is_away_changes_nothing_and_a_retry_may_succeed() {
    let world = World::new();
    let body = json!({ "name": "x", "metadata": world.of.providers.metadata() });
    let away = world.owner.client().with("Tests-Bindings", r#"{"IDENTITY":"gone"}"#);
    let answer = post(&away, PROVIDERS, &body);
    answer.expect(503);
    assert!(answer.header("retry-after").is_some());
    // What needs no answer of it goes on.
    post(&away, PROVIDERS, &json!({ "provider": "demo" })).expect(201);
    assert_eq!(world.shown()["providers"].as_array().unwrap().len(), 1);
}

#[test]
fn a_repeated_request_is_answered_as_before_and_asks_nobody_again() {
    let world = World::new();
    let body = json!({ "name": "x", "metadata": world.of.providers.metadata() });
    let client =
        world.owner.client().with("Idempotency-Key", &uuid::Uuid::from_u128(world.tenant.id.0.as_u128()).to_string());
    let first = made(&post(&client, PROVIDERS, &body));
    let away = client.with("Tests-Bindings", r#"{"IDENTITY":"gone"}"#);
    let again = post(&away, PROVIDERS, &body);
    assert_eq!((again.status, &again.json), (201, &first), "{}", again.text());
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[test]
fn a_provider_is_changed_field_by_field_and_keeps_its_entity() {
    let world = World::new();
    let saml = world.saml();
    let target = place(PROVIDERS, &saml);
    let client = world.owner.client();
    let edit = json!({ "name": "Okta", "contexts": ["mfa"], "idp_initiated": true });
    let changed = patch(&client, &target, &edit);
    changed.expect(200);
    let mut expected = saml;
    expected["version"] = 2.into();
    for (field, value) in edit.as_object().unwrap() {
        expected[field] = value.clone();
    }
    assert_eq!(changed.json, expected);
    assert_eq!(world.shown()["providers"], json!([expected]));
    assert_eq!(patch(&client, &target, &edit).json, expected);
    let rows = world.tenant.audit("sso.provider_changed");
    assert_eq!(rows.len(), 1, "the second change changed nothing");
    let renewed = patch(&client, &target, &json!({ "metadata": world.of.providers.metadata() }));
    expected["version"] = renewed.json["version"].clone();
    assert_eq!((renewed.status, &renewed.json), (200, &expected), "{}", renewed.text());
    let entity = world.of.providers.entity_id();
    let other =
        world.of.providers.metadata().replace(&format!("entityID=\"{entity}"), &format!("entityID=\"{entity}x"));
    let refused = patch(&client, &target, &json!({ "metadata": other }));
    assert_eq!(refused.details(), ["metadata must have the entity id of this provider: add another provider instead"]);
    let oidc = place(PROVIDERS, &world.oidc());
    let refused = patch(&client, &oidc, &json!({ "idp_initiated": true }));
    assert_eq!(refused.details(), ["idp_initiated is for SAML providers only"]);
}
