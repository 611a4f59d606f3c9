//! `…/claims/{id}/take` and `POST /api/v1/staff/claims/take`: takes one claim or several, or gives them to a colleague.

use super::moves;
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{PracticeId, UserId};
use crate::plan::audit::Event;
use crate::plan::change::Change;
use crate::plan::claim_changes::settle;
use crate::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::several::{self, Claims, FoundClaim, SeenClaim};
use crate::plan::{AccountsGuard, Guard};
use crate::request::declare::body;
use crate::request::declare::kinds::{Id, Optional};
use crate::request::error::RequestError;
use crate::request::problem::Rule;
use alloc::vec::Vec;
use serde::Deserialize;

body! {
    /// The staff member who gets a claim: by default the caller.
    #[derive(Default)]
    ToTake {
        /// The staff member who gets the claim: an active one, as `listColleagues` has them. Without it, you get the claim
        /// yourself.
        user_id: Optional<Id<UserId>>,
    }
}

body! {
    SeveralToTake {
        /// The staff member who gets the claim: an active one, as `listColleagues` has them. Without it, you get the claim
        /// yourself.
        user_id: Optional<Id<UserId>>,
        /// Each claim once.
        claims: Claims<SeenClaim>,
    }
}

/// An active staff member who works on claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Worker {
    pub id: UserId,
    /// Changes when the account's rights end.
    pub epoch: i64,
}

/// Who gets claims: the caller, or a colleague.
struct Receiver {
    user: UserId,
    event: Event,
    guard: Option<Guard>,
}

impl Receiver {
    /// Whom the caller asked for, as it was found.
    fn of(asked: Option<UserId>, found: Option<Worker>, person: &Person) -> Result<Self, RequestError> {
        let Some(asked) = asked.filter(|asked| *asked != person.user_id) else {
            return Ok(Self { user: person.user_id, event: Event::ClaimTaken, guard: None });
        };
        let rule = || Rule::MustBe("a staff member who works on claims".into());
        let worker = found.filter(|found| found.id == asked);
        let worker = worker.ok_or_else(|| RequestError::invalid("user_id", rule()))?;
        let (user, epoch) = (worker.id, worker.epoch);
        Ok(Self {
            user,
            event: Event::ClaimAssigned,
            guard: Some(Guard::Accounts(AccountsGuard::InUse { user, epoch })),
        })
    }

    fn takes(&self, practice_id: PracticeId, stored: &StoredWorkClaim) -> Result<ClaimChange, RequestError> {
        let status = moves::taken(stored.status)?;
        let change = ClaimChange::of(practice_id, stored, ClaimEventKind::Taken).to(status);
        Ok(change.set(ClaimEdit { taken_by: Some(Some(self.user)), ..ClaimEdit::default() }))
    }

    /// The change with the condition that the receiver still works on claims.
    fn guarded(self, mut change: Change) -> Change {
        change.guards.extend(self.guard);
        change
    }
}

/// Takes a claim, also from another staff member, for the caller or for a colleague. A received claim becomes `reviewing`.
///
/// # Errors
///
/// [`RequestError::Stuck`] for a claim whose appeal has ended, [`RequestError::Invalid`] if the colleague does not work on
/// claims.
pub fn take(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    (asked, found): (Option<UserId>, Option<Worker>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let receiver = Receiver::of(asked, found, person)?;
    let change = receiver.takes(practice_id, stored)?;
    let settled = settle(receiver.event, stored, change, ctx);
    Ok(receiver.guarded(settled))
}

/// Takes each of several claims, as [`take`] does.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the colleague does not work on claims.
pub fn take_all(
    SeveralToTake { user_id: user, claims: asked }: &SeveralToTake,
    (found, worker): (Vec<FoundClaim>, Option<Worker>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let receiver = Receiver::of(*user, worker, person)?;
    let change = several::decide((receiver.event, ctx), asked, found, |_, practice, stored| {
        receiver.takes(practice, stored).map(Some)
    });
    Ok(receiver.guarded(change))
}

#[cfg(test)]
mod tests;
