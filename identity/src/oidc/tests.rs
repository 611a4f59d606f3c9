mod attacks;
mod begin;
mod provider;
mod token;

use overturn_core::base::instant::Instant;
use overturn_core::identity::oidc::{CheckIdToken, OidcClaims, OidcClient};
use overturn_core::identity::{Refusal, Verdict};
use provider::{Key, Token};
use serde_json::Value;

const NOW: i64 = 1_800_000_000;

fn client() -> OidcClient {
    OidcClient {
        issuer: "https://login.provider.example/tenant".to_owned(),
        client_id: "overturn-client".to_owned(),
        redirect_uri: "https://overturn.example/api/v1/auth/oauth/provider/callback".to_owned(),
        algorithms: vec!["RS256".to_owned()],
        scopes: vec!["email".to_owned(), "profile".to_owned()],
        verified_claim: "email_verified".to_owned(),
        domain_claim: None,
        local: false,
    }
}

fn client_with(algorithms: &[&str]) -> OidcClient {
    OidcClient { algorithms: algorithms.iter().map(|&name| name.to_owned()).collect(), ..client() }
}

fn asked(keys: Value, id_token: String) -> CheckIdToken {
    CheckIdToken {
        client: client(),
        keys,
        id_token,
        nonce: "nonce-of-the-browser".to_owned(),
        now: Instant(NOW * 1000),
    }
}

/// Checks a token that the usual key signed.
fn check(token: &Token) -> Verdict<OidcClaims> {
    let key = Key::rsa("one", 0);
    super::check(&asked(key.set(), token.signed(&key)))
}

#[track_caller]
fn accepted<T>(verdict: Verdict<T>) -> T {
    match verdict {
        Verdict::Accepted(facts) => facts,
        Verdict::Refused(refusal) => panic!("refused: {refusal:?}"),
    }
}

/// The reason of a refusal. Its detail must not hold a value of the token.
#[track_caller]
fn refused<T>(verdict: Verdict<T>) -> String {
    match verdict {
        Verdict::Accepted(_) => panic!("accepted"),
        Verdict::Refused(Refusal { reason, detail }) => {
            for value in ["kim", "evil", "overturn-client", "nonce-of", "provider.example"] {
                assert!(!detail.contains(value), "{detail}");
            }
            reason
        }
    }
}
