//! Continuation tokens: a `402` hands one out, and it is valid for one second factor.

use crate::plan::Write;
use crate::request::secret::ContinuationToken;
use crate::sql::sql;
use overturn_core::base::id::{SessionId, SsoProviderId, UserId};
use overturn_core::base::instant::Instant;

/// The life of a continuation token: 5 minutes.
pub(crate) const CONTINUATION_MS: i64 = 5 * 60_000;

/// What waits for the second factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    /// The account that passed its first factor.
    pub(crate) user_id: UserId,
    /// Its epoch at that time.
    pub(crate) epoch: i64,
    /// The session that must confirm the second factor again; `None` at sign-in.
    pub(crate) session_id: Option<SessionId>,
    /// The provider that the first factor came from, if the practice trusts it.
    pub(crate) sso: Option<SsoProviderId>,
    pub(crate) expires_at: Instant,
}

impl Continuation {
    /// Begins to wait for the second factor with this token, and deletes the account's expired continuations.
    pub(crate) fn begin(self, token: &ContinuationToken, now: Instant) -> [Write; 2] {
        let Self { user_id: user, epoch, session_id: session, sso, expires_at } = self;
        [
            sql!("DELETE FROM continuations WHERE user_id = {user} AND expires_at <= {now}"; user, now),
            sql!(
                "INSERT INTO continuations (hash, user_id, epoch, session_id, expires_at, sso)
                 VALUES ({hash}, {user}, {epoch}, {session}, {expires_at}, {sso}) ON CONFLICT (hash) DO NOTHING";
                hash = token.hash(), user, epoch, session, expires_at, sso
            ),
        ]
    }
}
