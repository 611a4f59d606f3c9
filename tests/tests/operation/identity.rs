//! The identity Worker: what hosts it, and the service without it.

use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::providers::{ProviderPerson, Providers};

fn becomes(server: &Server, fault: Option<&str>, state: &str) {
    let mut client = server.client();
    if let Some(fault) = fault {
        client = client.with("Tests-Bindings", &json!({ "IDENTITY": fault }).to_string());
    }
    wait::until(state, || {
        let answer = client.get("/health");
        assert_eq!((answer.status, &answer.json["status"]), (200, &json!("ok")));
        answer.json["identity"] == state
    });
}

#[test]
fn the_service_works_while_the_identity_worker_is_away() {
    let server = Server::start(State::fresh(), &json!({}));
    becomes(&server, None, "ok");
    for fault in ["silent", "unserved"] {
        becomes(&server, Some(fault), "away");
        becomes(&server, None, "ok");
    }
}

#[test]
fn the_identity_worker_answers_questions_and_survives_a_panic() {
    only_on_workerd!("these tests start the identity Worker");
    passes(&["host", "worker"]);
}

#[test]
fn the_identity_worker_believes_real_providers_and_none_of_their_changed_answers() {
    only_on_workerd!("these tests start the identity Worker");
    passes(&["oidc", "saml"]);
}

/// Runs tests in JavaScript, which use the identity Worker without the service.
fn passes(names: &[&str]) {
    let files = names.iter().map(|name| format!("tests/identity/{name}.test.mjs"));
    let mut command = project::command(&project::node());
    let ended = command.arg("--test").args(files).output().unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{printed}");
    assert!(printed.contains("fail 0") && !printed.contains("pass 0"), "{printed}");
}

#[test]
fn the_providers_know_people_and_count_what_they_are_asked() {
    let providers = Providers::start();
    providers.add(&[ProviderPerson::new("pat", "pat@practice.example")]);
    let address = format!(
        "{}/auth?client_id=overturn&response_type=code&scope=openid&state=s&code_challenge_method=S256&code_challenge={}&redirect_uri={}",
        providers.issuer(),
        "a".repeat(43),
        "http%3A%2F%2F127.0.0.1%3A9%2Fapi%2Fv1%2Fauth%2Foauth%2Fdemo%2Fcallback",
    );
    let back = providers.sign_in_oidc(&address, "pat");
    assert!(back.starts_with("http://127.0.0.1:9/api/v1/auth/oauth/demo/callback?code="));
    assert_eq!(providers.asked("/auth"), 1);
    providers.answer_with(&json!({ "callback": { "state": "other", "iss": null } }));
    let back = providers.sign_in_oidc(&address, "pat");
    assert!(back.contains("&state=other") && !back.contains("iss="), "{back}");
}
