//! Requests from other sites.

use overturn_core::auth::role::Role;
use overturn_service::people::csrf;
use overturn_tests::account::{Account, SIGN_OUT};
use overturn_tests::person::{Person, page};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;
use serde_json::json;

const KEYS: &str = "/api/v1/settings/api_keys";
const WRITES: [(&str, &str); 7] = [
    ("POST", KEYS),
    ("DELETE", "/api/v1/settings/api_keys/0197d6a4-0000-7000-8000-000000000000"),
    ("POST", SIGN_OUT),
    ("POST", "/api/v1/auth/password"),
    ("POST", "/api/v1/auth/2fa/totp"),
    ("POST", "/api/v1/auth/2fa/totp/confirm"),
    ("POST", "/api/v1/auth/2fa/recovery_codes"),
];

#[test]
fn every_write_of_a_session_needs_the_token_of_this_very_session() {
    let tenant = Tenant::new(Server::shared());
    let owner = Person::of(&tenant, Role::Owner);
    let other = Person::of(&tenant, Role::Owner);
    let (_, before) = owner.session(None);
    let cookie = format!("__Host-session={}", owner.session.expose());
    let bare = Server::shared().client().with("Cookie", &cookie);
    let of_other = csrf::token(&other.session);
    let of_another_session = csrf::token(&before);
    let body = json!({ "name": "x", "scopes": ["claims:read"] }).to_string();
    for (method, path) in WRITES {
        for token in [None, Some(""), Some("x"), Some(&*of_other), Some(&*of_another_session)] {
            let client = match token {
                Some(token) => bare.with("X-CSRF-Token", token),
                None => bare.with("X-Nothing", ""),
            };
            let refused = client.request(method, path, Some(body.as_bytes()));
            assert_eq!(refused.status, 403, "{method} {path}: {}", refused.text());
            assert_eq!(refused.json["error"]["code"], "not_authorized");
        }
    }
    // A cookie with the same name proves nothing: a neighboring host can set it.
    let planted = bare.with("Cookie", &format!("{cookie}; csrf_token=x"));
    assert_eq!(planted.with("X-CSRF-Token", "x").post(KEYS, &body).status, 403);
    assert_eq!(bare.get(KEYS).status, 200, "reads need none");
    assert_eq!(page(Server::shared(), &owner.session).post(KEYS, &body).status, 201);
}

#[test]
fn a_browser_that_comes_from_another_site_is_refused_even_to_sign_in() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = Server::shared().client();
    let own = format!("http://127.0.0.1:{}", Server::shared().port());
    let sign_in = |headers: &[(&str, &str)]| {
        let mut client = client.with("X-Nothing", "");
        for (name, value) in headers {
            client = client.with(name, value);
        }
        account.try_password(&client, &account.password).status
    };
    for refused in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site"), ("Origin", own.as_str())],
    ] {
        assert_eq!(sign_in(refused), 403, "{refused:?}");
    }
    for good in [&[][..], &[("Sec-Fetch-Site", "same-origin"), ("Origin", "null")], &[("Sec-Fetch-Site", "none")]] {
        assert_eq!(sign_in(good), 402, "{good:?}");
    }
}
