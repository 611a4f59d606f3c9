//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer that are appealed together, level by level.

mod view;

pub use view::{CaseClaim, CaseItem, CaseView, LevelView, list, show};

use super::fit::{Side, misfit};
use super::gather;
use super::levels::New as NewLevel;
use super::levels::joined;
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{CaseId, ClaimId, PracticeId};
use crate::plan::Write;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::changes;
use crate::plan::claims::ClaimStatus;
use crate::plan::work::claim::Stored;
use crate::plan::work::level::{Level, LevelRow};
use crate::plan::work::records::NewCase;
use crate::request::body::{Text, Texts, object};
use crate::request::denied::Denied;
use crate::request::field::{self, Problems};
use crate::request::if_match::Seen;
use crate::request::open::Open;
use alloc::vec::Vec;
use alloc::{format, vec};
use serde::{Deserialize, Serialize};
use serde_json::json;

object! {
    /// The body that opens a case, as it came.
    RawCase { claims: Texts<'a>, kind: Text<'a>, due_on: Text<'a>, }
}

/// That there is no such case in the practice.
pub const UNKNOWN: Denied = Denied::NotFound("no such case");

/// A case to be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct New {
    /// Its claims.
    pub claims: Vec<ClaimId>,
    /// Its first level.
    pub level: NewLevel,
}

/// A claim that may go into a case.
#[derive(Clone, Debug, Deserialize)]
pub struct Candidate {
    /// The claim.
    pub claim: Stored,
    /// What tells whether it fits the others.
    pub side: Side,
}

/// A case to be changed, as far as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredCase {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// Its levels, the first one first.
    pub levels: Vec<Level>,
    /// The claims that are appealed in it now.
    pub claims: Vec<Stored>,
    /// Those that were in it and are appealed in another case now.
    pub elsewhere: Vec<Elsewhere>,
}

/// A claim that was in a case and is appealed in another one.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Elsewhere {
    /// The claim.
    pub claim: Stored,
    /// The last level of the case that it is in.
    pub level: Option<Level>,
}

/// What a change of a case answers. `version` is what its `ETag` begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// The level that was begun or changed.
    pub level: Level,
}

/// The case as the caller has seen it.
///
/// # Errors
///
/// [`UNKNOWN`], then those of [`Seen::is`].
pub fn seen(stored: Option<StoredCase>, seen: Seen) -> Result<StoredCase, Denied> {
    let stored = stored.ok_or(UNKNOWN)?;
    seen.is(stored.version)?;
    Ok(stored)
}

/// Reads `{claims, kind, due_on?}`.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<New, Denied> {
    let raw: RawCase<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let claims = gather::read(&mut p, raw.claims);
    let level = NewLevel::read(&mut p, raw.kind, raw.due_on);
    p.settle(
        claims
            .zip(level)
            .map(|(claims, level)| New { claims, level }),
    )
}

/// Opens a case. Each of its claims is `in_appeal` from now on.
///
/// # Errors
///
/// [`Denied::Invalid`] where the practice does not have one of the claims or they are not of one patient and payer,
/// [`Denied::Stuck`] where one cannot be appealed from where it stands, and those of [`Open::open`].
pub fn open(
    practice_id: PracticeId,
    (found, level): (Vec<Option<Candidate>>, NewLevel),
    keys: &impl Open,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let found = gather::all(found)?;
    let payer_name = found.first().map(|first| first.side.payer_name.clone());
    let (claims, sides): (Vec<Stored>, Vec<Side>) =
        found.into_iter().map(|one| (one.claim, one.side)).unzip();
    if let Some(n) = misfit(practice_id, &sides, keys)? {
        let wrong = format!("claims[{n}] must be of the same patient and payer as those before it");
        return Err(Denied::Invalid(vec![wrong]));
    }
    let id = CaseId(ctx.id(Purpose::Record, 0));
    let level = level.level(1);
    let to = (ClaimStatus::InAppeal, |claim: &Stored| {
        joined(id, claim, Some(&level))
    });
    let moved = gather::moved(practice_id, &claims, to, person.user_id)?;
    let case = NewCase {
        practice_id,
        id,
        payer_name: payer_name.unwrap_or_default(),
        opened_by: person.user_id,
    };
    let row = LevelRow {
        practice_id,
        case_id: id,
        level,
        by: person.user_id,
    };
    let claims: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::CaseOpened, id);
    let said = json!({ "claims": claims, "kind": level.kind, "due_on": level.due_on });
    let version = 1;
    let answer = Answer::new(201, &Changed { id, version, level });
    let (guard, writes) = changes(practice_id, moved, [], ctx);
    let change = Change::new(audit.detail(said), answer)
        .guard(guard)
        .write(Write::Case(case))
        .write(Write::CaseLevel(row))
        .write(Write::CaseClaims(practice_id, id, claims));
    Ok(writes.into_iter().fold(change, Change::write))
}

/// A case that a claim is to be appealed in as well, as the store knows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Joining {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// Its last level.
    pub level: Option<Level>,
    /// Whether the claim was in it before.
    pub was_in: bool,
    /// The claim, and one that is in the case.
    pub sides: Vec<Side>,
}

impl Joining {
    /// That the claim can still be filed with the others. A claim that was in the case before can come back whatever its level:
    /// what was filed with it is known.
    ///
    /// # Errors
    ///
    /// [`Denied::Stuck`] where the last level was filed or decided without the claim. Its own appeal would then be due on no day.
    pub fn takes(&self) -> Result<(), Denied> {
        match self.level {
            Some(level) if !level.waits() && !self.was_in => Err(Denied::Stuck(vec![format!(
                "level {} of the case was filed or decided without the claim, which takes a case of its own",
                level.level
            )])),
            _ => Ok(()),
        }
    }
}

/// The case, where the claim is of its patient and payer.
///
/// # Errors
///
/// Those of [`Open::open`].
pub fn fitting(
    practice: PracticeId,
    joining: Option<Joining>,
    keys: &impl Open,
) -> Result<Option<Joining>, Denied> {
    let Some(joining) = joining else {
        return Ok(None);
    };
    let fits = misfit(practice, &joining.sides, keys)?.is_none();
    Ok(fits.then_some(joining))
}
