//! Writes a level, and the resulting deadlines of the claims in its case.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{CaseId, PracticeId};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::changes;
use crate::plan::claims::ClaimStatus;
use crate::plan::work::appeal::{LevelResult, LevelWrite};
use crate::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::{Level, LevelRow};
use crate::plan::{Guard, WorkGuard, WorkWrite, Write};
use crate::work::cases::case::{ChangedCase, Elsewhere, StoredCase};
use alloc::vec::Vec;
use serde_json::Value;

/// The changes of a claim that joins a case with this last level. They clear an earlier end of its appeal.
#[must_use]
pub fn joined(
    case_id: CaseId,
    claim: &StoredWorkClaim,
    last: Option<&Level>,
    ctx: &Ctx,
) -> ClaimEdit {
    let set = ClaimEdit {
        case_id: Some(case_id),
        closing_reason: Some(None),
        ..ClaimEdit::default()
    };
    let appeal = &claim.appeal;
    let filed = appeal.is_filed(None);
    let due = appeal.due(ClaimStatus::InAppeal, last, filed, Some(ctx.today()));
    set.due(claim, due)
}

/// The effect of a level's change on its filing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filing {
    /// It stays as it is.
    Same,
    /// It was filed with the claims that are in appeal in the case.
    Made,
    /// It was not filed.
    Undone,
}

/// A change of a case's levels.
pub(crate) struct LevelStep {
    pub(crate) status: u16,
    pub(crate) event: Event,
    pub(crate) detail: Value,
    pub(crate) level: Level,
    /// The last level of the case after the change.
    pub(crate) last: Option<Level>,
    pub(crate) filing: Filing,
}

/// Writes a level, and sets the deadline of each claim in appeal in the case, by the case or by its own rule.
pub(crate) fn settle(
    practice_id: PracticeId,
    case: &StoredCase,
    step: LevelStep,
    person: &Person,
    ctx: &Ctx,
) -> Change {
    let version = case.version.saturating_add(1);
    let answer = ChangedCase {
        id: case.id,
        version,
        level: step.level,
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), step.event, case.id);
    let row = LevelRow {
        practice_id,
        case_id: case.id,
        level: step.level,
        by: person.user_id,
    };
    let mut change = Change::new(audit.detail(step.detail), Answer::new(step.status, &answer))
        .guard(Guard::Work(WorkGuard::Case {
            practice: practice_id,
            case: case.id,
            version: case.version,
        }))
        .write(Write::Work(WorkWrite::CaseLevel(row)))
        .write(Write::Work(WorkWrite::CaseVersion {
            practice: practice_id,
            case: case.id,
            version,
        }));
    // A claim that joined after a level was decided is not part of a filing that staff record for that level later. Its
    // own deadline is not met by it. The claims of the level are those that have a result at it.
    let is_last = step.last.map(|last| last.level) == Some(step.level.level);
    let covered = |claim: &&StoredWorkClaim| {
        let is_here = || claim.appeal.was_at(case.id, step.level.level);
        step.filing == Filing::Made && (is_last || is_here())
    };
    let what = match step.filing {
        Filing::Same => None,
        Filing::Made => Some(LevelResult::Filed(
            case.claims.iter().filter(covered).map(|c| c.id).collect(),
        )),
        Filing::Undone => Some(LevelResult::NotFiled),
    };
    if let Some(what) = what {
        // The filing covers the claims that were read. The guard refuses a claim that changed in between, because it
        // may have left the case. A filing that is taken back concerns those in other cases as well.
        let others = case.elsewhere.iter().map(|other| &other.claim);
        let read = case.claims.iter().chain(others);
        let read = read.map(|claim| (practice_id, claim.id, claim.version));
        change = change
            .guard(Guard::Work(WorkGuard::Claims(read.collect())))
            .write(Write::Work(WorkWrite::ClaimLevels(LevelWrite {
                practice_id,
                case_id: case.id,
                level: step.level.level,
                what,
            })));
    }
    let at_level = |level: &&Level| level.level == step.level.level;
    let before = case.levels.iter().find(at_level);
    let is_dated = before.map(|before| before.due_on) != Some(step.level.due_on);
    let decided = (is_dated || step.filing == Filing::Undone).then(|| ctx.today());
    let taken_back = (step.filing == Filing::Undone).then_some((case.id, step.level.level));
    let here = case.claims.iter().map(|claim| {
        let filed = covered(&claim) || claim.appeal.is_filed(taken_back);
        let last = step.last.as_ref();
        let due = claim.appeal.due(claim.status, last, filed, decided);
        (claim, due)
    });
    // A filing of a claim in this case counts in every other case as well, and so does taking it back.
    let elsewhere = case.elsewhere.iter().filter(|_| taken_back.is_some());
    let elsewhere = elsewhere.map(|Elsewhere { claim, level }| {
        let filed = claim.appeal.is_filed(taken_back);
        (
            claim,
            claim.appeal.due(claim.status, level.as_ref(), filed, None),
        )
    });
    let changed = here.chain(elsewhere);
    let changed: Vec<_> = changed
        .filter(|(claim, due)| *due != claim.appeal.deadline)
        .collect();
    if !changed.is_empty() {
        let claims = changed.iter().map(|(claim, _)| *claim);
        let filed = WorkGuard::filed(practice_id, claims);
        change.guards.push(Guard::Work(filed));
    }
    let mut dated = Vec::with_capacity(changed.len());
    for (claim, due) in changed {
        let of = ClaimChange::of(practice_id, claim, ClaimEventKind::Deadline);
        dated.push(of.set(ClaimEdit::default().due(claim, due)));
        let other = claim
            .case_id
            .zip(claim.appeal.case)
            .filter(|(id, _)| *id != case.id);
        let guard = other.map(|(id, other)| {
            Guard::Work(WorkGuard::Case {
                practice: practice_id,
                case: id,
                version: other.version,
            })
        });
        change.guards.extend(guard);
    }
    if dated.is_empty() {
        return change;
    }
    let (guard, writes) = changes(dated, [], ctx);
    writes.into_iter().fold(change.guard(guard), Change::write)
}

#[cfg(test)]
mod tests;
