//! KV, which is eventually consistent.

use overturn_service::host::{Cache, PlatformError, Step};
use std::time::Duration;
use worker::KvStore;

/// A namespace of KV.
pub(crate) struct Kv(KvStore);

impl Kv {
    pub(crate) const fn new(store: KvStore) -> Self {
        Self(store)
    }
}

/// The cause stays out: its text can hold the key, which has an address or the hash of a session.
fn unanswered<E>(_: E) -> PlatformError {
    PlatformError
}

impl Cache for Kv {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(async move { self.0.get(key).text().await.map_err(unanswered) })
    }

    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let put = self.0.put(key, text).map_err(unanswered)?;
            let put = put.expiration_ttl(kept.as_secs()).execute();
            put.await.map_err(unanswered)
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move { self.0.delete(key).await.map_err(unanswered) })
    }
}
