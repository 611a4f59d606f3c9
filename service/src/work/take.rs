//! `…/claims/{id}/take` and `POST /api/v1/staff/claims/take`: takes one claim or several, or gives them to a colleague.

use crate::accounts::account::in_use;
use crate::call::Call;
use crate::claim_changes::{
    self, ClaimAnswer, ClaimChange, ClaimEdit, ClaimResults, Claims, FoundClaim, SeenClaim, decide_each, settle,
};
use crate::extract::{InPractice, MaybeBody};
use crate::pipeline::OfPractices;
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::moves;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Id, Optional};
use overturn_core::base::id::{ClaimId, UserId};
use overturn_core::request::problem::Rule;

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

/// A staff member who works on claims; `None` if the account is not one. The list of colleagues has the same accounts.
pub(super) fn worker(id: UserId) -> Query<Option<Worker>> {
    select!(
        "work.worker",
        "SELECT json_object('id', id, 'epoch', epoch) AS json FROM users
         WHERE id = {id} AND practice_id IS NULL AND role = 'staff' AND state = 'active'"; id
    )
    .optional()
}

/// `takeClaim`: Take a claim, or give it to a colleague.
///
/// Staff only. You can also take a claim from a colleague. With `user_id`, that colleague gets the claim instead of
/// you. A claim that is `received` becomes `reviewing`. If its appeal has ended, the answer is `409`.
pub(crate) async fn take(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<MaybeBody<ToTake>>,
) -> Result<Gives<ClaimAnswer>, AppError> {
    let user = request.body().ok().and_then(|MaybeBody(to)| to.user_id);
    let request = request.naming(user);
    let load = (claim_changes::claim(practice, id), user.map(worker));
    let decide = request.change(load, |person, (stored, worker), MaybeBody(to)| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        taken(practice, &stored, (to.user_id, worker.flatten()), person, request.ctx())
    });
    decide.await
}

/// `takeClaims`: Take several claims, or give them to a colleague.
///
/// Staff only. Each claim is decided alone, as `takeClaim` does it, and `version` takes the place of `If-Match`.
/// `user_id` is the colleague who gets all of them. If the colleague does not work on claims, nothing is changed.
/// The claims may belong to several practices. Everything that can be done is done at once. `results` has one entry
/// for each claim, in the order sent. A claim that cannot be taken does not keep the others from it, so read each
/// `status`. Each claim may be named once.
pub(crate) async fn take_all(request: WriteRequest<SeveralToTake>) -> Result<Gives<ClaimResults>, AppError> {
    let user = request.body().ok().and_then(|named| named.user_id);
    let request = request.naming(user);
    let needs = |_: &Call, named: Option<&SeveralToTake>| {
        let claims = named.map(|named| claim_changes::found(&named.claims));
        Ok(((claims, user.map(worker)), Vec::new(), ()))
    };
    let decide = request.change_several(needs, |call, person, ((found, worker), ()), named| {
        all_taken(&named, (found.unwrap_or_default(), worker.flatten()), person, &call.ctx)
    });
    decide.await
}

impl OfPractices for SeveralToTake {
    fn records(&self) -> Vec<(PracticeId, ClaimId)> {
        claim_changes::records(&self.claims)
    }

    fn only(self, places: &[usize]) -> Self {
        Self { claims: claim_changes::only(self.claims, places), ..self }
    }
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
        Ok(Self { user, event: Event::ClaimAssigned, guard: Some(in_use(user, epoch).of_staff()) })
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
pub(super) fn taken(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    (asked, found): (Option<UserId>, Option<Worker>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let receiver = Receiver::of(asked, found, person)?;
    let change = receiver.takes(practice_id, stored)?;
    let settled = settle(receiver.event, stored, change, person, ctx);
    Ok(receiver.guarded(settled))
}

/// Takes each of several claims.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the colleague does not work on claims.
pub fn all_taken(
    SeveralToTake { user_id: user, claims: asked }: &SeveralToTake,
    (found, worker): (Vec<FoundClaim>, Option<Worker>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let receiver = Receiver::of(*user, worker, person)?;
    let change = decide_each((receiver.event, person, ctx), asked, found, |_, practice, stored| {
        receiver.takes(practice, stored).map(Some)
    });
    Ok(receiver.guarded(change))
}

#[cfg(test)]
mod tests;
