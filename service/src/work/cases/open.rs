//! Opens a case.

use crate::auth::person::Via;
use crate::claim_changes::{Claims, STORED, changes};
use crate::extract::PathPractice;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Optional;
use crate::work::cases::case::{ChangedCase, joins};
use crate::work::levels::begin::LevelRequest;
use crate::work::levels::bounds::{self, Due, NEW_DUE_DAYS_AGO};
use crate::work::levels::settle::{joined, written};
use crate::work::named_claims::{self, NamedClaim, ids};
use crate::work::results::filed_as_read;
use crate::work::same_patient::{PatientAndPayer, first_other, patient_and_payer};
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::request::problem::{Problem, Rule};

body! {
    CaseRequest {
        /// Each claim once, in the version that you have seen.
        claims: Claims<NamedClaim>,
        kind: LevelKind,
        due_on: Optional<Due<NEW_DUE_DAYS_AGO>>,
    }
}

impl CaseRequest {
    /// Its first level.
    const fn level(&self) -> LevelRequest {
        LevelRequest { kind: self.kind, due_on: self.due_on }
    }
}

/// A claim that may join a case.
#[derive(Clone, Debug, Deserialize)]
pub struct Candidate {
    pub claim: StoredWorkClaim,
    /// The facts for the comparison with the other claims.
    pub patient: PatientAndPayer,
}

/// Claims that may go into a case, in the order of their ids; `None` for one that the practice does not have.
pub fn candidates(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<Candidate>>> {
    select!(
        "work.candidates",
        "SELECT json_group_array(iif(c.id IS NULL, NULL, json_object('claim', {STORED}, 'patient', {PATIENT}))) AS json
         FROM (SELECT c.* FROM json_each({ids}) j LEFT JOIN claims c ON c.practice_id = {practice} AND c.id = j.value
           ORDER BY j.key) c"
        [STORED, PATIENT]; practice, ids = Json(ids)
    )
    .one()
}
const PATIENT: &str = patient_and_payer!("c");

/// `openCase`: Open a case.
///
/// Staff only. All claims must be of one patient and one payer. Either all of them go to `in_appeal`, or none does.
/// If a claim cannot go there or is no longer in the `version` that you have seen, the answer is `409` and names
/// each such claim. If the claims do not fit together, or one is not a claim of the practice, the answer is `422`.
/// The case begins with its first level. `due_on` is the day that the payer's letter gives: at most 30 days ago and
/// 1826 days ahead, counted from today's UTC date. A claim that has an earlier deadline of its own keeps it. `kind`
/// must be a step that the plan of every claim has.
pub(crate) async fn open(
    PathPractice(practice): PathPractice,
    request: WriteRequest<CaseRequest>,
) -> Result<Gives<ChangedCase, 201>, AppError> {
    let named = request.body().ok();
    let found = named.map(|new| candidates(practice, &ids(&new.claims)));
    let decide = request
        .change(found, |person, found, new| opened(practice, (&new, found.unwrap_or_default()), person, request.ctx()));
    decide.await
}

/// Opens a case. Each of its claims becomes `in_appeal`.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the practice does not have one of the claims or they do not have the same patient and payer,
/// [`RequestError::Stuck`] if one has changed since it was seen or its status does not allow an appeal.
pub fn opened(
    practice: PracticeId,
    (new, found): (&CaseRequest, Vec<Option<Candidate>>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let found = named_claims::all(&new.claims, found, |one| one.claim.version)?;
    let payer_name = found.first().map(|first| first.patient.payer_name.clone());
    let (claims, patients): (Vec<StoredWorkClaim>, Vec<PatientAndPayer>) =
        found.into_iter().map(|one| (one.claim, one.patient)).unzip();
    if let Some(n) = first_other(&patients) {
        let rule = Rule::MustBe("of the same patient and payer as those before it".into());
        return Err(RequestError::Invalid([Problem::new(format!("claims[{n}]"), rule)].into()));
    }
    let id = CaseId(ctx.id(Purpose::Record, 0));
    let level = new.level().level(1);
    bounds::steps([&level].into_iter(), level.kind, claims.iter())?;
    let to = (ClaimStatus::InAppeal, |claim: &StoredWorkClaim| joined(id, claim, Some(&level), ctx));
    let moved = named_claims::moved(practice, &claims, to, person.user_id)?;
    let filed = filed_as_read(practice, claims.iter());
    let claims: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let audit = Entry::new(ctx, 0, Some(practice), Event::CaseOpened, id);
    let said = json!({ "claims": claims, "kind": level.kind, "due_on": level.due_on });
    let version = 1;
    let answer = Answer::new(201, &ChangedCase { id, version, level });
    let (guard, writes) = changes(moved, [], person, ctx);
    let change = Change::new(audit.detail(said), answer)
        .guard(guard)
        .guard(filed)
        .write(sql!(
            "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by, sandbox)
             VALUES ({practice}, {id}, {payer}, {now}, {by}, CAST({sandbox} AS INTEGER)) ON CONFLICT (practice_id, id) DO NOTHING";
            practice, id, payer = payer_name.unwrap_or_default(), now = ctx.now, by = person.user_id, sandbox = usize::from(person.via == Via::Sandbox)
        ))
        .write(written(practice, id, &level, person.user_id, ctx.now))
        .write(joins(practice, id, &claims, ctx.now));
    Ok(writes.into_iter().fold(change, Change::write))
}
