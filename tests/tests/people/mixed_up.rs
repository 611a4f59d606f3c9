//! API keys where an API token is expected, and the reverse.

use crate::api_tokens::{bearer, make};
use overturn_core::base::token::{ApiKey, ApiToken};
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;

const TAKES_A_TOKEN: &str = "this takes a session or an API token, which starts with ovu_; \
                             an API key, which starts with ovt_, is for /api/v1/claims only";
const TAKES_A_KEY: &str = "this takes an API key, which starts with ovt_; \
                           an API token, which starts with ovu_, is not for /api/v1/claims";

fn with(text: &str) -> Client {
    let value = format!("Bearer {text}");
    Server::shared().client().with("Authorization", &value)
}

#[test]
fn an_api_key_in_place_of_a_token_gets_its_own_error_without_a_lookup() {
    let tenant = Tenant::shared();
    let key = tenant.key.text.clone();
    let stranger = ApiKey::mint(Realm::Test, random()).expose().to_owned();
    let elsewhere = ApiKey::mint(Realm::Live, random()).expose().to_owned();
    let cut = key[..key.len() - 1].to_owned();
    for text in [key, stranger, elsewhere, cut] {
        for target in ["/api/v1/denials", "/api/v1/settings/practice", "/api/v1/staff/claims"] {
            let answer = with(&text).get(target);
            assert_eq!(answer.nested(401).1, TAKES_A_TOKEN, "{target}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            assert_eq!(answer.header("x-ratelimit-limit"), None);
            assert!(!answer.text().contains(&text));
        }
    }
    let nothing = with("nothing").get("/api/v1/denials");
    assert_eq!(nothing.nested(401).1, "sign in first");
}

#[test]
fn an_api_token_in_place_of_a_key_gets_its_own_error() {
    let tenant = Tenant::shared();
    let made = make(&tenant.owner());
    let stranger = ApiToken::mint(Realm::Test, random());
    for client in [bearer(&made), with(stranger.expose())] {
        for answer in [client.send(&item("A-1")), client.status("A-1")] {
            assert_eq!(answer.refusal(401), TAKES_A_KEY);
            assert_eq!(answer.header("x-ratelimit-limit"), None);
        }
    }
    assert_eq!(with("nothing").status("A-1").refusal(401), "a valid API key is required");
}
