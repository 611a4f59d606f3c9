//! Sessions: how long they last, and what is stored (interface: Session control).

use overturn_core::base::id::SessionId;
use overturn_core::base::instant::Instant;
use overturn_core::names;
use serde::Deserialize;

/// A session ends after 30 minutes without use.
pub const IDLE_MS: i64 = 30 * 60_000;
/// A session ends after 24 hours, regardless of use.
pub const LONGEST_MS: i64 = 24 * 3_600_000;
/// How old the stored time of a session's last use may be: one write per minute, not one per request. The idle time
/// counts from the stored time, so a session ends after 29 to 30 minutes without use, never later.
pub const SEEN_LAG_MS: i64 = 60_000;
/// How long a confirmed second factor is valid for sensitive actions: 10 minutes.
pub const VERIFIED_MS: i64 = 10 * 60_000;

names! {
    SessionKind {
        /// Full rights of its person.
        Full = "full",
        /// The account has no second factor yet: it may enroll one and nothing else.
        Enrolment = "enrolment",
    }
}

/// The stored facts about a session.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredSession {
    pub id: SessionId,
    pub kind: SessionKind,
    /// The epoch of its account when it was made, see [`crate::auth::person::StoredPerson::epoch`].
    pub epoch: i64,
    /// When it ends in any case.
    pub ends_at: Instant,
    /// When it was last used, at most [`SEEN_LAG_MS`] ago when it was stored.
    pub seen_at: Instant,
    /// When its second factor was last confirmed.
    pub verified_at: Option<Instant>,
    pub revoked: bool,
    /// Whether it began by a provider that the practice trusts.
    pub sso: bool,
}

impl StoredSession {
    /// True if the session is still active.
    #[must_use]
    pub const fn lasts(&self, now: Instant) -> bool {
        !self.revoked && now.0 < self.ends_at.0 && now.since(self.seen_at) < IDLE_MS
    }

    /// True if its second factor was confirmed recently enough for a sensitive action.
    #[must_use]
    pub fn is_verified(&self, now: Instant) -> bool {
        self.verified_at.is_some_and(|at| now.since(at) < VERIFIED_MS)
    }

    /// True if it began so recently that its first factor need not be shown again.
    #[must_use]
    pub const fn is_new(&self, now: Instant) -> bool {
        now.since(self.ends_at.plus(-LONGEST_MS)) < VERIFIED_MS
    }

    /// True if the stored time of last use is too old.
    #[must_use]
    pub const fn lags(&self, now: Instant) -> bool {
        now.since(self.seen_at) >= SEEN_LAG_MS
    }

    /// Records a use that KV knows and the database does not know yet. A time in the future is ignored.
    pub fn seen(&mut self, at: Instant, now: Instant) {
        if at <= now {
            self.seen_at = self.seen_at.max(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const NOW: Instant = Instant(1_800_000_000_000);

    fn session() -> StoredSession {
        StoredSession {
            id: SessionId(Uuid::from_u128(1)),
            kind: SessionKind::Full,
            epoch: 1,
            ends_at: NOW.plus(LONGEST_MS),
            seen_at: NOW,
            verified_at: Some(NOW),
            revoked: false,
            sso: false,
        }
    }

    #[test]
    fn a_session_ends_when_it_is_idle_old_or_revoked() {
        assert_eq!((IDLE_MS, LONGEST_MS), (1_800_000, 86_400_000));
        assert!(session().lasts(NOW.plus(IDLE_MS - 1)));
        assert!(!session().lasts(NOW.plus(IDLE_MS)));
        let used = StoredSession { seen_at: NOW.plus(LONGEST_MS - 1), ..session() };
        assert!(used.lasts(NOW.plus(LONGEST_MS - 1)));
        assert!(!used.lasts(NOW.plus(LONGEST_MS)));
        let revoked = StoredSession { revoked: true, ..session() };
        assert!(!revoked.lasts(NOW));
    }

    #[test]
    fn a_second_factor_is_good_for_ten_minutes() {
        assert!(session().is_verified(NOW.plus(599_999)));
        assert!(!session().is_verified(NOW.plus(600_000)));
        let never = StoredSession { verified_at: None, ..session() };
        assert!(!never.is_verified(NOW));
    }

    #[test]
    fn a_use_is_written_down_once_a_minute() {
        assert!(!session().lags(NOW.plus(59_999)));
        assert!(session().lags(NOW.plus(60_000)));
    }

    #[test]
    fn a_later_use_counts_and_one_that_is_older_or_to_come_does_not() {
        let mut seen = session();
        for (at, expected) in [(-5, 0), (5, 5), (3, 5), (7, 5)] {
            seen.seen(NOW.plus(at), NOW.plus(6));
            assert_eq!(seen.seen_at, NOW.plus(expected));
        }
    }
}
