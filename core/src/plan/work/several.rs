//! Several claims that one request names, possibly of several practices. Each is decided alone, and the batch has what
//! can be done. So a claim that has changed keeps no other one back.

use crate::auth::disclosure::{self, PracticeState};
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::names::names;
use crate::plan::audit::Event;
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::{audit, changes};
use crate::plan::guard::Guard;
use crate::plan::work::change::{ClaimAnswer, ClaimChange};
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN};
use crate::plan::write::Write;
use crate::request::body::{List, Object, Text, Whole, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::if_match::Seen;
use crate::request::problem::Rule;
use crate::request::reason::Reason;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The most claims in one request.
pub const SEVERAL_MAX: usize = 100;
/// The highest version. It is exact in JavaScript.
const VERSION_MAX: i64 = 999_999_999_999_999;

object! {
    /// A claim that a request names, unchecked.
    RawSeenClaim { practice_id: Text<'a>, id: Text<'a>, version: Whole, }
}

/// A claim that a request names, in the version that the caller has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenClaim {
    pub practice_id: PracticeId,
    pub id: ClaimId,
    pub version: i64,
}

/// Reads `claims`: 1 to 100 claims, each once.
pub(crate) fn read(p: &mut Problems, value: List<RawSeenClaim<'_>>) -> Option<Vec<SeenClaim>> {
    read_each(p, value, seen, |claim| claim.id)
}

/// Reads `claims`: 1 to 100 objects, each about another claim.
pub(crate) fn read_each<R, T>(
    p: &mut Problems,
    value: List<R>,
    read: impl Fn(&mut Problems, R) -> Option<T>,
    id: impl Fn(&T) -> ClaimId,
) -> Option<Vec<T>> {
    let (items, count) = match value {
        List::Given { items, count } if count > 0 => (items, count),
        List::Absent | List::Given { .. } => {
            p.add("claims", Rule::Required);
            return None;
        }
        List::Wrong => {
            p.add("claims", Rule::Array);
            return None;
        }
    };
    if count > SEVERAL_MAX {
        p.add("claims", Rule::Items(SEVERAL_MAX));
        return None;
    }
    let before = p.count();
    let mut claims: Vec<T> = Vec::with_capacity(items.len());
    for (n, item) in items.into_iter().enumerate() {
        match item {
            Object::Given(item) => {
                let mut of_item = Problems::default();
                let claim = read(&mut of_item, item);
                for problem in of_item.into_list() {
                    p.add(format!("claims[{n}].{}", problem.field), problem.rule);
                }
                let again = |claim: &T| claims.iter().any(|before| id(before) == id(claim));
                if claim.as_ref().is_some_and(again) {
                    p.add(format!("claims[{n}].id"), Rule::Once);
                }
                claims.extend(claim);
            }
            Object::Absent | Object::Wrong => p.add(format!("claims[{n}]"), Rule::Object),
        }
    }
    (p.count() == before).then_some(claims)
}

fn seen(p: &mut Problems, raw: RawSeenClaim<'_>) -> Option<SeenClaim> {
    field::repeated(p, "", &raw.repeated);
    let practice = field::id(p, "practice_id", raw.practice_id).map(PracticeId);
    let id = field::id(p, "id", raw.id).map(ClaimId);
    let version = version(p, &raw.version);
    let ((practice_id, id), version) = practice.zip(id).zip(version)?;
    Some(SeenClaim { practice_id, id, version })
}

/// Reads the version of a record.
pub(crate) fn version(p: &mut Problems, value: &Whole) -> Option<i64> {
    field::required_whole(p, "version", value, 1..=VERSION_MAX)
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

/// What became of a claim.
#[derive(Serialize)]
struct ClaimResult {
    id: ClaimId,
    status: ClaimResultStatus,
    claim: Option<ClaimAnswer>,
    reason: Option<Reason>,
    message: Option<String>,
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
pub(crate) fn decide(
    (event, ctx): (Event, &Ctx),
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
    let answer = Answer::new(200, &json!({ "results": results }));
    let mut entries = entries.into_iter();
    let Some(first) = entries.next() else {
        return Change::nothing(answer);
    };
    let mut practices: Vec<PracticeId> = changed.iter().map(|of| of.practice_id).collect();
    practices.sort_unstable();
    practices.dedup();
    let (guard, writes) = changes(changed, [], ctx);
    let change = Change::new(first, answer).guard(Guard::AllReadable(practices)).guard(guard);
    let writes = entries.map(Write::Audit).chain(writes);
    writes.fold(change, Change::write)
}
