//! Claims of one practice that one request names: all of them change, or none.

use crate::claim_changes::{ClaimChange, ClaimEdit, OfClaim, Version};
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::moves;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Id;
use overturn_core::base::id::{ClaimId, UserId};
use overturn_core::claims::ClaimStatus;
use overturn_core::request::problem::{Problem, Rule};

body! {
    /// A claim of the practice that a request names, in the version that the caller has seen.
    #[derive(Clone, Copy, PartialEq, Eq)]
    NamedClaim { id: Id<ClaimId>, version: Version }
}

impl OfClaim for NamedClaim {
    fn claim(&self) -> ClaimId {
        self.id
    }
}

/// The ids of the claims, in order.
pub(crate) fn ids(claims: &[NamedClaim]) -> Vec<ClaimId> {
    claims.iter().map(|claim| claim.id).collect()
}

/// The path of a claim in the request.
fn place(n: usize) -> String {
    format!("claims[{n}]")
}

/// The loaded records of the claims, in order, if all were found in the versions that the caller has seen.
///
/// # Errors
///
/// [`RequestError::Invalid`], which names each claim that the practice does not have, and [`RequestError::Stuck`], which
/// names each claim that another change came first for.
pub(crate) fn all<T>(
    asked: &[NamedClaim],
    found: Vec<Option<T>>,
    version: impl Fn(&T) -> i64,
) -> Result<Vec<T>, RequestError> {
    let rule = || Rule::MustBe("a claim of the practice".into());
    let missing = named(found.iter().map(Option::is_none), rule);
    if !missing.is_empty() {
        return Err(RequestError::Invalid(missing));
    }
    let found: Vec<T> = found.into_iter().flatten().collect();
    let pairs = asked.iter().zip(&found);
    let changed = pairs.map(|(asked, found)| asked.version != version(found));
    let changed = named(changed, || Rule::Changed);
    if changed.is_empty() { Ok(found) } else { Err(RequestError::Stuck(Reason::VersionConflict, changed)) }
}

/// A problem for each claim that has one.
fn named(has: impl Iterator<Item = bool>, rule: impl Fn() -> Rule) -> Vec<Problem> {
    let places = has.enumerate().filter(|(_, has)| *has);
    places.map(|(n, _)| Problem::new(place(n), rule())).collect()
}

/// Moves all claims to another status, by a staff member. `set` returns the other changes of a claim.
///
/// # Errors
///
/// [`RequestError::Stuck`], which names each claim that prevents it. Its reason is that of the first one.
pub(crate) fn moved(
    practice_id: PracticeId,
    claims: &[StoredWorkClaim],
    (to, set): (ClaimStatus, impl Fn(&StoredWorkClaim) -> ClaimEdit),
    by: UserId,
) -> Result<Vec<ClaimChange>, RequestError> {
    let mut changes = Vec::with_capacity(claims.len());
    let mut stuck = Vec::new();
    let mut first = None;
    for (n, claim) in claims.iter().enumerate() {
        match moves::find(claim.state(), to, by) {
            Ok(_) => {
                let change = ClaimChange::of(practice_id, claim, ClaimEventKind::Moved);
                changes.push(change.to(to).set(set(claim)));
            }
            Err(RequestError::Stuck(reason, why)) => {
                first = first.or(Some(reason));
                let why = why.into_iter().map(|why| Rule::Inner(why.into()));
                stuck.extend(why.map(|rule| Problem::new(place(n), rule)));
            }
            Err(other) => return Err(other),
        }
    }
    match first {
        None => Ok(changes),
        Some(reason) => Err(RequestError::Stuck(reason, stuck)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::said;

    use uuid::Uuid;

    #[test]
    fn a_record_that_is_missing_or_has_changed_is_named_by_its_path() {
        let asked = [1, 2, 3].map(|version| NamedClaim { id: ClaimId(Uuid::from_u128(1)), version });
        let all = |found: [Option<i64>; 3]| all(&asked, found.into(), |version| *version);
        assert_eq!(all([Some(1), Some(2), Some(3)]), Ok(vec![1, 2, 3]));
        let missing = all([None, Some(7), None]).unwrap_err();
        let places = ["claims[0]", "claims[2]"];
        let texts = places.map(|item| format!("{item} must be a claim of the practice"));
        assert_eq!(said(missing), texts);
        let changed = all([Some(2), Some(2), Some(4)]).unwrap_err();
        assert_eq!(changed.reason(), Some(Reason::VersionConflict));
        let RequestError::Stuck(_, problems) = changed else {
            panic!("{changed:?}");
        };
        let texts = places.map(|item| format!("{item} has changed, read it again"));
        assert_eq!(overturn_core::request::problem::texts(&problems), texts);
    }
}
