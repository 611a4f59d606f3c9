//! `…/claims/{id}/take` and `POST /api/v1/staff/claims/take`: takes one claim, or several.

use super::moves;
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::Event;
use crate::plan::change::Change;
use crate::plan::claim_changes::settle;
use crate::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::several::{self, FoundClaim, RawSeenClaim, SeenClaim};
use crate::request::body::{List, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use alloc::vec::Vec;

object! {
    /// The body that takes several claims, unchecked.
    RawTaken { claims: List<RawSeenClaim<'a>>, }
}

/// Takes a claim, also from another staff member. A received claim becomes `reviewing`.
///
/// # Errors
///
/// [`RequestError::Stuck`] for a claim whose appeal has ended.
pub fn take(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let change = taken(practice_id, stored, person)?;
    Ok(settle(Event::ClaimTaken, stored, change, ctx))
}

fn taken(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    person: &Person,
) -> Result<ClaimChange, RequestError> {
    let status = moves::taken(stored.status)?;
    let change = ClaimChange::of(practice_id, stored, ClaimEventKind::Taken).to(status);
    Ok(change.set(ClaimEdit {
        taken_by: Some(Some(person.user_id)),
        ..ClaimEdit::default()
    }))
}

/// Reads `{claims: [{practice_id, id, version}]}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<Vec<SeenClaim>, RequestError> {
    let raw: RawTaken<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let claims = several::read(&mut p, raw.claims);
    p.settle(claims)
}

/// Takes each of several claims, as [`take`] does.
#[must_use]
pub fn take_all(asked: &[SeenClaim], found: Vec<FoundClaim>, person: &Person, ctx: &Ctx) -> Change {
    let event = (Event::ClaimTaken, ctx);
    several::decide(event, asked, found, |_, practice, stored| {
        taken(practice, stored, person).map(Some)
    })
}

#[cfg(test)]
mod tests;
