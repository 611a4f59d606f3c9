//! What other services publish to have their signatures checked, kept in the isolate for an hour.

use crate::app::App;
use crate::error::AppError;
use crate::fetch;
use crate::host::{FetchError, Fetched};
use crate::memory::KnownProvider;
use overturn_core::base::instant::Instant;
use serde_json::Value;

/// How long a document or a key set is used, in milliseconds.
const KEPT_MS: i64 = 3_600_000;

/// How often a key set is fetched because a signature has an unknown key: any key id can be made up by anybody, so
/// that must not make the service fetch in a loop.
const RENEWED_MS: i64 = 60_000;

/// How long a service that failed is not asked again, in milliseconds. Each try may take five seconds.
const RESTS_MS: i64 = 10_000;

/// Reads or changes what is known of a service, by its id.
pub(crate) fn known<T>(app: &App, of: &str, read: impl FnOnce(&mut KnownProvider) -> T) -> T {
    app.memory.providers.read(of, read)
}

pub(crate) fn is_fresh(app: &App, at: Instant) -> bool {
    (0..KEPT_MS).contains(&app.host.now().since(at))
}

/// The key set of a service.
pub(crate) struct KeySet<'a> {
    /// The id of the service.
    pub(crate) of: &'a str,
    pub(crate) address: &'a str,
    /// What its document calls the list of keys.
    pub(crate) list: &'static str,
}

impl KeySet<'_> {
    /// The keys, at most an hour old.
    pub(crate) async fn keys(&self, app: &App) -> Result<Value, AppError> {
        match known(app, self.of, |known| known.keys.clone()) {
            Some((keys, at)) if is_fresh(app, at) => Ok(keys),
            _ => self.fetch(app).await,
        }
    }

    /// The keys of today, if they were not renewed within the last minute.
    pub(crate) async fn renewed(&self, app: &App) -> Result<Option<Value>, AppError> {
        let now = app.host.now();
        let may = known(app, self.of, |known| {
            let earlier = known.renewed_at.is_some_and(|at| now.since(at) < RENEWED_MS);
            if !earlier {
                known.renewed_at = Some(now);
            }
            !earlier
        });
        if !may {
            return Ok(None);
        }
        self.fetch(app).await.map(Some)
    }

    /// The next use fetches the keys again: the kept ones are of no use.
    pub(crate) fn forget(&self, app: &App) {
        known(app, self.of, |known| known.keys = None);
    }

    async fn fetch(&self, app: &App) -> Result<Value, AppError> {
        let check = |document| with_keys(document, self.list);
        let keys = document(app, self.of, self.address, check).await?;
        known(app, self.of, |known| known.keys = Some((keys.clone(), app.host.now())));
        Ok(keys)
    }
}

/// Why a service gave no document.
#[derive(Clone, Copy)]
pub(crate) struct Failure(&'static str);

/// A JSON document of a service. One that failed a moment ago is not asked.
pub(crate) async fn document(
    app: &App,
    of: &str,
    url: &str,
    check: impl FnOnce(Value) -> Result<Value, Failure>,
) -> Result<Value, AppError> {
    let rests = |at| (0..RESTS_MS).contains(&app.host.now().since(at));
    let failed = known(app, of, |known| known.failed);
    if let Some((what, _)) = failed.filter(|(_, at)| rests(*at)) {
        return Err(AppError::Unavailable(what));
    }
    let document = fetched(app, url).await.and_then(check);
    known(app, of, |known| {
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

/// A document that has keys. Another one would be kept for an hour.
fn with_keys(document: Value, list: &str) -> Result<Value, Failure> {
    let keys = document.get(list).and_then(Value::as_array);
    if keys.is_some_and(|keys| !keys.is_empty()) { Ok(document) } else { Err(Failure("a provider publishes no keys")) }
}

/// The failure of a service. The caller may try again later.
pub(crate) fn away(error: FetchError) -> AppError {
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
        assert!(with_keys(json!({ "keys": [{ "kty": "RSA" }] }), "keys").is_ok());
        for wrong in [json!({}), json!({ "keys": [] }), json!({ "keys": {} }), json!([]), json!({ "other": [1] })] {
            assert!(with_keys(wrong.clone(), "keys").is_err(), "{wrong}");
        }
    }
}
