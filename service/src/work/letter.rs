//! `PATCH …/claims/{id}/letter` and `PATCH /api/v1/denials/{id}/letter`: what a person read in the payer's letter. Staff
//! and people of the practice set it by the same decision.

use super::levels::bounds::{DAYS_AGO, Done, Due};
use crate::auth::role::Role;
use crate::claim_changes::{ClaimChange, ClaimEdit, STORED, changes};
use crate::extract::InPractice;
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN, stuck};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Changed, Clearable};
use crate::work::cases::case::{LEVELS, raised, unchanged};
use crate::work::levels::settle::written;
use crate::work::results::filed_as_read;
use crate::work::sql::LEVEL;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::claims::appeal::Appeal;
use overturn_core::claims::appeal::letter::{Letter, LetterColumns, LetterCounts, LetterFacts, LetterReader};
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::payer_clock;
use overturn_core::claims::deadline::Deadline;
use overturn_core::claims::{ClaimStatus, PlanType};
use overturn_core::request::problem::Rule;

body! {
    /// The changes of what is known of a letter.
    #[derive(Clone, Copy, Default)]
    edit LetterEdit {
        denial_date: Clearable<Done>,
        plan_type: Clearable<PlanType>,
        appeal_due: Clearable<Due<DAYS_AGO>>,
        counts: Changed<LetterCounts>,
    }
}

impl LetterEdit {
    fn of(self, facts: LetterFacts) -> LetterFacts {
        let appeal_due = self.appeal_due.unwrap_or(facts.appeal_due);
        // Without a date of the letter, there is nothing left that a person can have decided for.
        let kept = appeal_due.map_or(LetterCounts::Earliest, |_| facts.counts);
        LetterFacts {
            denial_date: self.denial_date.unwrap_or(facts.denial_date),
            plan_type: self.plan_type.unwrap_or(facts.plan_type),
            appeal_due,
            counts: self.counts.unwrap_or(kept),
        }
    }
}

/// The stored facts about a claim whose letter a person read.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ClaimOfLetter {
    pub practice_id: PracticeId,
    pub claim: StoredWorkClaim,
    /// The levels of the case in which it is, or was last, appealed, in order.
    pub levels: Vec<Level>,
}

/// A claim `c` with the levels of its case, as [`ClaimOfLetter`] reads it.
const OF_LETTER: &str = "json_object('practice_id', c.practice_id, 'claim', {STORED},
  'levels', json(ifnull((SELECT {LEVELS} FROM cases k WHERE k.practice_id = c.practice_id AND k.id = c.case_id), '[]')))";

/// A claim whose letter staff read.
pub fn of_letter(practice: PracticeId, id: ClaimId) -> Query<Option<ClaimOfLetter>> {
    select!(
        "work.claim_of_letter",
        "SELECT {OF_LETTER} AS json FROM claims c WHERE c.practice_id = {practice} AND c.id = {id}"
        [OF_LETTER, STORED, LEVELS, LEVEL]; practice, id
    )
    .optional()
}

/// A claim whose letter a person of its practice read.
fn own_of_letter(caller: &str, id: ClaimId) -> Query<Option<ClaimOfLetter>> {
    select!(
        "work.own_claim_of_letter",
        "SELECT {OF_LETTER} AS json FROM claims c WHERE c.practice_id = {OF_CALLER} AND c.id = {id}"
        [OF_LETTER, STORED, LEVELS, LEVEL]; caller, id
    )
    .optional()
}

/// `setLetterOfClaim`: Record what the payer's letter says.
///
/// Staff only. The practice sees the facts, and that our staff recorded them.
///
/// A field that you leave out stays as it is, and `null` removes what a person had recorded. What the billing
/// system sent stays as sent: a fact of the letter takes its place for the deadline, and a resend does not change
/// it. Of the letter's last day and the date by rule, the earlier counts. With `counts: letter`, the letter's day
/// counts, also if the rule's is earlier. In a case, the claim's own dates count beside the date of the case until
/// a level is filed. `denial_date` is at most 1826 days ago and not in the future. `appeal_due` is at most 1826
/// days ago and at most 1826 days ahead, and not before the denial. The answer is `409` if the appeal has ended.
pub(crate) async fn set(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LetterEdit>,
) -> Result<Gives<ChangedLetter>, AppError> {
    let load = of_letter(practice, id);
    let decide = request.change(load, |person, stored, edit| read((stored, seen), edit, person, request.ctx()));
    decide.await
}

/// `setLetter`: Record what the payer's letter says.
///
/// For the people of the practice in a session. An integration cannot record a letter: its facts are what a person
/// read. It sends the denial date and the plan type with the claim.
///
/// A field that you leave out stays as it is, and `null` removes what a person had recorded. What the billing
/// system sent stays as sent: a fact of the letter takes its place for the deadline, and a resend does not change
/// it. Of the letter's last day and the date by rule, the earlier counts. With `counts: letter`, the letter's day
/// counts, also if the rule's is earlier. In a case, the claim's own dates count beside the date of the case until
/// a level is filed. `denial_date` is at most 1826 days ago and not in the future. `appeal_due` is at most 1826
/// days ago and at most 1826 days ahead, and not before the denial. The answer is `409` if the appeal has ended.
pub(crate) async fn set_own(
    PathId(id): PathId<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LetterEdit>,
) -> Result<Gives<ChangedLetter>, AppError> {
    let load = own_of_letter(request.credential(), id);
    let decide = request.change(load, |person, stored, edit| read((stored, seen), edit, person, request.ctx()));
    decide.await
}

/// The `ETag` of the claim begins with this `version` from now on.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ChangedLetter {
    id: ClaimId,
    version: i64,
    /// The deadline that counts now.
    deadline: Option<Deadline>,
}

/// Checks that a letter can be read for a claim with this status.
///
/// # Errors
///
/// [`RequestError::Stuck`] for a claim whose appeal has ended.
pub(crate) fn is_open(status: ClaimStatus) -> Result<(), RequestError> {
    if ClaimStatus::OPEN.contains(&status) { Ok(()) } else { Err(stuck(status)) }
}

/// Sets what the letter says, and the deadline that follows.
///
/// # Errors
///
/// The claim is unknown, was changed or is closed, or the letter would contradict itself.
pub fn read(
    (stored, seen): (Option<ClaimOfLetter>, Seen),
    edit: LetterEdit,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let ClaimOfLetter { practice_id, claim, levels } = stored.ok_or(UNKNOWN)?;
    seen.is(claim.version)?;
    is_open(claim.status)?;
    let known = claim.appeal.letter.map(|letter| letter.facts);
    let facts = edit.of(known.unwrap_or(LetterFacts::NONE));
    let mut answer = ChangedLetter { id: claim.id, version: claim.version, deadline: claim.appeal.deadline };
    if facts == known.unwrap_or(LetterFacts::NONE) {
        return Ok(Change::nothing(Answer::new(200, &answer)));
    }
    let letter = (facts != LetterFacts::NONE).then_some(Letter {
        facts,
        read_by: match person.role {
            Role::Staff => LetterReader::Staff,
            _ => LetterReader::Practice,
        },
        read_at: Time(ctx.now),
    });
    check(&claim, facts)?;
    let due = claim.appeal.with_letter(letter, claim.status, levels.last());
    answer.version = claim.version.saturating_add(1);
    answer.deadline = due;
    let change = ClaimChange::of(practice_id, &claim, ClaimEventKind::Deadline)
        .set(ClaimEdit { letter: Some(LetterColumns::of(letter)), ..ClaimEdit::default().due(&claim, due) });
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ClaimLetter, claim.id);
    let mut said = json!({ "letter": letter.map(|letter| letter.facts), "deadline": due });
    let clocked = clocked(&claim, letter, &levels);
    if let (Some((.., level)), Some(said)) = (clocked, said.as_object_mut()) {
        said.insert("decision_due".into(), json!(level.decision_due));
    }
    // The deadline depends on what was filed for the claim, and on the last level of its case.
    let filed = filed_as_read(practice_id, [&claim].into_iter());
    let case = claim.case_id.zip(claim.appeal.case);
    let case = case.map(|(case, read)| unchanged(practice_id, case, read.version));
    let (guard, writes) = changes([change].into(), [], person, ctx);
    let mut set = Change::new(audit.detail(said), Answer::new(200, &answer)).guard(guard);
    set.guards.extend([Some(filed), case].into_iter().flatten());
    let clock = clocked.map(|(case, version, level)| {
        let level = written(practice_id, case, &level, person.user_id, ctx.now);
        [level, raised(practice_id, case, version.saturating_add(1))]
    });
    Ok(writes.into_iter().chain(clock.into_iter().flatten()).fold(set, Change::write))
}

/// The last level of the claim's case, and the version of the case, if the plan in the letter gives the payer less time.
fn clocked(claim: &StoredWorkClaim, letter: Option<Letter>, levels: &[Level]) -> Option<(CaseId, i64, Level)> {
    let (case_id, case) = claim.case_id.zip(claim.appeal.case).filter(|_| claim.status == ClaimStatus::InAppeal)?;
    let (plan, _) = Appeal { letter, ..claim.appeal.clone() }.known();
    Some((case_id, case.version, payer_clock::sooner(levels, plan)?))
}

/// Checks that the facts do not contradict each other.
fn check(claim: &StoredWorkClaim, facts: LetterFacts) -> Result<(), RequestError> {
    let denied = facts.denial_date.or(claim.appeal.denial_date);
    match facts.appeal_due {
        None if facts.counts == LetterCounts::Letter => {
            Err(RequestError::invalid("appeal_due", Rule::RequiredIf("if the letter's day counts")))
        }
        Some(due) if denied.is_some_and(|denied| due < denied) => {
            Err(RequestError::invalid("appeal_due", Rule::NotBefore("denial_date")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
