//! The exchange of a code for an ID token, at the provider's token endpoint (RFC 6749, 4.1.3).
//!
//! Codes, secrets and tokens are in no error and in no log.

use super::callback::BegunByOidc;
use super::refusal::SsoRefusal;
use super::refused::{self, SignInBy};
use crate::call::Call;
use crate::config::OidcProvider;
use crate::error::AppError;
use crate::fetch;
use crate::host::Fetched;
use crate::key_sets::away;
use crate::memory::Published;
use data_encoding::BASE64;
use form_urlencoded::{Serializer, byte_serialize};
use overturn_core::identity::Refusal;
use overturn_core::identity::oidc::{OidcClient, SecretIn};
use serde::Deserialize;

/// What is read of the token endpoint's answer. The access token is not used.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// The ID token for a code.
pub(super) async fn id_token(
    call: &Call,
    (provider, client): (&OidcProvider, &OidcClient),
    published: &Published,
    (begun, code): (&BegunByOidc, &str),
) -> Result<String, AppError> {
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &client.redirect_uri)
        .append_pair("code_verifier", &begun.verifier);
    let authorization = match published.description.secret_in {
        SecretIn::Header => Some(basic(&client.client_id, &provider.client_secret)),
        SecretIn::Body => {
            form.append_pair("client_id", &client.client_id).append_pair("client_secret", &provider.client_secret);
            None
        }
    };
    let url = &published.description.token_endpoint;
    let answer = fetch::post(&call.app, url, authorization.as_deref(), &form.finish()).await;
    let Fetched { status, body, .. } = answer.map_err(away)?;
    let by = SignInBy::oidc(provider);
    match status {
        200 => {
            let tokens = serde_json::from_slice::<Tokens>(&body);
            let tokens = tokens.map_err(|_| refused::by_rule(call, &by, SsoRefusal::Code))?;
            Ok(tokens.id_token)
        }
        400..=499 if refuses_client(status, &body) => {
            let detail = "the provider does not accept the client id or the client secret";
            let refusal = Refusal::new(Refusal::CONFIGURATION, detail);
            Err(refused::by_check(call, &by, &refusal))
        }
        400..=499 => Err(refused::by_rule(call, &by, SsoRefusal::Code)),
        _ => Err(AppError::Unavailable("a provider exchanges no code")),
    }
}

/// Whether the provider refuses the service itself and not the code (RFC 6749, 5.2): all sign-ins fail then.
fn refuses_client(status: u16, body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Failure {
        error: String,
    }
    let failure = serde_json::from_slice::<Failure>(body);
    let is_of_client = |failure: Failure| matches!(&*failure.error, "invalid_client" | "unauthorized_client");
    status == 401 || failure.is_ok_and(is_of_client)
}

/// `client_secret_basic`: both parts are encoded as in a form (RFC 6749, 2.3.1).
fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(id), encoded(secret));
    format!("Basic {}", BASE64.encode(pair.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{basic, refuses_client};

    #[test]
    fn a_wrong_client_secret_is_not_a_wrong_code() {
        let says = |error: &str| format!(r#"{{"error":"{error}","error_description":"x"}}"#);
        let refuses = |status, body: &str| refuses_client(status, body.as_bytes());
        assert!(refuses(401, "") && refuses(400, &says("invalid_client")));
        assert!(refuses(400, &says("unauthorized_client")));
        for code in ["", "invalid_client", &says("invalid_grant"), r#"{"error":1}"#] {
            assert!(!refuses(400, code), "{code}");
        }
    }

    #[test]
    fn a_secret_with_a_colon_stays_one_part() {
        // `a:b%` becomes `a%3Ab%25`.
        assert_eq!(basic("id", "a:b%"), "Basic aWQ6YSUzQWIlMjU=");
    }
}
