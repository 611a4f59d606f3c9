//! Several claims that one request names, possibly of several practices. Each is decided alone, and the batch has what
//! can be done. So a claim that has changed keeps no other one back.

use super::change::{ClaimAnswer, ClaimChange};
use super::write::{audit, changes};
use crate::auth::disclosure::{self, PracticeState};
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN};
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use crate::request::declare::kinds::{Id, Whole};
use crate::request::declare::{Body, Field, Raw, Shape, Terms};
use overturn_core::base::id::ClaimId;
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;
use std::marker::PhantomData;

/// The most claims in one request.
pub const SEVERAL_MAX: usize = 100;
/// The version of a record. The highest one is exact in JavaScript.
pub(crate) type Version = Whole<1, 999_999_999_999_999>;

body! {
    /// A claim that a request names, in the version that the caller has seen.
    #[derive(Clone, Copy, PartialEq, Eq)]
    SeenClaim { practice_id: Id<PracticeId>, id: Id<ClaimId>, version: Version }
}

/// The practices and ids of claims, in the order of the request.
pub(crate) fn records(claims: &[SeenClaim]) -> Vec<(PracticeId, ClaimId)> {
    claims.iter().map(|claim| (claim.practice_id, claim.id)).collect()
}

/// The claims at these places.
pub(crate) fn only(claims: Vec<SeenClaim>, places: &[usize]) -> Vec<SeenClaim> {
    places.iter().filter_map(|place| claims.get(*place).copied()).collect()
}

/// An object about a claim.
pub trait OfClaim: Body {
    fn claim(&self) -> ClaimId;
}

impl OfClaim for SeenClaim {
    fn claim(&self) -> ClaimId {
        self.id
    }
}

/// 1 to 100 objects, each about another claim.
pub struct Claims<B>(PhantomData<B>);

impl<B: OfClaim> Field for Claims<B> {
    type Value = Vec<B>;

    const SHAPE: Shape = Shape::Objects(B::KEYS);

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Vec<B>> {
        let items = match raw {
            missing if missing.is_missing(Self::SHAPE) => Err(Rule::Required),
            Raw::List(_, count) if count > SEVERAL_MAX => Err(Rule::Items(SEVERAL_MAX)),
            Raw::List(items, _) => Ok(items),
            _ => Err(Rule::Array),
        };
        let items = items.map_err(|rule| p.add(name, rule)).ok()?;
        let before = p.count();
        let mut claims: Vec<B> = Vec::with_capacity(items.len());
        for (n, item) in items.into_iter().enumerate() {
            let Raw::Object(item) = item else {
                p.add(format!("{name}[{n}]"), Rule::Object);
                continue;
            };
            claims.extend(p.inside(format_args!("{name}[{n}]"), |p| {
                let claim = B::read(p, item, terms)?;
                if claims.iter().any(|before| before.claim() == claim.claim()) {
                    p.add("id", Rule::Once);
                }
                Some(claim)
            }));
        }
        (p.count() == before).then_some(claims)
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        json!({ "type": "array", "minItems": 1, "maxItems": SEVERAL_MAX, "items": B::schema() })
    }
}

/// The stored facts about a claim that a request names.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct FoundClaim {
    /// The state of the practice, and whether its agreement is in force; `None` if there is no such practice.
    pub practice: Option<(String, bool)>,
    /// The claim; `None` if the practice has no such claim.
    pub claim: Option<StoredWorkClaim>,
}

names! {
    /// What became of a claim that a request names.
    ClaimResultStatus {
        /// The change was made.
        Done = "done",
        /// It was refused, with the reason.
        Refused = "refused",
    }
}

/// What became of each claim, in the order of the request.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ClaimResults {
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = SEVERAL_MAX)))]
    results: Vec<ClaimResult>,
}

/// What became of a claim. `claim` is its current state, also if it was refused. It is `null` if the claim cannot be found
/// or its practice's data may not be read. `reason` and `message` are `null` for a claim that is `done`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ClaimResult {
    id: ClaimId,
    status: ClaimResultStatus,
    claim: Option<ClaimAnswer>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<AsTaken<RefusedBy>>"))]
    reason: Option<Reason>,
    message: Option<String>,
}

#[cfg(feature = "schema")]
crate::request::declare::kinds::some_of! {
    /// Why one of several claims is refused.
    RefusedBy: Reason = [
        Reason::VersionConflict,
        Reason::MoveNotPossible,
        Reason::AlreadySigned,
        Reason::PracticeInactive,
        Reason::AgreementRequired,
        Reason::NotFound,
    ]
}

impl ClaimResult {
    fn done(claim: ClaimAnswer) -> Self {
        Self { id: claim.id, status: ClaimResultStatus::Done, claim: Some(claim), reason: None, message: None }
    }

    /// The refusal of a claim, with its current state if it can be shown.
    fn refused(id: ClaimId, denied: &RequestError, stored: Option<&StoredWorkClaim>) -> Self {
        Self {
            id,
            status: ClaimResultStatus::Refused,
            claim: stored.map(ClaimAnswer::of),
            reason: Some(denied.reason().unwrap_or(Reason::NotFound)),
            message: Some(denied.to_string()),
        }
    }
}

impl FoundClaim {
    /// The claim, if its practice's patient data may be changed.
    fn readable(&self) -> Result<&StoredWorkClaim, RequestError> {
        let (state, agreement) = self.practice.as_ref().ok_or(UNKNOWN)?;
        disclosure::allowed(PracticeState::stored(state), *agreement)?;
        self.claim.as_ref().ok_or(UNKNOWN)
    }
}

/// Decides about each claim alone. `found` has the claims in the order of `asked`. `decide` gets the position of a claim,
/// its practice and the claim, and returns its change, or `None` if it stays as it is.
pub(crate) fn decide_each(
    (event, person, ctx): (Event, &Person, &Ctx),
    asked: &[SeenClaim],
    found: Vec<FoundClaim>,
    mut decide: impl FnMut(usize, PracticeId, &StoredWorkClaim) -> Result<Option<ClaimChange>, RequestError>,
) -> Change {
    let mut results = Vec::with_capacity(asked.len());
    let mut changed: Vec<ClaimChange> = Vec::new();
    let mut entries = Vec::new();
    let mut found = found.into_iter();
    for (n, seen) in asked.iter().enumerate() {
        let found = found.next().unwrap_or(FoundClaim { practice: None, claim: None });
        let stored = match found.readable() {
            Ok(stored) => stored,
            Err(denied) => {
                results.push(ClaimResult::refused(seen.id, &denied, None));
                continue;
            }
        };
        let decided = Seen::Version(seen.version).is(stored.version).and_then(|()| decide(n, seen.practice_id, stored));
        results.push(match decided {
            Ok(Some(change)) => {
                let answer = ClaimAnswer::after(stored, &change);
                entries.push(audit(event, n, &change, ctx));
                changed.push(change);
                ClaimResult::done(answer)
            }
            Ok(None) => ClaimResult::done(ClaimAnswer::of(stored)),
            Err(denied) => ClaimResult::refused(seen.id, &denied, Some(stored)),
        });
    }
    let answer = Answer::new(200, &ClaimResults { results });
    let mut entries = entries.into_iter();
    let Some(first) = entries.next() else {
        return Change::nothing(answer);
    };
    let mut practices: Vec<PracticeId> = changed.iter().map(|of| of.practice_id).collect();
    practices.sort_unstable();
    practices.dedup();
    let (guard, writes) = changes(changed, [], person, ctx);
    let change = Change::new(first, answer).guard(Guard::AllReadable(practices)).guard(guard);
    let writes = entries.map(Write::Audit).chain(writes);
    writes.fold(change, Change::write)
}
