//! The possible moves of a claim, who may make them, and their fields: one table.

use crate::claims::status::ClaimStatus::{self, Closed, InAppeal, InReport, Received, Recovered, Reviewing};

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
