//! `/api/v1/staff/practices/{practice}/claims/{id}`: one claim, taken and moved along.

use super::cases::{Joining, Outcome};
use super::change::{ClaimChange, ClosingReason, Kind, Set, changes};
use super::levels::{self, Due};
use super::moves::{self, Needs, stuck};
use super::seen::Seen;
use crate::amount::Cents;
use crate::audit::{Entry, Event};
use crate::body::{Text, object};
use crate::change::{Answer, Change};
use crate::claim::{ClaimNumber, ClaimStatus};
use crate::ctx::Ctx;
use crate::date::Date;
use crate::denied::Denied;
use crate::field::{self, Problems};
use crate::id::{CaseId, ClaimId, PracticeId, UserId};
use crate::person::Person;
use crate::plan::{Guard, Write};
use crate::signing::SigningStatus;
use alloc::string::String;
use serde::{Deserialize, Serialize};
use serde_json::json;

object! {
    /// The body that moves a claim, as it came.
    RawMove { status: Text<'a>, case_id: Text<'a>, amount_recovered: Text<'a>, reason: Text<'a>, }
}

/// A claim to be changed, as far as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Stored {
    /// The claim.
    pub id: ClaimId,
    /// The practice's number for it.
    pub claim_number: ClaimNumber,
    /// Counts its changes.
    pub version: i64,
    /// Where it stands.
    pub status: ClaimStatus,
    /// Where its signature stands.
    pub signing_status: SigningStatus,
    /// Who has taken it.
    pub taken_by: Option<UserId>,
    /// The case that it is, or was last, appealed in.
    pub case_id: Option<CaseId>,
    /// By when its appeal has to be filed, where that is known.
    pub appeal_due: Option<Date>,
}

/// That there is no such claim in the practice.
pub const UNKNOWN: Denied = Denied::NotFound("no such claim");

/// What a change of a claim answers: where it stands from now on. `version` is what its `ETag` begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Standing {
    /// The claim.
    pub id: ClaimId,
    /// Counts its changes.
    pub version: i64,
    /// Where it stands.
    pub status: ClaimStatus,
    /// Where its signature stands.
    pub signing_status: SigningStatus,
    /// Who has taken it.
    pub taken_by: Option<UserId>,
}

impl Standing {
    /// Where a claim stands that is not changed.
    #[must_use]
    pub const fn of(stored: &Stored) -> Self {
        Self {
            id: stored.id,
            version: stored.version,
            status: stored.status,
            signing_status: stored.signing_status,
            taken_by: stored.taken_by,
        }
    }

    /// Where a claim stands after a change.
    #[must_use]
    pub fn after(stored: &Stored, change: &ClaimChange) -> Self {
        Self {
            id: stored.id,
            version: stored.version.saturating_add(1),
            status: change.status,
            signing_status: change.signing,
            taken_by: change.set.taken_by.unwrap_or(stored.taken_by),
        }
    }
}

/// The claim as the caller has seen it.
///
/// # Errors
///
/// [`UNKNOWN`], then those of [`Seen::is`].
pub fn seen(stored: Option<Stored>, seen: Seen) -> Result<Stored, Denied> {
    let stored = stored.ok_or(UNKNOWN)?;
    seen.is(stored.version)?;
    Ok(stored)
}

/// One claim's change, with its row of the audit trail.
#[must_use]
pub fn settle(event: Event, stored: &Stored, change: ClaimChange, ctx: &Ctx) -> Change {
    let practice = change.practice_id;
    let answer = Answer::new(200, &Standing::after(stored, &change));
    let audit = Entry::new(ctx, 0, Some(practice), event, change.id);
    let said = json!({ "status": change.status, "signing": change.signing });
    let (guard, writes) = changes(practice, [change].into(), [], ctx);
    let settled = Change::new(audit.detail(said), answer).guard(guard);
    writes.into_iter().fold(settled, Change::write)
}

/// Takes a claim, also from somebody else. One that nobody has reviewed yet is being reviewed from now on.
///
/// # Errors
///
/// [`Denied::Stuck`] for a claim whose appeal has ended.
pub fn take(
    practice_id: PracticeId,
    stored: &Stored,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let status = match stored.status {
        ClaimStatus::Received => ClaimStatus::Reviewing,
        open @ (ClaimStatus::Reviewing | ClaimStatus::InReport | ClaimStatus::InAppeal) => open,
        ended @ (ClaimStatus::Recovered | ClaimStatus::Closed) => return Err(stuck(ended)),
    };
    let change = ClaimChange::of(practice_id, stored, Kind::Taken)
        .to(status)
        .set(Set {
            taken_by: Some(Some(person.user_id)),
            ..Set::default()
        });
    Ok(settle(Event::ClaimTaken, stored, change, ctx))
}

/// Where a claim is to go, with what that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    to: ClaimStatus,
    case_id: Option<CaseId>,
    amount: Option<Cents>,
    reason: Option<ClosingReason>,
}

impl Step {
    /// The case that the claim is to be appealed in.
    #[must_use]
    pub const fn case_id(&self) -> Option<CaseId> {
        self.case_id
    }
}

/// Reads `{status, case_id?, amount_recovered?, reason?}`.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<Step, Denied> {
    let raw: RawMove<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let known = "received, reviewing, in_appeal, recovered or closed";
    let movable = |name: &str| ClaimStatus::parse(name).filter(|to| *to != ClaimStatus::InReport);
    let to = field::one_of(&mut p, "status", raw.status, known, movable);
    let needs = to.map(needed);
    let case_id = match needs {
        Some(Needs::Case) => field::id(&mut p, "case_id", raw.case_id).map(CaseId),
        _ => None,
    };
    // What a move does not take is skipped: an amount beside a reason would be recorded in the case and not on the claim.
    let amount = match needs {
        Some(Needs::Amount) if field::is_missing(&raw.amount_recovered) => {
            p.add("amount_recovered is required");
            None
        }
        Some(Needs::Amount) => field::amount(&mut p, "amount_recovered", &raw.amount_recovered),
        _ => None,
    };
    let reason = match needs {
        Some(Needs::Reason) => {
            let known = ClosingReason::known();
            field::one_of(&mut p, "reason", raw.reason, &known, ClosingReason::parse)
        }
        _ => None,
    };
    p.settle(to.map(|to| Step {
        to,
        case_id,
        amount,
        reason,
    }))
}

/// What every move to a status takes. The table gives one answer for each.
fn needed(to: ClaimStatus) -> Needs {
    let step = moves::MOVES.iter().find(|step| step.to == to);
    step.map_or(Needs::Nothing, |step| step.needs)
}

/// Moves a claim along, into `case` where that is named and one of the claim's patient and payer.
///
/// # Errors
///
/// [`Denied::Stuck`] where the table has no such move for this person, [`Denied::Invalid`] where the case is of another patient
/// or payer.
pub fn step(
    practice_id: PracticeId,
    (stored, step): (&Stored, Step),
    case: Option<&Joining>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let found = moves::find(stored, step.to, person.user_id)?;
    if found.needs == Needs::Case && case.is_none() {
        return Err(Denied::Invalid(
            [String::from(
                "case_id must be a case of the same patient and payer",
            )]
            .into(),
        ));
    }
    // Where an appeal has ended, nothing is left to be filed, whoever said by when.
    let appeal_due = stored.appeal_due.map(|_| None);
    let mut change = ClaimChange::of(practice_id, stored, Kind::Moved).to(step.to);
    change.set = match step.to {
        ClaimStatus::Received => Set {
            taken_by: Some(None),
            ..Set::default()
        },
        ClaimStatus::Reviewing => Set {
            taken_by: Some(Some(person.user_id)),
            ..Set::default()
        },
        ClaimStatus::InAppeal => case.map_or_else(Set::default, |case| {
            levels::joined(case.id, Due::of(case.level.as_ref()))
        }),
        ClaimStatus::Recovered => Set {
            recovered_cents: step.amount,
            appeal_due,
            ..Set::default()
        },
        ClaimStatus::Closed => Set {
            closing_reason: Some(step.reason),
            appeal_due,
            ..Set::default()
        },
        ClaimStatus::InReport => Set::default(),
    };
    let settled = settle(Event::ClaimMoved, stored, change, ctx);
    Ok(match (step.to, case) {
        (ClaimStatus::InAppeal, Some(case)) => join(practice_id, stored.id, case, settled),
        _ => match outcome(practice_id, stored, step) {
            Some(write) => settled.write(write),
            None => settled,
        },
    })
}

/// A claim joins a case as it was read: what is due on the case is due on the claim, until somebody changes both.
fn join(practice_id: PracticeId, claim: ClaimId, case: &Joining, change: Change) -> Change {
    let version = case.version.saturating_add(1);
    change
        .guard(Guard::Case(practice_id, case.id, case.version))
        .write(Write::CaseClaims(practice_id, case.id, [claim].into()))
        .write(Write::CaseVersion(practice_id, case.id, version))
}

/// What came of a claim in its case, where its move ends that.
fn outcome(practice_id: PracticeId, stored: &Stored, step: Step) -> Option<Write<'static>> {
    match step.to {
        ClaimStatus::Recovered | ClaimStatus::Closed => stored.case_id.map(|case_id| {
            Write::CaseOutcome(Outcome {
                practice_id,
                case_id,
                claim_id: stored.id,
                outcome: step.to,
                amount: step.amount,
                reason: step.reason,
            })
        }),
        ClaimStatus::Received
        | ClaimStatus::Reviewing
        | ClaimStatus::InReport
        | ClaimStatus::InAppeal => None,
    }
}
