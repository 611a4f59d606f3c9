//! `POST …/cases/{id}/levels`: the next level of a case's appeal.

use super::bounds::{self, Due, LEVELS_MAX, NEW_DUE_DAYS_AGO};
use super::settle::{Filing, LevelStep, settle};
use crate::extract::InPractice;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Optional;
use crate::work::cases::case::{self, ChangedCase, StoredCase, stored_case};
use overturn_core::base::date::Date;
use overturn_core::base::id::CaseId;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::request::problem::{Problem, Rule};

body! {
    #[derive(Clone, Copy, PartialEq, Eq)]
    LevelRequest { kind: LevelKind, due_on: Optional<Due<NEW_DUE_DAYS_AGO>> }
}

impl LevelRequest {
    /// The level, with this number.
    pub const fn level(self, level: i64) -> Level {
        Level {
            level,
            kind: self.kind,
            due_on: self.due_on,
            filed_on: None,
            decided_on: None,
            outcome: None,
            decision_due: None,
            decision_source: None,
            follow_up_on: None,
        }
    }
}

/// Checks that a date of a level is not before the decision of the level before.
pub(super) fn follows(before: Option<&Level>, day: Option<Date>, name: &'static str) -> Result<(), RequestError> {
    let decided = before.and_then(|before| before.decided_on);
    match decided.zip(day) {
        Some((decided, day)) if day < decided => {
            Err(RequestError::invalid(name, Rule::NotBefore("the level in front was decided")))
        }
        _ => Ok(()),
    }
}

/// What prevents the next level of a case with this last level. `in_appeal` says whether a claim is in appeal in it.
pub(crate) fn obstacles(last: Option<&Level>, in_appeal: bool) -> Vec<Problem> {
    let mut stuck = Vec::new();
    if let Some(last) = last.filter(|last| last.outcome.is_none()) {
        stuck.push(Problem::new("outcome", Rule::OutcomeMissing(last.level)));
    }
    if last.is_some_and(|last| last.level >= LEVELS_MAX) {
        let most = usize::try_from(LEVELS_MAX).unwrap_or(usize::MAX);
        stuck.push(Problem::new("levels", Rule::Items(most)));
    }
    if !in_appeal {
        stuck.push(Problem::new("claims", Rule::LeftAppeal));
    }
    stuck
}

/// `beginLevel`: Begin the next level of an appeal.
///
/// Staff only. The previous level must have its outcome, and a claim of the case must still be `in_appeal`.
/// Otherwise the answer is `409`, as it is for a case with 20 levels. From then on, the claims that are appealed in
/// the case are due on `due_on`, or on their own date if nothing was filed for them and it is earlier. `due_on` is
/// at most 30 days ago and 1826 days ahead, counted from today's UTC date.
pub(crate) async fn begin(
    InPractice(practice, id): InPractice<CaseId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LevelRequest>,
) -> Result<Gives<ChangedCase, 201>, AppError> {
    let load = stored_case(practice, id);
    let decide =
        request.change(load, |person, stored, new| begun(practice, (stored, seen), new, person, request.ctx()));
    decide.await
}

/// Begins the next level of a case.
///
/// # Errors
///
/// [`RequestError::NotFound`], those of [`Seen::is`], or [`RequestError::Stuck`] while the level before is not decided or no claim
/// is in appeal in the case.
pub fn begun(
    practice_id: PracticeId,
    (case, seen): (Option<StoredCase>, Seen),
    new: LevelRequest,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let case = case::seen(case, seen)?;
    let step = next(&case, new)?;
    Ok(settle(practice_id, &case, step, person, ctx))
}

/// The step that begins the next level of a case.
pub(crate) fn next(case: &StoredCase, new: LevelRequest) -> Result<LevelStep, RequestError> {
    let last = case.levels.last();
    let stuck = obstacles(last, !case.claims.is_empty());
    if !stuck.is_empty() {
        let reason = match last {
            Some(last) if last.outcome.is_none() => Reason::LevelUndecided,
            Some(last) if last.level >= LEVELS_MAX => Reason::LimitReached,
            _ => Reason::NoClaimInAppeal,
        };
        return Err(RequestError::Stuck(reason, stuck));
    }
    follows(last, new.due_on, "due_on")?;
    let level = new.level(last.map_or(1, |last| last.level.saturating_add(1)));
    let levels = case.levels.iter().chain([&level]);
    bounds::steps(levels, level.kind, case.claims.iter())?;
    Ok(LevelStep {
        status: 201,
        event: Event::LevelBegun,
        detail: json!({ "level": level.level, "kind": level.kind, "due_on": level.due_on }),
        level,
        last: Some(level),
        filing: Filing::Same,
    })
}
