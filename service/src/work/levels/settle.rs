//! Writes a level, and the resulting deadlines of the claims in its case.

use crate::claim_changes::{self, ClaimChange, ClaimEdit, audit, changes};
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::work::cases::case::{ChangedCase, Elsewhere, StoredCase, raised, unchanged};
use crate::work::results::{filed, filed_as_read, not_filed};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, UserId};
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level::Level;
use serde_json::Value;

/// The changes of a claim that joins a case with this last level. They clear an earlier end of its appeal.
pub(crate) fn joined(case_id: CaseId, claim: &StoredWorkClaim, last: Option<&Level>, ctx: &Ctx) -> ClaimEdit {
    let set = ClaimEdit { case_id: Some(case_id), closing_reason: Some(None), ..ClaimEdit::default() };
    let appeal = &claim.appeal;
    let filed = appeal.is_filed(None);
    let due = appeal.due(ClaimStatus::InAppeal, last, filed, Some(ctx.earliest_today()));
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

/// A move of a claim, and what it writes besides.
pub(crate) struct Moved {
    pub(crate) change: ClaimChange,
    pub(crate) writes: Vec<Write>,
}

/// The new values of a level, by a person who also begins a new one.
pub(crate) fn written(practice: PracticeId, case: CaseId, level: &Level, by: UserId, now: Instant) -> Write {
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    sql!(
        "INSERT INTO case_levels (practice_id, case_id, level, kind, due_on, filed_on, decided_on, outcome, begun_at, begun_by,
           decision_due, decision_source, follow_up_on)
         VALUES ({practice}, {case}, CAST({level} AS INTEGER), {kind}, {due_on}, {filed_on}, {decided_on}, {outcome}, {now},
           {by}, {decision_due}, {decision_source}, {follow_up_on})
         ON CONFLICT (practice_id, case_id, level) DO UPDATE SET kind = excluded.kind, due_on = excluded.due_on,
           filed_on = excluded.filed_on, decided_on = excluded.decided_on, outcome = excluded.outcome,
           decision_due = excluded.decision_due, decision_source = excluded.decision_source,
           follow_up_on = excluded.follow_up_on";
        practice, case, level = level.level, kind = level.kind, due_on = day(level.due_on),
        filed_on = day(level.filed_on), decided_on = day(level.decided_on), outcome = level.outcome, now, by,
        decision_due = day(level.decision_due), decision_source = level.decision_source,
        follow_up_on = day(level.follow_up_on)
    )
}

/// Writes a level, and sets the deadline of each claim in appeal in the case.
pub(crate) fn settle(
    practice_id: PracticeId,
    case: &StoredCase,
    step: LevelStep,
    person: &Person,
    ctx: &Ctx,
) -> Change {
    let answer = ChangedCase { id: case.id, version: case.version.saturating_add(1), level: step.level };
    let answer = Answer::new(step.status, &answer);
    let steps = ([step].into(), Vec::new());
    settle_all((practice_id, case), steps, answer, person, ctx)
}

/// Writes levels in order, and the claims whose appeal ends at the first of them. Sets the deadline of each claim that is
/// then in appeal in the case, by the case or by its own rule.
pub(crate) fn settle_all(
    (practice_id, case): (PracticeId, &StoredCase),
    (steps, ended): (Vec<LevelStep>, Vec<Moved>),
    answer: Answer,
    person: &Person,
    ctx: &Ctx,
) -> Change {
    let mut now = case.clone();
    now.claims.retain(|claim| ended.iter().all(|moved| moved.change.id != claim.id));
    let mut guards = Vec::from([unchanged(practice_id, case.id, case.version), read_guard(practice_id, case, &steps)]);
    let mut writes = Vec::new();
    let mut entries = Vec::new();
    for step in steps {
        writes.push(written(practice_id, case.id, &step.level, person.user_id, ctx.now));
        writes.extend(filing(practice_id, &now, &step));
        date(&mut now, &step, ctx);
        let entry = Entry::new(ctx, entries.len(), Some(practice_id), step.event, case.id);
        entries.push(entry.detail(step.detail));
    }
    writes.push(raised(practice_id, case.id, case.version.saturating_add(1)));
    let others = case.elsewhere.iter().map(|other| &other.claim);
    let read = case.claims.iter().chain(others);
    let others = now.elsewhere.iter().map(|other| &other.claim);
    let mut changed = Vec::new();
    let mut depend = Vec::new();
    for before in read {
        let mut after = now.claims.iter().chain(others.clone());
        let Some(after) = after.find(|after| after.id == before.id) else {
            depend.push(before);
            continue;
        };
        if after.appeal.deadline == before.appeal.deadline {
            continue;
        }
        depend.push(before);
        let of = ClaimChange::of(practice_id, before, ClaimEventKind::Deadline);
        changed.push(of.set(ClaimEdit::default().due(before, after.appeal.deadline)));
        let other = before.case_id.zip(before.appeal.case);
        let other = other.filter(|(id, _)| *id != case.id);
        guards.extend(other.map(|(id, other)| unchanged(practice_id, id, other.version)));
    }
    for Moved { change, writes: of } in ended {
        let n = entries.len();
        entries.push(audit(Event::ClaimMoved, n, &change, ctx));
        writes.extend(of);
        changed.push(change);
    }
    if !changed.is_empty() {
        guards.push(filed_as_read(practice_id, depend.into_iter()));
        let (guard, of) = changes(changed, [], person, ctx);
        guards.push(guard);
        writes.extend(of);
    }
    let entries = entries.into_iter().map(Write::Audit);
    Change { guards, writes: entries.chain(writes).collect(), ..Change::nothing(answer) }
}

/// The claims that were read are unchanged. One whose deadline stays in this change may get another one at the same time, by
/// its letter, or leave the case. A filing that is taken back concerns claims in other cases as well.
fn read_guard(practice: PracticeId, case: &StoredCase, steps: &[LevelStep]) -> Guard {
    let is_filing = steps.iter().any(|step| step.filing != Filing::Same);
    let others = case.elsewhere.iter().filter(|_| is_filing);
    let read = case.claims.iter().chain(others.map(|other| &other.claim));
    let read = read.map(|claim| (practice, claim.id, claim.version));
    claim_changes::unchanged(&read.collect::<Vec<_>>())
}

/// True if a filing is made with the claim. A claim that joined after a level was decided is not part of a filing that
/// staff record for that level later. Its own deadline is not met by it. The claims of the level are those that have a
/// result at it.
fn covers(step: &LevelStep, case_id: CaseId, claim: &StoredWorkClaim) -> bool {
    let is_last = step.last.map(|last| last.level) == Some(step.level.level);
    let is_here = || claim.appeal.was_at(case_id, step.level.level);
    step.filing == Filing::Made && (is_last || is_here())
}

/// The write of a filing that was made or taken back.
fn filing(practice_id: PracticeId, case: &StoredCase, step: &LevelStep) -> Option<Write> {
    let place = (practice_id, case.id, step.level.level);
    match step.filing {
        Filing::Same => None,
        Filing::Made => {
            let covered = case.claims.iter().filter(|claim| covers(step, case.id, claim));
            let covered: Vec<ClaimId> = covered.map(|claim| claim.id).collect();
            Some(filed(place, &covered))
        }
        Filing::Undone => Some(not_filed(place)),
    }
}

/// Sets the deadlines in a case after a step.
fn date(case: &mut StoredCase, step: &LevelStep, ctx: &Ctx) {
    let number = step.level.level;
    let before = case.levels.iter().find(|level| level.level == number);
    let is_dated = before.map(|before| before.due_on) != Some(step.level.due_on);
    let is_undone = step.filing == Filing::Undone;
    let decided = (is_dated || is_undone).then(|| ctx.earliest_today());
    let taken_back = is_undone.then_some((case.id, number));
    for claim in &mut case.claims {
        let filed = covers(step, case.id, claim) || claim.appeal.is_filed(taken_back);
        let due = claim.appeal.due(claim.status, step.last.as_ref(), filed, decided);
        claim.appeal.deadline = due;
    }
    // A filing of a claim in this case counts in every other case as well, and so does taking it back.
    let elsewhere = case.elsewhere.iter_mut().filter(|_| is_undone);
    for Elsewhere { claim, level } in elsewhere {
        let filed = claim.appeal.is_filed(taken_back);
        claim.appeal.deadline = claim.appeal.due(claim.status, level.as_ref(), filed, None);
    }
    case.levels.retain(|level| level.level != number);
    case.levels.push(step.level);
    case.levels.sort_by_key(|level| level.level);
}

#[cfg(test)]
mod tests;
