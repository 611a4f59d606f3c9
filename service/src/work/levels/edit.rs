//! `PATCH …/cases/{id}/levels/{level}`: edits a level.

use super::begin::follows;
use super::bounds::{self, DAYS_AGO, Done, Due};
use super::settle::{Filing, LevelStep, settle};
use crate::extract::{InPractice, PathLevel};
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Changed, Clearable};
use crate::work::cases::case::{self, ChangedCase, StoredCase, stored_case};
use overturn_core::base::id::CaseId;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;

body! {
    /// Facts about a level.
    #[derive(Clone, Copy, Default, Serialize)]
    edit LevelEdit {
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Changed<LevelKind>,
        #[serde(skip_serializing_if = "Option::is_none")]
        due_on: Clearable<Due<DAYS_AGO>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        filed_on: Clearable<Done>,
        #[serde(skip_serializing_if = "Option::is_none")]
        decided_on: Clearable<Done>,
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Clearable<LevelOutcome>,
        /// The day on which a person asks the payer.
        #[serde(skip_serializing_if = "Option::is_none")]
        follow_up_on: Clearable<Due<DAYS_AGO>>,
    }
}

impl LevelEdit {
    fn of(self, level: Level) -> Level {
        Level {
            level: level.level,
            kind: self.kind.unwrap_or(level.kind),
            due_on: self.due_on.unwrap_or(level.due_on),
            filed_on: self.filed_on.unwrap_or(level.filed_on),
            decided_on: self.decided_on.unwrap_or(level.decided_on),
            outcome: self.outcome.unwrap_or(level.outcome),
            follow_up_on: self.follow_up_on.unwrap_or(level.follow_up_on),
            ..level
        }
    }
}

/// `editLevel`: Record facts about a level.
///
/// Staff only. A field that you leave out stays as it is, and `null` removes its value. `outcome` and `decided_on`
/// come together, and only after `filed_on`, unless the level was withdrawn. Once the last level is filed, the
/// claims of the case have no deadline until the next level. To remove `filed_on` again, send a `due_on`. A level
/// that another one follows must keep its outcome. If such a level gets a `filed_on`, it counts for the claims with
/// which it was filed before, or for which the payer paid at it. Days are at most 1826 days ago, and `due_on` and
/// `follow_up_on` are at most 1826 days ahead.
///
/// Once a level is filed, its `decision_due` is the day by which the payer must decide, if a rule is known for a
/// plan of its claims. If a plan becomes known or is corrected later, also by a letter or a resend, the day
/// becomes earlier, but not later. `follow_up_on` is the day on which staff ask for the decision instead. It can be set
/// while the payer has the level.
pub(crate) async fn edit(
    InPractice(practice, id): InPractice<CaseId>,
    PathLevel(level): PathLevel,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LevelEdit>,
) -> Result<Gives<ChangedCase>, AppError> {
    let load = stored_case(practice, id);
    let decide = request.change(load, |person, stored, edit| {
        level_edited(practice, (stored, seen), (level, edit), person, request.ctx())
    });
    decide.await
}

/// Edits a level. The deadlines of the case's claims follow from its last level and from their filings.
///
/// # Errors
///
/// [`RequestError::NotFound`], those of [`Seen::is`], or [`RequestError::Invalid`] if the level would contradict itself.
pub fn level_edited(
    practice_id: PracticeId,
    (case, seen): (Option<StoredCase>, Seen),
    (number, edit): (i64, LevelEdit),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let case = case.ok_or(case::UNKNOWN)?;
    let level = case.levels.iter().find(|level| level.level == number);
    let level = *level.ok_or(RequestError::NotFound("no such level"))?;
    seen.is(case.version)?;
    let Some(step) = edited(&case, level, edit)? else {
        let answer = ChangedCase { id: case.id, version: case.version, level };
        return Ok(Change::nothing(Answer::new(200, &answer)));
    };
    Ok(settle(practice_id, &case, step, person, ctx))
}

/// The step that edits a level of a case, `None` if the level is so already.
pub(crate) fn edited(case: &StoredCase, before: Level, edit: LevelEdit) -> Result<Option<LevelStep>, RequestError> {
    let number = before.level;
    let level = edit.of(before);
    if level == before {
        return Ok(None);
    }
    let is_last = case.levels.last().map(|last| last.level) == Some(number);
    check(&level, &before, is_last)?;
    let plans = case.claims.iter().filter_map(StoredWorkClaim::plan);
    let level = level.clocked(Some(&before), &case.levels, plans);
    if level.kind != before.kind {
        let mut levels = case.levels.clone();
        let edited = levels.iter_mut().filter(|one| one.level == number);
        edited.for_each(|one| *one = level);
        bounds::steps(levels.iter(), level.kind, case.claims.iter())?;
    }
    let at = |number: i64| case.levels.iter().find(|level| level.level == number);
    follows(at(number.saturating_sub(1)), level.filed_on, "filed_on")?;
    let next = at(number.saturating_add(1)).and_then(|next| next.filed_on);
    if let (Some(decided), Some(next)) = (level.decided_on, next)
        && next < decided
    {
        let rule = Rule::NotAfter("the day on which the next level was filed");
        return Err(RequestError::invalid("decided_on", rule));
    }
    let mut detail = json!(edit);
    if let Some(said) = detail.as_object_mut() {
        said.insert("level".into(), number.into());
    }
    let last = if is_last { Some(level) } else { case.levels.last().copied() };
    let filing = match (before.filed_on, level.filed_on) {
        (None, Some(_)) => Filing::Made,
        (Some(_), None) => Filing::Undone,
        _ => Filing::Same,
    };
    Ok(Some(LevelStep { status: 200, event: Event::LevelChanged, detail, level, last, filing }))
}

/// Checks that the parts of a level are consistent.
fn check(level: &Level, before: &Level, is_last: bool) -> Result<(), RequestError> {
    let mut p = Problems::default();
    match (level.decided_on, level.outcome) {
        (Some(_), None) => p.add("outcome", Rule::RequiredIf("with decided_on")),
        (None, Some(_)) => p.add("decided_on", Rule::RequiredIf("with outcome")),
        (None, None) if !is_last => {
            p.add("outcome", Rule::RequiredIf("of a level that another one follows"));
        }
        _ => {}
    }
    let withdrawn = level.outcome == Some(LevelOutcome::Withdrawn);
    match (level.filed_on, level.decided_on) {
        (None, Some(_)) if !withdrawn => {
            p.add("filed_on", Rule::RequiredIf("unless the outcome is withdrawn"));
        }
        (Some(filed), Some(decided)) if decided < filed => {
            p.add("decided_on", Rule::NotBefore("filed_on"));
        }
        _ => {}
    }
    let is_asked = level.follow_up_on.is_some() && level.follow_up_on != before.follow_up_on;
    if is_asked && !level.awaits_decision() {
        let text = "absent unless the level is filed and not decided";
        p.add("follow_up_on", Rule::MustBe(text.into()));
    }
    // A claim without a rule would have no deadline once its filing is taken back.
    if level.waits() && !before.waits() && level.due_on.is_none() {
        p.add("due_on", Rule::RequiredIf("of a level that has still to be filed"));
    }
    p.settle(Some(())).map_err(RequestError::Invalid)
}
