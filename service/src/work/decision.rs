//! `POST …/cases/{id}/decisions`: a decision arrived. One step records the outcome of the case's last level, the result of
//! each claim, and the next level for the claims that go on. It changes what the same steps would change one by one.

use super::levels::bounds::{Done, Due, NEW_DUE_DAYS_AGO};
use super::levels::settle::{LevelStep, Moved, settle_all};
use super::levels::{LevelEdit, LevelRequest, begin, edit};
use super::moves::{self, MoveRequest};
use crate::claim_changes::{ClaimAnswer, Claims, OfClaim, Version};
use crate::extract::InPractice;
use crate::plan::work::change::ClosingReason;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Amount, Changed, Flag, Id, Inside, Optional, When, some_of};
use crate::work::cases::{self, StoredCase, stored_case};
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};
use overturn_core::request::problem::{Problem, Rule};

body! {
    DecisionRequest {
        outcome: LevelOutcome,
        decided_on: Done,
        /// The results of claims that are in appeal in the case. The appeal of a claim that is not here goes on.
        claims: Optional<Claims<DecidedClaim>>,
        /// The level that follows for the claims that go on.
        next_level: Changed<Inside<NextLevel>>,
        /// Whether claims that a colleague has become the caller's with their results. The default is `false`.
        take_over: Changed<Flag>,
    }
}

body! {
    DecidedClaim {
        id: Id<ClaimId>,
        /// The version of the claim that you have seen.
        version: Version,
        /// `recovered` needs `amount_recovered`, `closed` needs a `reason` for a claim that is `in_appeal`. With `in_appeal`
        /// the appeal goes on.
        result: Ending,
        amount_recovered: When<Amount> where result == Some(ClaimStatus::Recovered),
        reason: When<ClosingReason> where result == Some(ClaimStatus::Closed),
    }
}

some_of! { Ending: ClaimStatus = [ClaimStatus::Recovered, ClaimStatus::Closed, ClaimStatus::InAppeal] }

body! {
    /// The claims that go on have the deadline of this level, and a step without it would leave them none.
    #[derive(Clone, Copy)]
    NextLevel { kind: LevelKind, due_on: Due<NEW_DUE_DAYS_AGO> }
}

impl From<NextLevel> for LevelRequest {
    fn from(next: NextLevel) -> Self {
        Self { kind: next.kind, due_on: Some(next.due_on) }
    }
}

impl OfClaim for DecidedClaim {
    fn claim(&self) -> ClaimId {
        self.id
    }
}

impl DecidedClaim {
    /// How its appeal ends; `None` if it goes on.
    fn ending(&self) -> Option<MoveRequest> {
        (self.result != ClaimStatus::InAppeal).then_some(MoveRequest {
            status: self.result,
            case_id: None,
            amount_stands: None,
            amount_recovered: self.amount_recovered,
            reason: self.reason,
        })
    }
}

/// The `ETag` of the case begins with this `version` from now on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DecidedCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// The decided level.
    pub level: Level,
    /// The level that was begun.
    pub next_level: Option<Level>,
    /// The claims with their results, in the order of the request.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::claim_changes::SEVERAL_MAX)))]
    pub claims: Vec<ClaimAnswer>,
}

/// `recordDecision`: Record a decision of the payer.
///
/// Staff only. One step records what a decision changes: the outcome of the case's last level and its day, the
/// result of each claim, and the next level for the claims that go on. It has the same effects as `editLevel`,
/// `moveClaim` for each claim and `beginLevel`, in this order, and either all of them or none. `If-Match` has the
/// version of the case, and each claim its own.
///
/// The last level must be filed, unless it was withdrawn. If it is decided already, the decision replaces its
/// outcome and records the results that are missing. A case whose claims all have their results, and whose last
/// level is decided, gets `409`: edit the level instead.
///
/// A claim that no one has becomes the caller's with its result. A claim that a colleague has gets `409`
/// (`taken_by_other`), unless `take_over` is `true`. `next_level` is refused if no claim goes on. Its `due_on` is
/// required, because it is the deadline of the claims that go on.
pub(crate) async fn decide(
    InPractice(practice, id): InPractice<CaseId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<DecisionRequest>,
) -> Result<Gives<DecidedCase>, AppError> {
    let load = stored_case(practice, id);
    let decide = request
        .change(load, |person, stored, decision| decided(practice, (stored, seen), &decision, person, request.ctx()));
    decide.await
}

/// Records a decision. A claim that nobody has is taken by the person who records its result. A colleague's claim is taken
/// over only if the request says so.
///
/// # Errors
///
/// [`RequestError::NotFound`], those of [`Seen::is`], [`RequestError::Invalid`] if the level, a result or the next level
/// contradicts the case, and [`RequestError::Stuck`] if a claim has changed since it was seen or is a colleague's, or nothing is left to decide.
pub(crate) fn decided(
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
    let next = match decision.next_level.map(LevelRequest::from) {
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
    for (n, result) in decision.claims.iter().flatten().enumerate() {
        let mut claims = case.claims.iter();
        let Some(stored) = claims.find(|claim| claim.id == result.id) else {
            let rule = Rule::MustBe("a claim that is in appeal in the case".into());
            invalid.push(Problem::new(format!("claims[{n}].id"), rule));
            continue;
        };
        let moved = Seen::Version(result.version).is(stored.version).and_then(|()| match result.ending() {
            Some(ending) => {
                let holder = (person, decision.take_over.unwrap_or_default());
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
        return moves::moved(practice_id, (stored, ending), None, person, ctx);
    }
    let taken = StoredWorkClaim { taken_by: Some(person.user_id), ..stored.clone() };
    let mut moved = moves::moved(practice_id, (&taken, ending), None, person, ctx)?;
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
