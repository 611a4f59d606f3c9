//! What a staff member may do with a claim or a case now. The answers use the rules that decide the actions, so they
//! cannot differ from them.

use crate::plan::work::claim::ClaimState;
use crate::plan::work::moves;
use crate::prelude::*;
use crate::work::{letter, levels};
use overturn_core::base::id::UserId;
use overturn_core::claims::ClaimStatus::{self, Closed, InAppeal, InReport, Received, Recovered, Reviewing};
use overturn_core::claims::appeal::level::Level;

names! {
    ClaimAction {
        /// Take it, also from a colleague.
        Take = "take",
        /// Move it back to `received`.
        LetGo = "let_go",
        /// Move it to `reviewing`.
        Review = "review",
        /// Write a note about it.
        Note = "note",
        /// Record what the payer's letter says.
        SetLetter = "set_letter",
        /// Decide whether the patient has to sign.
        DecideSigning = "decide_signing",
        /// Revoke the link to the signing page.
        RevokeLink = "revoke_link",
        /// Deliver it in a report.
        Report = "report",
        /// Move it into a case of its own.
        OpenCase = "open_case",
        /// Move it into an open case for the first time.
        JoinCase = "join_case",
        /// Move it to `recovered`.
        Recover = "recover",
        /// Move it to `closed`.
        Close = "close",
        /// Move it back to `in_appeal` after its appeal ended.
        Reopen = "reopen",
        /// Correct the amount that the payer paid, whoever has the claim.
        CorrectAmount = "correct_amount",
    }
}

names! {
    CaseAction {
        /// Begin its next level.
        BeginLevel = "begin_level",
        /// Record facts about a level.
        EditLevel = "edit_level",
        /// Attach a document.
        Attach = "attach",
        /// Record the result of a claim of the case that the caller has.
        Recover = "recover",
        /// Record a decision of the payer, with the results of its claims.
        Decide = "decide",
    }
}

/// What a staff member may do with a claim. `has_link` says whether it has a signing link that was neither revoked nor
/// used.
pub(crate) fn on_claim(claim: ClaimState, has_link: bool, by: UserId) -> Vec<ClaimAction> {
    let moves = |to: ClaimStatus| moves::find(claim, to, by).is_ok();
    let ended = matches!(claim.status, Recovered | Closed);
    let allowed = |action: &ClaimAction| match action {
        ClaimAction::Take => moves::taken(claim.status).is_ok(),
        ClaimAction::LetGo => moves(Received),
        ClaimAction::Review => moves(Reviewing),
        ClaimAction::Note => true,
        ClaimAction::SetLetter => letter::is_open(claim.status).is_ok(),
        ClaimAction::DecideSigning => claim.signing_is_open().is_ok(),
        ClaimAction::RevokeLink => has_link,
        ClaimAction::Report => moves(InReport),
        ClaimAction::OpenCase => moves(InAppeal),
        ClaimAction::JoinCase => moves(InAppeal) && !ended,
        ClaimAction::Recover => moves(Recovered),
        ClaimAction::Close => moves(Closed),
        ClaimAction::Reopen => moves(InAppeal) && ended,
        ClaimAction::CorrectAmount => moves::can_correct(claim).is_ok(),
    };
    ClaimAction::ALL.into_iter().filter(allowed).collect()
}

/// What a staff member may do with a case, given its last level and the claims that are in appeal in it.
pub(crate) fn on_case(last: Option<&Level>, appealed: &[ClaimState], by: UserId) -> Vec<CaseAction> {
    let allowed = |action: &CaseAction| match action {
        CaseAction::BeginLevel => levels::obstacles(last, !appealed.is_empty()).is_empty(),
        CaseAction::EditLevel => last.is_some(),
        CaseAction::Attach => true,
        CaseAction::Recover => {
            let mut claims = appealed.iter();
            claims.any(|claim| moves::find(*claim, Recovered, by).is_ok())
        }
        CaseAction::Decide => {
            let is_open = |last: &Level| last.filed_on.is_some() && last.is_open(!appealed.is_empty());
            last.is_some_and(is_open)
        }
    };
    CaseAction::ALL.into_iter().filter(allowed).collect()
}

#[cfg(test)]
mod tests;
