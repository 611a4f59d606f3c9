//! What OpenID Connect providers publish: the discovery document and the key set, kept in the isolate for an hour.

use super::refused::{self, SignInBy};
use crate::app::App;
use crate::call::Call;
use crate::config::OidcProvider;
use crate::error::AppError;
use crate::fetch;
use crate::host::{FetchError, Fetched};
use crate::memory::{KnownProvider, Published};
use overturn_core::base::instant::Instant;
use overturn_core::identity::Verdict;
use overturn_core::identity::oidc::{DescribeOidc, OidcClient};
use serde_json::Value;

/// How long a document or a key set is used, in milliseconds.
const KEPT_MS: i64 = 3_600_000;

/// How often a key set is fetched because a token has an unknown key: tokens with any key id can be made by anybody, so
/// they must not make the service fetch in a loop.
const RENEWED_MS: i64 = 60_000;

/// How long a provider that failed is not asked again, in milliseconds. Each try may take five seconds.
const RESTS_MS: i64 = 10_000;

fn known<T>(app: &App, provider: &OidcProvider, read: impl FnOnce(&mut KnownProvider) -> T) -> T {
    app.memory.providers.read(&provider.id, read)
}

fn is_fresh(app: &App, at: Instant) -> bool {
    (0..KEPT_MS).contains(&app.host.now().since(at))
}

/// What a provider published. The document is checked before it is kept.
pub(super) async fn of(call: &Call, provider: &OidcProvider, client: &OidcClient) -> Result<Published, AppError> {
    let app = &call.app;
    let kept = known(app, provider, |known| known.published.clone());
    if let Some(kept) = kept.filter(|kept| is_fresh(app, kept.fetched_at)) {
        return Ok(kept);
    }
    let issuer = provider.issuer.trim_end_matches('/');
    let address = format!("{issuer}/.well-known/openid-configuration");
    let discovery = document(app, provider, &address, Ok).await?;
    let question = DescribeOidc { client: client.clone(), discovery };
    let description = match call.app.identity.ask(&question).await? {
        Verdict::Accepted(description) => description,
        Verdict::Refused(refusal) => {
            return Err(refused::by_check(call, &SignInBy::oidc(provider), &refusal));
        }
    };
    let published = Published { discovery: question.discovery, description, fetched_at: app.host.now() };
    known(app, provider, |known| known.published = Some(published.clone()));
    Ok(published)
}

/// The provider's key set.
pub(super) async fn keys(app: &App, provider: &OidcProvider, published: &Published) -> Result<Value, AppError> {
    let kept = known(app, provider, |known| known.keys.clone());
    match kept {
        Some((keys, at)) if is_fresh(app, at) => Ok(keys),
        _ => fetch_keys(app, provider, published).await,
    }
}

/// The key set of today, if it was not renewed within the last minute.
pub(super) async fn renewed_keys(
    app: &App,
    provider: &OidcProvider,
    published: &Published,
) -> Result<Option<Value>, AppError> {
    let now = app.host.now();
    let may = known(app, provider, |known| {
        let earlier = known.renewed_at.is_some_and(|at| now.since(at) < RENEWED_MS);
        if !earlier {
            known.renewed_at = Some(now);
        }
        !earlier
    });
    if !may {
        return Ok(None);
    }
    fetch_keys(app, provider, published).await.map(Some)
}

async fn fetch_keys(app: &App, provider: &OidcProvider, published: &Published) -> Result<Value, AppError> {
    let address = &published.description.jwks_uri;
    let keys = document(app, provider, address, key_set).await?;
    known(app, provider, |known| {
        known.keys = Some((keys.clone(), app.host.now()));
    });
    Ok(keys)
}

/// The next sign-in fetches the key set again: the kept one is of no use.
pub(super) fn forget_keys(app: &App, provider: &OidcProvider) {
    known(app, provider, |known| known.keys = None);
}

/// Why a provider gave no document.
#[derive(Clone, Copy)]
struct Failure(&'static str);

/// A JSON document of a provider. A provider that failed a moment ago is not asked.
async fn document(
    app: &App,
    provider: &OidcProvider,
    url: &str,
    check: impl FnOnce(Value) -> Result<Value, Failure>,
) -> Result<Value, AppError> {
    let rests = |at| (0..RESTS_MS).contains(&app.host.now().since(at));
    let failed = known(app, provider, |known| known.failed);
    if let Some((what, _)) = failed.filter(|(_, at)| rests(*at)) {
        return Err(AppError::Unavailable(what));
    }
    let document = fetched(app, url).await.and_then(check);
    known(app, provider, |known| {
        let failure = document.as_ref().err();
        known.failed = failure.map(|Failure(what)| (*what, app.host.now()));
    });
    document.map_err(|Failure(what)| AppError::Unavailable(what))
}

async fn fetched(app: &App, url: &str) -> Result<Value, Failure> {
    let Fetched { status, body, .. } = fetch::get(app, url, fetch::JSON).await.map_err(|error| Failure(text(error)))?;
    if status != 200 {
        return Err(Failure("a provider publishes no document"));
    }
    serde_json::from_slice(&body).map_err(|_| Failure("a provider's document is not JSON"))
}

/// A document that is a set with a key. Another one would be kept for an hour.
fn key_set(document: Value) -> Result<Value, Failure> {
    let keys = document.get("keys").and_then(Value::as_array);
    if keys.is_some_and(|keys| !keys.is_empty()) { Ok(document) } else { Err(Failure("a provider publishes no keys")) }
}

/// The failure of a provider. The person may try again later.
pub(super) fn away(error: FetchError) -> AppError {
    AppError::Unavailable(text(error))
}

const fn text(error: FetchError) -> &'static str {
    match error {
        FetchError::Address => "the address of a provider cannot be requested",
        FetchError::Away => "a provider is away",
        FetchError::Slow => "a provider is slow",
        FetchError::TooLarge => "a provider's answer is too large",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_without_keys_is_no_key_set() {
        assert!(key_set(json!({ "keys": [{ "kty": "RSA" }] })).is_ok());
        for wrong in [json!({}), json!({ "keys": [] }), json!({ "keys": {} }), json!([])] {
            assert!(key_set(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
