//! IP bans and the last uses of sessions, in KV.
//!
//! KV is eventually consistent, so it may only deny or speed up. The counter that made a ban finds it even before it
//! has spread. The database decides about a session. Nothing is ever allowed because KV says so.

use crate::platform;
use overturn_core::auth::session::IDLE_MS;
use overturn_core::base::id::SessionId;
use overturn_core::base::instant::Instant;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use worker::KvStore;

/// How long a ban lasts (interface: edge limits per IP).
pub(crate) const BAN_MS: i64 = 300_000;

/// The bans that every isolate shares.
pub(crate) struct Bans(KvStore);

/// KV did not answer. The error has no cause, because its text could hold the key, which has an IP address or the hash
/// of a session.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("KV did not answer")]
pub(crate) struct KvError;

/// The cause stays out: its text can hold the key, which has an address or the hash of a session.
fn unanswered<E>(_: E) -> KvError {
    KvError
}

impl Bans {
    pub(crate) fn new(kv: KvStore) -> Self {
        Self(kv)
    }

    /// When the ban of an address ends.
    pub(crate) async fn until(&self, address: &str) -> Result<Option<Instant>, KvError> {
        let stored = self.0.get(&key(address)).text().await.map_err(unanswered)?;
        Ok(stored.and_then(|until| until.parse().ok()).map(Instant))
    }

    /// Bans an address.
    pub(crate) async fn put(&self, address: &str, until: Instant) -> Result<(), KvError> {
        let put = self
            .0
            .put(&key(address), until.0.to_string())
            .map_err(unanswered)?;
        let seconds = u64::try_from(BAN_MS.div_euclid(1000)).unwrap_or(0);
        put.expiration_ttl(seconds)
            .execute()
            .await
            .map_err(unanswered)
    }
}

fn key(address: &str) -> String {
    format!("ban:{address}")
}

/// The recently used sessions. The entries expire on their own.
pub(crate) struct Sessions(KvStore);

/// How long an answer waits for KV. KV is only a help; the database has the rest.
const PATIENCE: Duration = Duration::from_secs(1);

/// The last use of a session, beside the database. It keeps a session active if its use could not be written to the
/// database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LastUse {
    pub(crate) id: SessionId,
    pub(crate) seen_at: Instant,
}

impl Sessions {
    pub(crate) fn new(kv: KvStore) -> Self {
        Self(kv)
    }

    /// When the session with this token hash was last used, if KV knows.
    pub(crate) async fn seen(&self, hash: &str) -> Result<Option<LastUse>, KvError> {
        let key = session(hash);
        let stored = platform::within(PATIENCE, self.0.get(&key).text()).await;
        let stored = stored.ok_or(KvError)?.map_err(unanswered)?;
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Records a use.
    pub(crate) async fn put(&self, hash: &str, seen: LastUse) -> Result<(), KvError> {
        let text = serde_json::to_string(&seen).map_err(unanswered)?;
        let put = self.0.put(&session(hash), text).map_err(unanswered)?;
        let seconds = u64::try_from(IDLE_MS.div_euclid(1000)).unwrap_or(0);
        let put = put.expiration_ttl(seconds).execute();
        put.await.map_err(unanswered)
    }

    /// Deletes a session's entry.
    pub(crate) async fn delete(&self, hash: &str) -> Result<(), KvError> {
        let deleted = self.0.delete(&session(hash)).await;
        deleted.map_err(unanswered)
    }
}

fn session(hash: &str) -> String {
    format!("session:{hash}")
}
