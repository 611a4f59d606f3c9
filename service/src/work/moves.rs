//! `/api/v1/staff/practices/{practice}/claims/{id}`: moving a claim.

use super::cases::CaseToJoin;
use super::levels::settle::Moved;
use super::levels::{self, bounds};
use crate::claim_changes::{self, ClaimAnswer, ClaimChange, ClaimEdit, settle};
use crate::extract::InPractice;
use crate::plan::work::change::{ClaimEventKind, ClosingReason};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::moves;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Amount, Changed, Flag, Id, When, some_of};
use crate::work::cases;
use crate::work::results::{self, Ended};
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Cents;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::Paid;
use overturn_core::claims::appeal::payer_clock;
use overturn_core::claims::moves::{MOVES, Needs};
use overturn_core::request::problem::Rule;

body! {
    /// A move to a status. A field that the move does not take is ignored: an amount with a reason would otherwise be
    /// recorded in the case and not on the claim.
    #[derive(Clone, Copy, PartialEq, Eq)]
    MoveRequest {
        status: Movable,
        /// The case to appeal the claim in.
        case_id: When<Id<CaseId>> where status.is_some_and(|to| needed(to) == Needs::Case),
        amount_stands: Changed<Flag> where status.is_some_and(|to| needed(to) == Needs::Case),
        amount_recovered: When<Amount> where status.is_some_and(|to| needed(to) == Needs::Amount),
        reason: When<ClosingReason> where status.is_some_and(|to| needed(to) == Needs::Reason),
    }
}

some_of! {
    Movable: ClaimStatus = [
        ClaimStatus::Received,
        ClaimStatus::Reviewing,
        ClaimStatus::InAppeal,
        ClaimStatus::Recovered,
        ClaimStatus::Closed,
    ]
}

/// `moveClaim`: Move a claim.
///
/// Staff only. The table lists the possible moves, who may make them, and what they require:
///
/// | from | to | who | requires |
/// | --- | --- | --- | --- |
/// | `received` | `reviewing` | any staff member, who then has the claim | |
/// | `reviewing` | `received` | the person who has the claim; after that, no one has it | |
/// | `reviewing` | `in_report` | any staff member | a report, which moves all of its claims |
/// | `reviewing`, `in_report` | `in_appeal` | any staff member | a new case, which moves its claims, or the `case_id` of an open one |
/// | `in_report` | `reviewing` | any staff member, who then has the claim | |
/// | `in_appeal` | `recovered` | the person who has the claim | `amount_recovered` |
/// | `reviewing`, `in_appeal` | `closed` | the person who has the claim | `reason` |
/// | `recovered`, `closed` | `in_appeal` | any staff member | `case_id` |
/// | `closed`, if it was never appealed | `reviewing` | any staff member, who then has the claim | |
///
/// Every other move gets `409`, and the answer names the claim's status. The answer is also `409` if a level of the
/// case was filed without the claim, or its last level is decided. The claim's own appeal is still due, so open
/// another case with it. A claim that was in the case before can come back.
///
/// The deadline of a claim is the earliest date that can still be missed. Its own date counts until a level is
/// filed with the claim. The `due_on` of its case counts until that level is filed or decided. So a claim that
/// joins a case keeps its date if that is earlier. A claim that is `recovered` or `closed` has no deadline. If it
/// comes back, it has its deadline again, and webhooks get `claim.deadline_changed`.
///
/// The reasons to close a claim that is `reviewing` are `deadline_passed`, `not_appealable`, `no_grounds`,
/// `already_paid`, `sent_in_error`, `patient_declined` and `withdrawn`. Those for a claim that is `in_appeal` are
/// `denial_upheld`, `deadline_passed`, `no_grounds`, `sent_in_error`, `patient_declined` and `withdrawn`. Another
/// one gets `422`.
///
/// `amount_recovered` is the total that the payer has paid so far. It is recorded at the last level of the claim's
/// case. `correctAmount` corrects a wrong amount. If the payer paid nothing, move the claim back to `in_appeal`
/// with its `case_id`, and then to `closed`. Amounts recorded at an earlier level or in another case stay. If the
/// payer did pay the amount and the claim is appealed again at the same level, send `amount_stands: true` with the
/// move back to `in_appeal`. The amount then stays even if the claim is closed at that level. With `amount_stands:
/// false`, the amount is removed at once.
pub(crate) async fn step(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<MoveRequest>,
) -> Result<Gives<ClaimAnswer>, AppError> {
    let case = request.body().ok().and_then(|step| step.case_id);
    let case = case.map(|case| cases::joining(practice, id, case));
    let load = (claim_changes::claim(practice, id), case);
    let decide = request.change(load, |person, (stored, case), step| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        let case = cases::fitting(case.flatten());
        stepped(practice, (&stored, step), case.as_ref(), person, request.ctx())
    });
    decide.await
}

/// The fields of a move to a status. The table has the same ones for every move to it.
fn needed(to: ClaimStatus) -> Needs {
    let step = MOVES.iter().find(|step| step.to == to);
    step.map_or(Needs::Nothing, |step| step.needs)
}

/// Moves a claim to a status, and into `case` if one is given that has the claim's patient and payer.
///
/// # Errors
///
/// [`RequestError::Stuck`] if the table has no such move for this person or the case was filed without the claim,
/// [`RequestError::Invalid`] if the case has another patient or payer.
pub fn stepped(
    practice_id: PracticeId,
    (stored, step): (&StoredWorkClaim, MoveRequest),
    case: Option<&CaseToJoin>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let Moved { change, writes } = moved(practice_id, (stored, step), case, person, ctx)?;
    let filed = results::filed_as_read(practice_id, [stored].into_iter());
    let settled = settle(Event::ClaimMoved, stored, change, person, ctx).guard(filed);
    let mut settled = writes.into_iter().fold(settled, Change::write);
    Ok(match (step.status, case, stored.case_id) {
        (ClaimStatus::InAppeal, Some(case), _) => join(practice_id, stored, case, settled, (person, ctx.now)),
        (ClaimStatus::Recovered | ClaimStatus::Closed, _, Some(case_id)) => {
            // It ends at the last level that was read.
            let case = stored.appeal.case;
            let guard = case.map(|case| cases::unchanged(practice_id, case_id, case.version));
            settled.guards.extend(guard);
            settled
        }
        _ => settled,
    })
}

/// The move of a claim, with its payment and its result in its case.
///
/// # Errors
///
/// Those of [`stepped`].
pub(super) fn moved(
    practice_id: PracticeId,
    (stored, step): (&StoredWorkClaim, MoveRequest),
    case: Option<&CaseToJoin>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Moved, RequestError> {
    let found = moves::find(stored.state(), step.status, person.user_id)?;
    if found.needs == Needs::Case && case.is_none() {
        let rule = Rule::MustBe("a case of the same patient and payer".into());
        return Err(RequestError::invalid("case_id", rule));
    }
    if let Some(case) = case {
        case.takes()?;
        if case.last().is_some_and(|last| !bounds::has_step(stored, last.kind)) {
            let rule = Rule::MustBe("a case with a step that the claim's plan has".into());
            return Err(RequestError::invalid("case_id", rule));
        }
    }
    closable(stored.status, &step)?;
    let paid = paid(stored, step, case, ctx)?;
    let last = case.and_then(CaseToJoin::last);
    let is_filed = stored.appeal.is_filed(None);
    // What ended has no deadline, and what goes on has it again.
    let dated = ClaimEdit::default().due(stored, stored.appeal.due(step.status, last, is_filed, None));
    let mut change = ClaimChange::of(practice_id, stored, ClaimEventKind::Moved).to(step.status);
    change.set = match step.status {
        ClaimStatus::Received => ClaimEdit { taken_by: Some(None), ..dated },
        ClaimStatus::Reviewing => {
            ClaimEdit { taken_by: Some(Some(person.user_id)), closing_reason: Some(None), ..dated }
        }
        ClaimStatus::InAppeal => case.map_or(dated, |case| levels::joined(case.id, stored, last, ctx)),
        ClaimStatus::Closed => ClaimEdit { closing_reason: Some(step.reason), ..dated },
        ClaimStatus::Recovered | ClaimStatus::InReport => dated,
    };
    change.set.recovered_cents = paid.set;
    let payment = paid.at.map(|(case_id, level, what)| results::paid((practice_id, case_id, level), stored.id, what));
    let is_end = matches!(step.status, ClaimStatus::Recovered | ClaimStatus::Closed);
    let outcome = stored.case_id.filter(|_| is_end).map(|case_id| {
        let ended = Ended { outcome: step.status, amount: paid.in_case, reason: step.reason };
        results::ended((practice_id, case_id, stored.id), ended, ctx.now)
    });
    let writes = payment.into_iter().chain(outcome);
    Ok(Moved { change, writes: writes.collect() })
}

/// Checks that the reason fits the status that the claim has.
fn closable(from: ClaimStatus, step: &MoveRequest) -> Result<(), RequestError> {
    let known = ClosingReason::of(from);
    match step.reason {
        Some(reason) if !known.contains(&reason) => {
            let names: Vec<&str> = known.iter().map(|reason| reason.name()).collect();
            let rule = format!("one of {} for a claim that is {}", names.join(", "), from.name());
            Err(RequestError::invalid("reason", Rule::MustBe(rule.into())))
        }
        _ => Ok(()),
    }
}

/// The changes of payments by a move.
#[derive(Default)]
struct Payment {
    /// The claim's own amount, if it changes.
    set: Option<Option<Cents>>,
    /// The claim's amount in the case that it leaves.
    in_case: Option<Cents>,
    /// The amount to record at a level of a case.
    at: Option<(CaseId, i64, Option<Paid>)>,
}

/// The payments after a move. A payment is recorded at the last level of the case. If a claim is closed at the same
/// level, its recovery was a mistake; amounts at another level or in another case stay. When a claim is appealed again,
/// staff can say whether its amount counts.
fn paid(
    stored: &StoredWorkClaim,
    step: MoveRequest,
    case: Option<&CaseToJoin>,
    ctx: &Ctx,
) -> Result<Payment, RequestError> {
    let appeal = &stored.appeal;
    let level = appeal.case.map_or(0, |case| case.level);
    match (step.status, stored.case_id) {
        (ClaimStatus::Recovered, case_id) => {
            let before = case_id.and_then(|case_id| appeal.at(case_id, level));
            let recorded = step.amount_recovered.map(|amount| Paid {
                amount,
                at: ctx.now,
                // A corrected amount counts if the one before did.
                stands: before.is_some_and(|paid| paid.stands),
            });
            Ok(Payment {
                set: step.amount_recovered.map(Some),
                in_case: step.amount_recovered,
                at: case_id.map(|case_id| (case_id, level, recorded)),
            })
        }
        (ClaimStatus::Closed, Some(case_id)) => {
            let ending = appeal.close(case_id, level);
            Ok(Payment {
                set: ending.is_undone.then_some(ending.amount),
                in_case: ending.in_case,
                at: ending.is_undone.then_some((case_id, level, None)),
            })
        }
        (ClaimStatus::InAppeal, Some(before)) if stored.status == ClaimStatus::Recovered => {
            let recorded = step.amount_stands.zip(appeal.paid_in(before));
            let Some((stands, (level, paid))) = recorded else {
                return Ok(Payment::default());
            };
            if stands {
                let at = Some((before, level, Some(Paid { stands, ..paid })));
                return Ok(Payment { at, ..Payment::default() });
            }
            // Otherwise the earlier case would still show a payment.
            if case.is_none_or(|case| case.id != before) {
                return Err(RequestError::invalid("amount_stands", Rule::FalseOnlyWith("case_id")));
            }
            Ok(Payment {
                set: Some(appeal.paid_without(before, level)),
                in_case: None,
                at: Some((before, level, None)),
            })
        }
        _ => Ok(Payment::default()),
    }
}

/// Adds a claim to a case in the version that was read: the case's deadline becomes the claim's. The guard refuses a
/// later version of either. The plan of a claim that returns to a filed level can give the payer less time.
fn join(
    practice: PracticeId,
    claim: &StoredWorkClaim,
    case: &CaseToJoin,
    change: Change,
    (person, now): (&Person, Instant),
) -> Change {
    let version = case.version.saturating_add(1);
    let clocked = payer_clock::sooner(&case.levels, claim.plan());
    let clocked = clocked.map(|level| levels::settle::written(practice, case.id, &level, person.user_id, now));
    let change = change
        .guard(cases::unchanged(practice, case.id, case.version))
        .write(cases::joins(practice, case.id, &[claim.id], now))
        .write(cases::raised(practice, case.id, version));
    clocked.into_iter().fold(change, Change::write)
}
