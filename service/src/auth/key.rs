//! Decides whether an API key may make a call. Only this module defines the order of the checks.

use crate::auth::disclosure::{self, PracticeState};
use crate::auth::scope::{Scope, Scopes};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use overturn_core::base::id::{ApiKeyId, PracticeId};
use overturn_core::base::instant::Instant;
use serde::Deserialize;

/// How old the stored time of a key's last use may be. There is at most one write per this many milliseconds, not one
/// per request.
pub const LAST_USED_LAG_MS: i64 = 5 * 60_000;

/// The stored facts about a presented key and its practice.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "StoredKey")]
pub struct Credential {
    /// The practice that the key acts for.
    pub practice_id: PracticeId,
    pub api_key_id: ApiKeyId,
    pub scopes: Scopes,
    pub expires_at: Instant,
    pub revoked: bool,
    /// The stored time of its last use.
    pub last_used_at: Option<Instant>,
    /// Whether the practice is active.
    pub practice_state: PracticeState,
    /// Whether the practice has a signed agreement in force, or is a sandbox.
    pub baa_signed: bool,
    /// True if the practice's appeal button is on.
    pub appeal_button: bool,
    /// How far the clock of a sandbox is ahead, in milliseconds; `None` for a live practice.
    pub clock_ms: Option<i64>,
}

/// A key as the database has it.
#[derive(Deserialize)]
struct StoredKey {
    practice_id: PracticeId,
    api_key_id: ApiKeyId,
    scopes: String,
    expires_at: Instant,
    revoked: u8,
    last_used_at: Option<Instant>,
    practice_state: String,
    baa_signed: u8,
    appeal_button: u8,
    clock_ms: Option<i64>,
}

impl From<StoredKey> for Credential {
    fn from(stored: StoredKey) -> Self {
        Self {
            practice_id: stored.practice_id,
            api_key_id: stored.api_key_id,
            scopes: Scopes::parse(&stored.scopes),
            expires_at: stored.expires_at,
            revoked: stored.revoked != 0,
            last_used_at: stored.last_used_at,
            practice_state: PracticeState::stored(&stored.practice_state),
            baa_signed: stored.baa_signed != 0,
            appeal_button: stored.appeal_button != 0,
            clock_ms: stored.clock_ms,
        }
    }
}

impl Credential {
    /// True if the key is neither revoked nor expired.
    #[must_use]
    pub fn is_in_force(&self, now: Instant) -> bool {
        !self.revoked && now < self.expires_at
    }
}

/// A caller that passed every check. Only [`authorise`] makes one, and every plan needs one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The practice that every statement of the request names.
    pub practice_id: PracticeId,
    /// The key, the actor of every change.
    pub api_key_id: ApiKeyId,
    /// The scope that the call needs. The writing batch checks it again.
    pub scope: Scope,
    /// True if the practice's appeal button is on.
    pub appeal_button: bool,
    /// True if the practice is a sandbox.
    pub sandbox: bool,
    /// True if the stored time of last use is too old.
    pub touch: bool,
    /// When the key ends, in a sandbox by its clock.
    pub expires_at: Instant,
}

/// Checks key, limit, scope, practice and agreement, in this order.
///
/// `limit` is the limiter's answer, `None` if limits are off.
///
/// # Errors
///
/// The first check that fails, as its [`RequestError`].
pub fn authorise(
    credential: Option<&Credential>,
    limit: Option<Verdict>,
    scope: Scope,
    now: Instant,
) -> Result<Caller, RequestError> {
    let held = credential.filter(|key| key.is_in_force(now)).ok_or(RequestError::NotAuthenticated)?;
    if let Some(verdict) = limit.filter(|verdict| !verdict.allowed) {
        return Err(RequestError::RateLimited(verdict));
    }
    if !held.scopes.allow(scope) {
        return Err(RequestError::MissingScope(scope.name()));
    }
    disclosure::allowed(held.practice_state, held.baa_signed)?;
    Ok(Caller {
        practice_id: held.practice_id,
        api_key_id: held.api_key_id,
        scope,
        appeal_button: held.appeal_button,
        sandbox: held.clock_ms.is_some(),
        touch: held.last_used_at.is_none_or(|at| now.since(at) >= LAST_USED_LAG_MS),
        expires_at: held.expires_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::credential;

    const NOW: Instant = Instant(1_800_000_000_000);

    fn refused() -> Verdict {
        Verdict { allowed: false, limit: 60, remaining: 0, reset: 1_800_000_060, retry_after: 60 }
    }

    #[test]
    fn of_several_failures_the_first_in_order_is_the_answer() {
        for failing in 0..1_u8 << 7 {
            let fails = |check: u8| failing & 1 << check != 0;
            let held = Credential {
                revoked: fails(1),
                expires_at: NOW.plus(i64::from(!fails(2))),
                scopes: Scopes::of(if fails(4) { &[Scope::ClaimsRead] } else { &[Scope::ClaimsWrite] }),
                practice_state: if fails(5) { PracticeState::Inactive } else { PracticeState::Active },
                baa_signed: !fails(6),
                ..credential(NOW)
            };
            let verdict = Verdict { allowed: !fails(3), ..refused() };
            let held = (!fails(0)).then_some(held);
            let found = authorise(held.as_ref(), Some(verdict), Scope::ClaimsWrite, NOW);
            let expected = match (0..7).find(|check| fails(*check)) {
                Some(0..=2) => Err(RequestError::NotAuthenticated),
                Some(3) => Err(RequestError::RateLimited(refused())),
                Some(4) => Err(RequestError::MissingScope("claims:write")),
                Some(5) => Err(RequestError::PracticeInactive),
                Some(_) => Err(RequestError::BaaRequired),
                None => Ok(()),
            };
            assert_eq!(found.map(drop), expected, "{failing:07b}");
        }
    }

    #[test]
    fn a_caller_is_the_practice_and_the_key_of_its_credential() {
        for scope in Scope::ALL {
            for appeal_button in [true, false] {
                let held = Credential {
                    scopes: Scopes::of(&[scope]),
                    appeal_button,
                    last_used_at: Some(NOW),
                    ..credential(NOW)
                };
                let expected = Caller {
                    practice_id: held.practice_id,
                    api_key_id: held.api_key_id,
                    scope,
                    appeal_button,
                    sandbox: false,
                    expires_at: held.expires_at,
                    touch: false,
                };
                assert_eq!(authorise(Some(&held), None, scope, NOW), Ok(expected));
            }
        }
    }

    #[test]
    fn the_last_use_is_written_once_it_lags_and_not_before() {
        let touched = |last_used_at| {
            let held = Credential { last_used_at, ..credential(NOW) };
            authorise(Some(&held), None, Scope::ClaimsRead, NOW).unwrap().touch
        };
        assert_eq!(LAST_USED_LAG_MS, 300_000);
        assert!(touched(None));
        assert!(touched(Some(NOW.plus(-LAST_USED_LAG_MS))));
        assert!(!touched(Some(NOW.plus(1 - LAST_USED_LAG_MS))));
        assert!(!touched(Some(NOW.plus(60_000))));
    }
}
