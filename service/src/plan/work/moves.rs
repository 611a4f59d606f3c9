//! Whether a staff member may move a claim, by the table of the moves.

use crate::plan::work::claim::{ClaimState, stuck};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use overturn_core::base::id::UserId;
use overturn_core::claims::ClaimStatus::{self, Closed, InAppeal, InReport, Received, Recovered, Reviewing};
use overturn_core::claims::moves::{MOVES, Move, Mover};
use overturn_core::request::problem::Rule;

/// Finds the move of a claim to a status, by a staff member.
///
/// # Errors
///
/// [`RequestError::Stuck`] with the claim's status if there is no such move, or another person has taken the claim.
pub fn find(claim: ClaimState, to: ClaimStatus, by: UserId) -> Result<&'static Move, RequestError> {
    let found = MOVES
        .iter()
        .find(|step| step.from == claim.status && step.to == to)
        // Only a claim that was closed in review goes back to it. A case has the others.
        .filter(|_| (claim.status, to) != (Closed, Reviewing) || !claim.was_appealed)
        .ok_or_else(|| stuck(claim.status))?;
    if found.by == Mover::Holder && claim.taken_by != Some(by) {
        let reason = match claim.taken_by {
            Some(_) => Reason::TakenByOther,
            None => Reason::NotTaken,
        };
        let rule = Rule::TakeFirst(claim.status.name());
        return Err(RequestError::stuck(reason, "status", rule));
    }
    Ok(found)
}

/// Checks that staff can correct the payment of a claim. Any staff member can: a claim whose appeal ended cannot be taken, so
/// a correction would wait for a person who has left.
///
/// # Errors
///
/// [`RequestError::Stuck`] for a claim without a payment.
pub fn can_correct(claim: ClaimState) -> Result<(), RequestError> {
    if claim.was_paid { Ok(()) } else { Err(stuck(claim.status)) }
}

/// The status of a claim once a staff member has taken it.
///
/// # Errors
///
/// [`RequestError::Stuck`] for a claim whose appeal has ended.
pub fn taken(status: ClaimStatus) -> Result<ClaimStatus, RequestError> {
    match status {
        Received => Ok(Reviewing),
        open @ (Reviewing | InReport | InAppeal) => Ok(open),
        ended @ (Recovered | Closed) => Err(stuck(ended)),
    }
}
