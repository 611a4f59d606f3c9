//! `PATCH …/claims/{id}/amount`: corrects the recorded payment of a recovered claim, without another appeal.

use super::moves;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::base::money::Cents;
use crate::plan::audit::Event;
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::settle;
use crate::plan::work::appeal::{LevelResult, LevelWrite, Paid};
use crate::plan::work::change::{ClaimAnswer, ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::records::CaseOutcome;
use crate::plan::{WorkWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Amount;
use crate::request::error::RequestError;

body! {
    PaidAmount { amount_recovered: Amount }
}

/// Corrects the payment where it was recorded: at its level, in its case and on the claim. It stays as old as it is, so no
/// other payment counts instead.
///
/// # Errors
///
/// Those of [`moves::can_correct`].
pub fn correct(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    amount: Cents,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    moves::can_correct(stored.status)?;
    let case_id = stored.case_id;
    let recorded = case_id.and_then(|case_id| stored.appeal.paid_in(case_id));
    if recorded.is_some_and(|(_, paid)| paid.amount == amount) {
        return Ok(Change::nothing(Answer::new(200, &ClaimAnswer::of(stored))));
    }
    let of = ClaimChange::of(practice_id, stored, ClaimEventKind::AmountCorrected);
    let change = of.set(ClaimEdit { recovered_cents: Some(Some(amount)), ..ClaimEdit::default() });
    let at_level = case_id.zip(recorded).map(|(case_id, (level, paid))| {
        WorkWrite::ClaimLevels(LevelWrite {
            practice_id,
            case_id,
            level,
            what: LevelResult::Paid(stored.id, Some(Paid { amount, ..paid })),
        })
    });
    let outcome = case_id.map(|case_id| {
        WorkWrite::CaseOutcome(CaseOutcome {
            practice_id,
            case_id,
            claim_id: stored.id,
            outcome: stored.status,
            amount: Some(amount),
            reason: None,
        })
    });
    let settled = settle(Event::AmountCorrected, stored, change, ctx);
    let writes = at_level.into_iter().chain(outcome).map(Write::Work);
    Ok(writes.fold(settled, Change::write))
}

#[cfg(test)]
mod tests;
