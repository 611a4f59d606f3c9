//! IP bans and the last uses of sessions, in caches of the host.
//!
//! A cache is eventually consistent, so it may only deny or speed up. The counter that made a ban finds it even before it
//! has spread. The database decides about a session. Nothing is ever allowed because a cache says so.

use crate::auth::session::IDLE_MS;
use crate::host::{Host, PlatformError};
use overturn_core::base::id::SessionId;
use overturn_core::base::instant::Instant;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::time::Duration;

/// How long a ban lasts (interface: edge limits per IP).
pub(crate) const BAN_MS: i64 = 300_000;

/// The bans that every instance shares.
pub(crate) struct Bans(Rc<Host>);

impl Bans {
    pub(crate) fn new(host: Rc<Host>) -> Self {
        Self(host)
    }

    /// When the ban of an address ends.
    pub(crate) async fn until(&self, address: &str) -> Result<Option<Instant>, PlatformError> {
        let stored = self.0.bans.get(&key(address)).await?;
        Ok(stored.and_then(|until| until.parse().ok()).map(Instant))
    }

    /// Bans an address.
    pub(crate) async fn put(&self, address: &str, until: Instant) -> Result<(), PlatformError> {
        let kept = Duration::from_millis(BAN_MS.unsigned_abs());
        let key = key(address);
        self.0.bans.put(&key, until.0.to_string(), kept).await
    }
}

fn key(address: &str) -> String {
    format!("ban:{address}")
}

/// The recently used sessions. The entries expire on their own.
pub(crate) struct Sessions(Rc<Host>);

/// How long an answer waits for the cache, which is only a help. The database has the rest.
const TIME_OUT: Duration = Duration::from_secs(1);

/// The last use of a session, beside the database. It keeps a session active if its use could not be written to the
/// database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LastUse {
    pub(crate) id: SessionId,
    pub(crate) seen_at: Instant,
}

impl Sessions {
    pub(crate) fn new(host: Rc<Host>) -> Self {
        Self(host)
    }

    /// When the session with this token hash was last used, if the cache knows.
    pub(crate) async fn seen(&self, hash: &str) -> Result<Option<LastUse>, PlatformError> {
        let key = session(hash);
        let stored = self.0.within(TIME_OUT, self.0.sessions.get(&key)).await;
        let stored = stored.ok_or(PlatformError)??;
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Records a use.
    pub(crate) async fn put(&self, hash: &str, seen: LastUse) -> Result<(), PlatformError> {
        let text = serde_json::to_string(&seen).map_err(|_| PlatformError)?;
        let kept = Duration::from_millis(IDLE_MS.unsigned_abs());
        self.0.sessions.put(&session(hash), text, kept).await
    }

    /// Deletes a session's entry.
    pub(crate) async fn delete(&self, hash: &str) -> Result<(), PlatformError> {
        self.0.sessions.delete(&session(hash)).await
    }
}

fn session(hash: &str) -> String {
    format!("session:{hash}")
}
