//! Bans of addresses, in KV. KV is eventually consistent, so it may only deny: a ban that has not spread yet is found
//! by the counter that made it, and nothing is ever allowed because KV says so.

use overturn_core::ctx::Instant;
use worker::KvStore;

/// How long a ban lasts (interface: edge limits per IP).
pub(crate) const BAN_MS: i64 = 300_000;

/// The bans that every isolate shares.
pub(crate) struct Bans(KvStore);

/// KV did not answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KvFailed;

impl Bans {
    pub(crate) fn new(kv: KvStore) -> Self {
        Self(kv)
    }

    /// Until when an address is banned.
    pub(crate) async fn until(&self, address: &str) -> Result<Option<Instant>, KvFailed> {
        let stored = self
            .0
            .get(&key(address))
            .text()
            .await
            .map_err(|_| KvFailed)?;
        Ok(stored.and_then(|until| until.parse().ok()).map(Instant))
    }

    /// Bans an address.
    pub(crate) async fn put(&self, address: &str, until: Instant) -> Result<(), KvFailed> {
        let put = self
            .0
            .put(&key(address), until.0.to_string())
            .map_err(|_| KvFailed)?;
        let seconds = u64::try_from(BAN_MS.div_euclid(1000)).unwrap_or(0);
        put.expiration_ttl(seconds)
            .execute()
            .await
            .map_err(|_| KvFailed)
    }
}

fn key(address: &str) -> String {
    format!("ban:{address}")
}
