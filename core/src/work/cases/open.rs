//! Opens a case.

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{CaseId, ClaimId, PracticeId};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::changes;
use crate::plan::claims::ClaimStatus;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::LevelRow;
use crate::plan::work::level_names::LevelKind;
use crate::plan::work::records::NewCase;
use crate::plan::work::several::Claims;
use crate::plan::{Guard, WorkGuard, WorkWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Optional;
use crate::request::error::RequestError;
use crate::request::problem::{Problem, Rule};
use crate::work::cases::case::ChangedCase;
use crate::work::fit::{Side, misfit};
use crate::work::gather::{self, Gathered};
use crate::work::levels::begin::LevelRequest;
use crate::work::levels::bounds::{self, Due, NEW_DUE_DAYS_AGO};
use crate::work::levels::settle::joined;
use alloc::format;
use alloc::vec::Vec;
use serde::Deserialize;
use serde_json::json;

body! {
    CaseRequest {
        /// Each claim once, in the version that you have seen.
        claims: Claims<Gathered>,
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
    pub side: Side,
}

/// Opens a case. Each of its claims becomes `in_appeal`.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the practice does not have one of the claims or they do not have the same patient and payer,
/// [`RequestError::Stuck`] if one has changed since it was seen or its status does not allow an appeal.
pub fn open(
    practice_id: PracticeId,
    (new, found): (&CaseRequest, Vec<Option<Candidate>>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let found = gather::all(&new.claims, found, |one| one.claim.version)?;
    let payer_name = found.first().map(|first| first.side.payer_name.clone());
    let (claims, sides): (Vec<StoredWorkClaim>, Vec<Side>) = found.into_iter().map(|one| (one.claim, one.side)).unzip();
    if let Some(n) = misfit(&sides) {
        let rule = Rule::MustBe("of the same patient and payer as those before it".into());
        return Err(RequestError::Invalid([Problem::new(format!("claims[{n}]"), rule)].into()));
    }
    let id = CaseId(ctx.id(Purpose::Record, 0));
    let level = new.level().level(1);
    bounds::steps([&level].into_iter(), level.kind, claims.iter())?;
    let to = (ClaimStatus::InAppeal, |claim: &StoredWorkClaim| joined(id, claim, Some(&level), ctx));
    let moved = gather::moved(practice_id, &claims, to, person.user_id)?;
    let case = NewCase { practice_id, id, payer_name: payer_name.unwrap_or_default(), opened_by: person.user_id };
    let row = LevelRow { practice_id, case_id: id, level, by: person.user_id };
    let filed = Guard::Work(WorkGuard::filed(practice_id, claims.iter()));
    let claims: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::CaseOpened, id);
    let said = json!({ "claims": claims, "kind": level.kind, "due_on": level.due_on });
    let version = 1;
    let answer = Answer::new(201, &ChangedCase { id, version, level });
    let (guard, writes) = changes(moved, [], ctx);
    let change = Change::new(audit.detail(said), answer)
        .guard(guard)
        .guard(filed)
        .write(Write::Work(WorkWrite::NewCase(case)))
        .write(Write::Work(WorkWrite::CaseLevel(row)))
        .write(Write::Work(WorkWrite::CaseClaims { practice: practice_id, case: id, claims }));
    Ok(writes.into_iter().fold(change, Change::write))
}
