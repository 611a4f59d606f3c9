use super::*;
use crate::oidc::{begin, describe};
use openidconnect::url::Url;
use overturn_core::identity::oidc::{BeginOidc, DescribeOidc, OidcDescription, SecretIn};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

fn document() -> Value {
    json!({
        "issuer": "https://login.provider.example/tenant",
        "authorization_endpoint": "https://login.provider.example/authorize?tenant=a",
        "token_endpoint": "https://login.provider.example/token",
        "jwks_uri": "https://keys.provider.example/jwks",
        "response_types_supported": ["code", "id_token"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["plain", "S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"],
        "authorization_response_iss_parameter_supported": true,
        "an_extension": [{ "of": "the provider" }],
    })
}

fn with(name: &str, value: impl Into<Value>) -> Value {
    let mut document = document();
    document[name] = value.into();
    document
}

fn without(name: &str) -> Value {
    let mut document = document();
    document.as_object_mut().unwrap().remove(name);
    document
}

fn described(discovery: Value) -> Verdict<OidcDescription> {
    describe(&DescribeOidc { client: client(), discovery })
}

/// The reason why neither question accepts the document.
#[track_caller]
fn refusal(discovery: Value) -> String {
    let begun = begin(&BeginOidc { client: client(), discovery: discovery.clone() });
    let reason = refused(begun);
    assert_eq!(refused(described(discovery)), reason);
    reason
}

#[test]
fn a_sign_in_begins_at_the_provider() {
    let begun = accepted(begin(&BeginOidc { client: client(), discovery: document() }));
    let url = Url::parse(&begun.url).unwrap();
    assert!(begun.url.starts_with("https://login.provider.example/authorize?tenant=a&"));
    let callback = client().redirect_uri;
    let challenge = provider::encode(&Sha256::digest(begun.verifier.as_bytes()));
    let expected = [
        ("tenant", "a"),
        ("response_type", "code"),
        ("response_mode", "query"),
        ("client_id", "overturn-client"),
        ("redirect_uri", callback.as_str()),
        ("scope", "openid email profile"),
        ("state", begun.state.as_str()),
        ("nonce", begun.nonce.as_str()),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
        ("max_age", "86400"),
    ];
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    assert_eq!(pairs.len(), expected.len());
    let pairs: BTreeMap<_, _> = pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(pairs, BTreeMap::from(expected));
    assert!(begun.verifier.len() >= 43, "RFC 7636 asks for 256 bits");
    assert!(begun.state.len() >= 22 && begun.nonce.len() >= 22);
}

#[test]
fn each_sign_in_has_values_of_its_own() {
    let [one, other] = [(), ()].map(|()| accepted(begin(&BeginOidc { client: client(), discovery: document() })));
    assert_ne!(one.state, other.state);
    assert_ne!(one.nonce, other.nonce);
    assert_ne!(one.verifier, other.verifier);
}

#[test]
fn the_scope_openid_is_asked_for_once() {
    let mut client = client();
    client.scopes = vec!["openid".to_owned(), "email".to_owned()];
    let begun = accepted(begin(&BeginOidc { client, discovery: document() }));
    assert!(begun.url.contains("scope=openid+email&"), "{}", begun.url);
}

#[test]
fn a_provider_is_described() {
    let expected = OidcDescription {
        token_endpoint: "https://login.provider.example/token".to_owned(),
        jwks_uri: "https://keys.provider.example/jwks".to_owned(),
        secret_in: SecretIn::Body,
        names_issuer: true,
    };
    assert_eq!(accepted(described(document())), expected);
    let old = accepted(described(without("authorization_response_iss_parameter_supported")));
    assert!(!old.names_issuer);
    let name = "token_endpoint_auth_methods_supported";
    assert_eq!(accepted(described(without(name))).secret_in, SecretIn::Header);
    let both = with(name, json!(["client_secret_post", "client_secret_basic"]));
    assert_eq!(accepted(described(both)).secret_in, SecretIn::Header);
}

#[test]
fn another_issuer_is_refused() {
    for issuer in [
        json!("https://login.provider.example/tenant/"),
        json!("https://login.provider.example/Tenant"),
        json!("https://login.provider.example:443/tenant"),
        json!("https://evil.example"),
        json!(["https://login.provider.example/tenant"]),
        Value::Null,
    ] {
        assert_eq!(refusal(with("issuer", issuer)), Refusal::ISSUER);
    }
    assert_eq!(refusal(without("issuer")), Refusal::ISSUER);
}

#[test]
fn addresses_must_be_safe() {
    for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        for address in [
            "http://login.provider.example/x",
            "http://localhost.evil.example/x",
            "http://10.0.0.1/x",
            "https://login.provider.example@evil.example/x",
            "https://login.provider.example/x#part",
            "javascript:alert(1)",
            "/x",
            "",
        ] {
            let reason = refusal(with(name, address));
            assert_eq!(reason, Refusal::PROVIDER, "{name} {address}");
        }
        assert_eq!(refusal(without(name)), Refusal::PROVIDER);
        for address in ["http://localhost:9000/x", "http://127.0.0.1:9000/x", "http://[::1]:9/x"] {
            assert_eq!(refusal(with(name, address)), Refusal::PROVIDER, "{address}");
            let local = OidcClient { local: true, ..client() };
            accepted(describe(&DescribeOidc { client: local, discovery: with(name, address) }));
        }
    }
}

#[test]
fn what_the_sign_in_needs_must_be_supported() {
    let methods = "token_endpoint_auth_methods_supported";
    for document in [
        with("response_types_supported", json!(["id_token"])),
        without("response_types_supported"),
        with("code_challenge_methods_supported", json!(["plain"])),
        with("code_challenge_methods_supported", Value::Null),
        with(methods, json!(["private_key_jwt"])),
        with("subject_types_supported", json!("pairwise")),
    ] {
        assert_eq!(refusal(document), Refusal::PROVIDER);
    }
    accepted(described(without("code_challenge_methods_supported")));
    for document in [Value::Null, json!([]), json!("text"), json!({})] {
        assert_eq!(refusal(document), Refusal::ISSUER);
    }
}

#[test]
fn documents_of_well_known_providers_are_accepted() {
    let google = json!({
        "issuer": "https://accounts.google.com",
        "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
        "device_authorization_endpoint": "https://oauth2.googleapis.com/device/code",
        "token_endpoint": "https://oauth2.googleapis.com/token",
        "userinfo_endpoint": "https://openidconnect.googleapis.com/v1/userinfo",
        "revocation_endpoint": "https://oauth2.googleapis.com/revoke",
        "jwks_uri": "https://www.googleapis.com/oauth2/v3/certs",
        "response_types_supported": [
            "code", "token", "id_token", "code token", "code id_token", "token id_token",
            "code token id_token", "none",
        ],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "email", "profile"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "claims_supported": ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "sub"],
        "code_challenge_methods_supported": ["plain", "S256"],
        "grant_types_supported": [
            "authorization_code", "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
            "urn:ietf:params:oauth:grant-type:jwt-bearer",
        ],
    });
    let tenant = "https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad";
    let microsoft = json!({
        "token_endpoint": format!("{tenant}/oauth2/v2.0/token"),
        "token_endpoint_auth_methods_supported": [
            "client_secret_post", "private_key_jwt", "client_secret_basic",
            "self_signed_tls_client_auth",
        ],
        "jwks_uri": format!("{tenant}/discovery/v2.0/keys"),
        "response_modes_supported": ["query", "fragment", "form_post"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "issuer": format!("{tenant}/v2.0"),
        "request_uri_parameter_supported": false,
        "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo",
        "authorization_endpoint": format!("{tenant}/oauth2/v2.0/authorize"),
        "http_logout_supported": true,
        "frontchannel_logout_supported": true,
        "end_session_endpoint": format!("{tenant}/oauth2/v2.0/logout"),
        "claims_supported": ["sub", "iss", "auth_time", "acr", "nonce", "email"],
        "tenant_region_scope": null,
        "mtls_endpoint_aliases": { "token_endpoint": "https://mtlsauth.microsoft.com/token" },
        "msgraph_host": "graph.microsoft.com",
    });
    for discovery in [google, microsoft] {
        let mut client = client();
        client.issuer = discovery["issuer"].as_str().unwrap().to_owned();
        let begun = accepted(begin(&BeginOidc { client, discovery: discovery.clone() }));
        let page = discovery["authorization_endpoint"].as_str().unwrap();
        assert!(begun.url.starts_with(&format!("{page}?")), "{}", begun.url);
    }
}
