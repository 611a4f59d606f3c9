//! `PATCH …/claims/{id}/amount`: corrects the payment of a claim where it was recorded, without another appeal.

use crate::claim_changes::{self, ClaimAnswer, ClaimChange, ClaimEdit, settle};
use crate::extract::InPractice;
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::moves;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Amount;
use crate::work::results;
use overturn_core::base::id::ClaimId;
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::Paid;

body! {
    PaidAmount { amount_recovered: Amount }
}

/// `correctAmount`: Correct the amount that the payer paid.
///
/// Staff only. Corrects the last amount of a claim where it was recorded: on the claim, in its case and at the level.
/// The claim may have been appealed further since, or closed: its status, its deadline and the amounts of other levels
/// and cases stay. Webhooks get `claim.amount_corrected`. Any staff member can correct it. A claim without an amount
/// gets `409`. The same amount changes nothing.
pub(crate) async fn correct(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<PaidAmount>,
) -> Result<Gives<ClaimAnswer>, AppError> {
    let load = claim_changes::claim(practice, id);
    let decide = request.change(load, |person, stored, paid| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        corrected(practice, &stored, paid.amount_recovered, person, request.ctx())
    });
    decide.await
}

/// Corrects the payment where it was recorded: at its level, in its case and on the claim. It stays as old as it is, so no
/// other payment counts instead.
///
/// # Errors
///
/// Those of [`moves::can_correct`].
pub(super) fn corrected(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    amount: Cents,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    moves::can_correct(stored.state())?;
    let recorded = stored.appeal.paid();
    if recorded.is_some_and(|(.., paid)| paid.amount == amount) {
        return Ok(Change::nothing(Answer::new(200, &ClaimAnswer::of(stored))));
    }
    let of = ClaimChange::of(practice_id, stored, ClaimEventKind::AmountCorrected);
    let change = of.set(ClaimEdit { recovered_cents: Some(Some(amount)), ..ClaimEdit::default() });
    let writes = recorded.map(|(case_id, level, paid)| {
        let at_level = results::paid((practice_id, case_id, level), stored.id, Some(Paid { amount, ..paid }));
        [at_level, results::corrected((practice_id, case_id, stored.id), amount)]
    });
    let settled = settle(Event::AmountCorrected, stored, change, person, ctx);
    Ok(writes.into_iter().flatten().fold(settled, Change::write))
}
