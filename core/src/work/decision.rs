//! `POST …/cases/{id}/decisions`: a decision arrived. One step records the outcome of the case's last level, the result of
//! each claim, and the next level for the claims that go on. It changes what the same steps would change one by one.

use super::claims::{self, MoveRequest};
use super::gather::{Gathered, read_gathered};
use super::levels::settle::{LevelStep, Moved, settle_all};
use super::levels::{LevelEdit, LevelRequest, begin, bounds, edit};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{CaseId, PracticeId};
use crate::plan::change::{Answer, Change};
use crate::plan::work::change::ClaimAnswer;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::Level;
use crate::plan::work::level_names::LevelOutcome;
use crate::plan::work::several;
use crate::request::body::{Flag, List, Object, Text, Whole, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::if_match::Seen;
use crate::request::problem::{Problem, Rule};
use crate::request::reason::Reason;
use crate::work::cases::case::{self as cases, StoredCase};
use alloc::format;
use alloc::vec::Vec;
use serde::Serialize;

object! {
    /// The body, unchecked.
    RawDecision {
        outcome: Text<'a>, decided_on: Text<'a>, claims: List<RawResult<'a>>, next_level: Object<RawNext<'a>>, take_over: Flag,
    }
}

object! {
    /// A claim's result, unchecked.
    RawResult { id: Text<'a>, version: Whole, result: Text<'a>, amount_recovered: Text<'a>, reason: Text<'a>, }
}

object! {
    /// The next level, unchecked.
    RawNext { kind: Text<'a>, due_on: Text<'a>, }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClaimResult {
    claim: Gathered,
    /// How its appeal ends; `None` if it goes on.
    ending: Option<MoveRequest>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionRequest {
    outcome: LevelOutcome,
    decided_on: Date,
    claims: Vec<ClaimResult>,
    pub(super) next_level: Option<LevelRequest>,
    take_over: bool,
}

/// Reads `{outcome, decided_on, claims?: [{id, version, result, amount_recovered?, reason?}], next_level?: {kind, due_on},
/// take_over?}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8], ctx: &Ctx) -> Result<DecisionRequest, RequestError> {
    let raw: RawDecision<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let known = LevelOutcome::known();
    let outcome = field::one_of(&mut p, "outcome", raw.outcome, known, LevelOutcome::parse);
    if field::is_missing(&raw.decided_on) {
        p.add("decided_on", Rule::DateRequired);
    }
    let decided_on = bounds::done(&mut p, "decided_on", raw.decided_on, ctx);
    let claims = match raw.claims {
        List::Absent | List::Given { count: 0, .. } => Some(Vec::new()),
        claims => several::read_each(&mut p, claims, result, |result| result.claim.id),
    };
    let next_level = next_level(&mut p, raw.next_level, ctx);
    let take_over = field::flag(&mut p, "take_over", &raw.take_over);
    let read = outcome.zip(decided_on).zip(claims);
    p.settle(read.map(|((outcome, decided_on), claims)| DecisionRequest {
        outcome,
        decided_on,
        claims,
        next_level,
        take_over: take_over.unwrap_or_default(),
    }))
}

fn result(p: &mut Problems, raw: RawResult<'_>) -> Option<ClaimResult> {
    field::repeated(p, "", &raw.repeated);
    let claim = read_gathered(p, raw.id, &raw.version);
    let ending = claims::result(p, raw.result, (raw.amount_recovered, raw.reason));
    let (claim, ending) = claim.zip(ending)?;
    Some(ClaimResult { claim, ending })
}

fn next_level(p: &mut Problems, raw: Object<RawNext<'_>>, ctx: &Ctx) -> Option<LevelRequest> {
    let raw = match raw {
        Object::Absent => return None,
        Object::Given(raw) => raw,
        Object::Wrong => {
            p.add("next_level", Rule::Object);
            return None;
        }
    };
    let mut of_level = Problems::default();
    field::repeated(&mut of_level, "", &raw.repeated);
    // The claims that go on have the deadline of this level, and a step without it would leave them none.
    if field::is_missing(&raw.due_on) {
        of_level.add("due_on", Rule::DateRequired);
    }
    let level = LevelRequest::read(&mut of_level, (raw.kind, raw.due_on), ctx);
    for problem in of_level.into_list() {
        p.add(format!("next_level.{}", problem.field), problem.rule);
    }
    level
}

/// The answer to a decision. `version` is the beginning of the case's `ETag`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DecidedCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// The decided level.
    pub level: Level,
    /// The level that was begun.
    pub next_level: Option<Level>,
    /// The claims with their results, in the order of the request.
    pub claims: Vec<ClaimAnswer>,
}

/// Records a decision. A claim that nobody has is taken by the person who records its result. A colleague's claim is taken
/// over only if the request says so.
///
/// # Errors
///
/// [`RequestError::NotFound`], those of [`Seen::is`], [`RequestError::Invalid`] if the level, a result or the next level
/// contradicts the case, and [`RequestError::Stuck`] if a claim has changed since it was seen or is a colleague's, or nothing is left to decide.
pub fn decide(
    practice_id: PracticeId,
    (case, seen): (Option<StoredCase>, Seen),
    decision: &DecisionRequest,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let case = cases::seen(case, seen)?;
    let last = case.levels.last().copied();
    let last = last.ok_or(RequestError::NotFound("no such level"))?;
    if !last.is_open(!case.claims.is_empty()) {
        let rule = Rule::LeftAppeal;
        return Err(RequestError::stuck(Reason::NoClaimInAppeal, "claims", rule));
    }
    let decided = LevelEdit {
        decided_on: Some(Some(decision.decided_on)),
        outcome: Some(Some(decision.outcome)),
        ..LevelEdit::default()
    };
    let decided = edit::edited(&case, last, decided)?;
    let level = decided.as_ref().map_or(last, |step| step.level);
    let (ended, claims) = results(practice_id, &case, decision, person, ctx)?;
    let next = match decision.next_level {
        Some(new) => Some(next(&case, level, &ended, new)?),
        None => None,
    };
    let version = case.version.saturating_add(1);
    let answer = DecidedCase { id: case.id, version, level, next_level: next.as_ref().map(|step| step.level), claims };
    if decided.is_none() && ended.is_empty() && next.is_none() {
        let version = case.version;
        return Ok(Change::nothing(Answer::new(200, &DecidedCase { version, ..answer })));
    }
    let steps = decided.into_iter().chain(next).collect();
    let answer = Answer::new(200, &answer);
    Ok(settle_all((practice_id, &case), (steps, ended), answer, person, ctx))
}

/// The claims whose appeal ends, and the answer for each claim of the request.
fn results(
    practice_id: PracticeId,
    case: &StoredCase,
    decision: &DecisionRequest,
    person: &Person,
    ctx: &Ctx,
) -> Result<(Vec<Moved>, Vec<ClaimAnswer>), RequestError> {
    let mut ended = Vec::new();
    let mut answers = Vec::new();
    let mut invalid = Vec::new();
    let mut stuck: Option<(Reason, Vec<Problem>)> = None;
    for (n, result) in decision.claims.iter().enumerate() {
        let mut claims = case.claims.iter();
        let Some(stored) = claims.find(|claim| claim.id == result.claim.id) else {
            let rule = Rule::MustBe("a claim that is in appeal in the case".into());
            invalid.push(Problem::new(format!("claims[{n}].id"), rule));
            continue;
        };
        let moved = Seen::Version(result.claim.version).is(stored.version).and_then(|()| match result.ending {
            Some(ending) => {
                let holder = (person, decision.take_over);
                ended_by(practice_id, (stored, ending), holder, ctx).map(Some)
            }
            None => Ok(None),
        });
        match moved {
            Ok(Some(moved)) => {
                answers.push(ClaimAnswer::after(stored, &moved.change));
                ended.push(moved);
            }
            Ok(None) => answers.push(ClaimAnswer::of(stored)),
            Err(RequestError::Invalid(why)) => invalid.extend(why.into_iter().map(|why| {
                let field = format!("claims[{n}].{}", why.field);
                Problem::new(field, why.rule)
            })),
            Err(RequestError::Stuck(reason, why)) => {
                let (_, all) = stuck.get_or_insert_with(|| (reason, Vec::new()));
                let why = why.into_iter().map(|why| Rule::Inner(why.into()));
                all.extend(why.map(|rule| Problem::new(format!("claims[{n}]"), rule)));
            }
            Err(RequestError::Conflict(reason, _)) => {
                let (_, all) = stuck.get_or_insert_with(|| (reason, Vec::new()));
                all.push(Problem::new(format!("claims[{n}]"), Rule::Changed));
            }
            Err(other) => return Err(other),
        }
    }
    if !invalid.is_empty() {
        return Err(RequestError::Invalid(invalid));
    }
    match stuck {
        Some((reason, problems)) => Err(RequestError::Stuck(reason, problems)),
        None => Ok((ended, answers)),
    }
}

/// The end of a claim's appeal, recorded by a person who has the claim from then on.
fn ended_by(
    practice_id: PracticeId,
    (stored, ending): (&StoredWorkClaim, MoveRequest),
    (person, take_over): (&Person, bool),
    ctx: &Ctx,
) -> Result<Moved, RequestError> {
    let is_taken = stored.taken_by != Some(person.user_id) && (take_over || stored.taken_by.is_none());
    if !is_taken {
        return claims::moved(practice_id, (stored, ending), None, person, ctx);
    }
    let taken = StoredWorkClaim { taken_by: Some(person.user_id), ..stored.clone() };
    let mut moved = claims::moved(practice_id, (&taken, ending), None, person, ctx)?;
    moved.change.set.taken_by = Some(taken.taken_by);
    Ok(moved)
}

/// The level that follows the decided one, for the claims that go on.
fn next(case: &StoredCase, decided: Level, ended: &[Moved], new: LevelRequest) -> Result<LevelStep, RequestError> {
    let mut now = case.clone();
    if let Some(last) = now.levels.last_mut() {
        *last = decided;
    }
    now.claims.retain(|claim| ended.iter().all(|moved| moved.change.id != claim.id));
    if now.claims.is_empty() {
        let rule = Rule::MustBe("absent if no claim goes on".into());
        return Err(RequestError::invalid("next_level", rule));
    }
    begin::next(&now, new).map_err(|error| match error {
        RequestError::Invalid(problems) => {
            let problems =
                problems.into_iter().map(|problem| Problem::new(format!("next_level.{}", problem.field), problem.rule));
            RequestError::Invalid(problems.collect())
        }
        other => other,
    })
}

#[cfg(test)]
mod tests;
