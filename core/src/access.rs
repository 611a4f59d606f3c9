//! May this key make this call? The one place that knows the order of the checks.

use crate::ctx::Instant;
use crate::denied::Denied;
use crate::id::{ApiKeyId, PracticeId};
use crate::limit::Verdict;
use crate::practice::State;
use crate::scope::{Scope, Scopes};

/// How long the stored time of a key's last use may lag behind. One write in this many milliseconds, not one a
/// request.
pub const LAST_USED_LAG_MS: i64 = 5 * 60_000;

/// What the store knows of a presented key and its practice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credential {
    /// The practice that the key acts for.
    pub practice_id: PracticeId,
    /// The key.
    pub api_key_id: ApiKeyId,
    /// What it may do.
    pub scopes: Scopes,
    /// From this instant on it is worth nothing.
    pub expires_at: Instant,
    /// Whether it was revoked.
    pub revoked: bool,
    /// The stored time of its last use.
    pub last_used_at: Option<Instant>,
    /// Whether the practice is active.
    pub practice_state: State,
    /// Whether the practice has a signed agreement in force.
    pub baa_signed: bool,
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
}

/// A caller that passed every check. Only [`authorise`] makes one, and a plan cannot be made without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The practice that every statement of the request names.
    pub practice_id: PracticeId,
    /// The key, the actor of every change.
    pub api_key_id: ApiKeyId,
    /// What the call needed, checked again in the batch that writes.
    pub scope: Scope,
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
    /// Whether the stored time of last use has fallen too far behind.
    pub touch: bool,
}

/// Checks key, limit, scope, practice and agreement, in this order.
///
/// `limit` is the limiter's answer, `None` where limits are switched off.
///
/// # Errors
///
/// The first check that fails, as its [`Denied`].
pub fn authorise(
    credential: Option<&Credential>,
    limit: Option<Verdict>,
    scope: Scope,
    now: Instant,
) -> Result<Caller, Denied> {
    let held = credential
        .filter(|key| !key.revoked && now < key.expires_at)
        .ok_or(Denied::NotAuthenticated)?;
    if let Some(verdict) = limit.filter(|verdict| !verdict.allowed) {
        return Err(Denied::RateLimited(verdict));
    }
    if !held.scopes.allow(scope) {
        return Err(Denied::MissingScope(scope));
    }
    if held.practice_state != State::Active {
        return Err(Denied::PracticeInactive);
    }
    if !held.baa_signed {
        return Err(Denied::BaaRequired);
    }
    Ok(Caller {
        practice_id: held.practice_id,
        api_key_id: held.api_key_id,
        scope,
        appeal_button: held.appeal_button,
        touch: held
            .last_used_at
            .is_none_or(|at| now.since(at) >= LAST_USED_LAG_MS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{credential, test};

    const NOW: Instant = Instant(1_800_000_000_000);

    fn refused() -> Verdict {
        Verdict {
            allowed: false,
            limit: 60,
            remaining: 0,
            reset: 1_800_000_060,
            retry_after: 60,
        }
    }

    #[test]
    fn each_check_has_its_refusal_and_an_earlier_one_wins() {
        // Every row fails one check more than the row below it.
        let good = credential(NOW);
        let no_baa = Credential {
            baa_signed: false,
            ..good.clone()
        };
        let inactive = Credential {
            practice_state: State::Inactive,
            ..no_baa.clone()
        };
        let no_scope = Credential {
            scopes: Scopes::of(&[Scope::ClaimsRead]),
            ..inactive.clone()
        };
        let expired = Credential {
            expires_at: NOW,
            ..no_scope.clone()
        };
        let revoked = Credential {
            revoked: true,
            ..no_scope.clone()
        };
        let ask =
            |held: Option<&Credential>, limit| authorise(held, limit, Scope::ClaimsWrite, NOW);

        assert_eq!(ask(None, Some(refused())), Err(Denied::NotAuthenticated));
        assert_eq!(
            ask(Some(&revoked), Some(refused())),
            Err(Denied::NotAuthenticated)
        );
        assert_eq!(
            ask(Some(&expired), Some(refused())),
            Err(Denied::NotAuthenticated)
        );
        assert_eq!(
            ask(Some(&no_scope), Some(refused())),
            Err(Denied::RateLimited(refused()))
        );
        assert_eq!(
            ask(Some(&no_scope), None),
            Err(Denied::MissingScope(Scope::ClaimsWrite))
        );
        assert_eq!(ask(Some(&inactive), None), Err(Denied::PracticeInactive));
        assert_eq!(ask(Some(&no_baa), None), Err(Denied::BaaRequired));
        assert!(ask(Some(&good), None).is_ok());
    }

    #[test]
    fn the_last_use_is_written_once_it_lags_and_not_before() {
        let touched = |last_used_at| {
            let held = Credential {
                last_used_at,
                ..credential(NOW)
            };
            authorise(Some(&held), None, Scope::ClaimsRead, NOW)
                .unwrap()
                .touch
        };
        assert!(touched(None));
        assert!(touched(Some(NOW.plus(-LAST_USED_LAG_MS))));
        assert!(!touched(Some(NOW.plus(1 - LAST_USED_LAG_MS))));
        assert!(!touched(Some(NOW.plus(60_000))));
    }
}
