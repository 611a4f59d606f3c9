//! The possible moves of a claim, who may make them, and their fields: one table.

use crate::base::id::UserId;
use crate::claims::ClaimStatus::{self, Closed, InAppeal, InReport, Received, Recovered, Reviewing};
use crate::request::problem::Rule;
use overturn_service::plan::work::claim::{ClaimState, stuck};
use overturn_service::request::error::RequestError;
use overturn_service::request::reason::Reason;

/// Who may make a move. Only staff move claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// Any staff member.
    Anybody,
    /// The staff member who has taken the claim.
    Holder,
}

/// What a move needs besides the claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Nothing,
    /// A report with the claim.
    Report,
    /// A case with the claim.
    Case,
    /// The payer's payment.
    Amount,
    /// The reason why the claim is closed.
    Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The current status.
    pub from: ClaimStatus,
    /// The new status.
    pub to: ClaimStatus,
    /// Who may make it.
    pub by: Mover,
    /// What it needs.
    pub needs: Needs,
}

const fn to(from: ClaimStatus, to: ClaimStatus, by: Mover, needs: Needs) -> Move {
    Move { from, to, by, needs }
}

/// Every move. No status is final: an appeal that ended can go to the next level, and a claim that was closed in review
/// can go back to it.
pub const MOVES: [Move; 12] = [
    to(Received, Reviewing, Mover::Anybody, Needs::Nothing),
    to(Reviewing, InReport, Mover::Anybody, Needs::Report),
    to(Reviewing, InAppeal, Mover::Anybody, Needs::Case),
    to(Reviewing, Received, Mover::Holder, Needs::Nothing),
    to(Reviewing, Closed, Mover::Holder, Needs::Reason),
    to(InReport, InAppeal, Mover::Anybody, Needs::Case),
    to(InReport, Reviewing, Mover::Anybody, Needs::Nothing),
    to(InAppeal, Recovered, Mover::Holder, Needs::Amount),
    to(InAppeal, Closed, Mover::Holder, Needs::Reason),
    to(Recovered, InAppeal, Mover::Anybody, Needs::Case),
    to(Closed, InAppeal, Mover::Anybody, Needs::Case),
    to(Closed, Reviewing, Mover::Anybody, Needs::Nothing),
];

/// The statuses that can come next.
pub fn next(from: ClaimStatus) -> impl Iterator<Item = ClaimStatus> {
    let steps = MOVES.iter().filter(move |step| step.from == from);
    steps.map(|step| step.to)
}

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
/// [`RequestError::Stuck`] for a claim that is not recovered.
pub fn can_correct(status: ClaimStatus) -> Result<(), RequestError> {
    match status {
        Recovered => Ok(()),
        other => Err(stuck(other)),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_moves_are_those_of_the_decision() {
        let next = |from| -> Vec<_> { next(from).collect() };
        assert_eq!(next(Received), [Reviewing]);
        assert_eq!(next(Reviewing), [InReport, InAppeal, Received, Closed]);
        assert_eq!(next(InReport), [InAppeal, Reviewing]);
        assert_eq!(next(InAppeal), [Recovered, Closed]);
        assert_eq!(next(Recovered), [InAppeal]);
        assert_eq!(next(Closed), [InAppeal, Reviewing]);
    }

    #[test]
    fn a_status_says_what_it_takes_to_get_there() {
        for step in MOVES {
            let needs = match step.to {
                InReport => Needs::Report,
                InAppeal => Needs::Case,
                Recovered => Needs::Amount,
                Closed => Needs::Reason,
                Received | Reviewing => Needs::Nothing,
            };
            assert_eq!(step.needs, needs, "{step:?}");
        }
    }

    #[test]
    fn every_status_is_reached_from_the_first_and_none_moves_to_itself() {
        let mut reached = Vec::from([Received]);
        let mut at = 0;
        while let Some(status) = reached.get(at).copied() {
            at += 1;
            for to in next(status) {
                assert_ne!(to, status);
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        assert_eq!(reached.len(), ClaimStatus::ALL.len());
    }
}
