//! Claims of one practice that one request names: all of them change, or none.

use super::moves;
use crate::base::id::{ClaimId, PracticeId, UserId};
use crate::plan::claims::ClaimStatus;
use crate::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::work::claim::StoredWorkClaim;
use crate::request::body::{Text, Texts};
use crate::request::error::RequestError;
use crate::request::field::{Problems, is_missing_list};
use crate::request::problem::{Problem, Rule};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use uuid::Uuid;

/// The most claims in one request.
pub const CLAIMS_MAX: usize = 100;

/// Reads `claims`: 1 to 100 ids, each once.
pub(crate) fn read(p: &mut Problems, value: Texts<'_>) -> Option<Vec<ClaimId>> {
    if is_missing_list(&value) {
        p.add("claims", Rule::Required);
        return None;
    }
    let Texts::Many { items, count } = value else {
        p.add("claims", Rule::MustBe("an array of ids".into()));
        return None;
    };
    if count > CLAIMS_MAX {
        p.add("claims", Rule::Items(CLAIMS_MAX));
        return None;
    }
    let before = p.count();
    let mut ids = Vec::with_capacity(items.len());
    for (n, item) in items.iter().enumerate() {
        match id(item) {
            None => p.add(place(n), Rule::MustBe("an id".into())),
            Some(id) if ids.contains(&id) => {
                p.add(place(n), Rule::Once);
            }
            Some(id) => ids.push(id),
        }
    }
    (p.count() == before).then_some(ids)
}

/// The path of a claim in the request.
fn place(n: usize) -> String {
    format!("claims[{n}]")
}

fn id(item: &Text<'_>) -> Option<ClaimId> {
    match item {
        Text::Given(text) => Uuid::try_parse(text).ok().map(ClaimId),
        Text::Absent | Text::Wrong => None,
    }
}

/// The loaded records for the ids, in order, if all were found.
///
/// # Errors
///
/// [`RequestError::Invalid`], which names each claim that the practice does not have.
pub fn all<T>(found: Vec<Option<T>>) -> Result<Vec<T>, RequestError> {
    let missing = found.iter().enumerate().filter(|(_, one)| one.is_none());
    let missing: Vec<Problem> = missing
        .map(|(n, _)| Problem::new(place(n), Rule::MustBe("a claim of the practice".into())))
        .collect();
    if missing.is_empty() {
        Ok(found.into_iter().flatten().collect())
    } else {
        Err(RequestError::Invalid(missing))
    }
}

/// Moves all claims to another status, by a staff member. `set` returns the other changes of a claim.
///
/// # Errors
///
/// [`RequestError::Stuck`], which names each claim that prevents it. Its reason is that of the first one.
pub fn moved(
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
    use crate::request::problem::texts;
    use crate::testing::test;
    use alloc::vec;

    fn problems(value: Texts<'_>) -> Vec<String> {
        let mut p = Problems::default();
        assert_eq!(read(&mut p, value), None);
        texts(&p.into_list())
    }

    fn list(items: &[&str]) -> Texts<'static> {
        let given = |text: &&str| Text::Given(String::from(*text).into());
        Texts::Many {
            items: items.iter().map(given).collect(),
            count: items.len(),
        }
    }

    #[test]
    fn a_list_has_a_hundred_ids_at_most_each_once_and_says_which_is_wrong() {
        let id = |n: u128| alloc::format!("{}", Uuid::from_u128(n));
        let (one, two) = (id(1), id(2));
        let mut p = Problems::default();
        let ids = read(&mut p, list(&[&one, &two])).unwrap();
        assert_eq!(ids, [1, 2].map(|n| ClaimId(Uuid::from_u128(n))));
        assert_eq!(problems(Texts::Absent), ["claims is required"]);
        assert_eq!(problems(list(&[])), ["claims is required"]);
        assert_eq!(
            problems(Texts::One("x".into())),
            ["claims must be an array of ids"]
        );
        assert_eq!(
            problems(list(&[&one, "x", &one, &two, &two])),
            [
                "claims[1] must be an id",
                "claims[2] must be given only once",
                "claims[4] must be given only once",
            ]
        );
        let many: Vec<String> = (0..101).map(id).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let most = read(&mut Problems::default(), list(&many[..100]));
        assert_eq!(most.unwrap().len(), 100);
        assert_eq!(
            problems(list(&many)),
            ["claims must have at most 100 items"]
        );
    }

    #[test]
    fn a_missing_record_is_named_by_its_path() {
        assert_eq!(all(vec![Some('a'), Some('b')]), Ok(vec!['a', 'b']));
        let missing = all(vec![None, Some('b'), None]);
        let said = ["claims[0]", "claims[2]"];
        let said = said.map(|item| alloc::format!("{item} must be a claim of the practice"));
        assert_eq!(crate::testing::said(missing.unwrap_err()), said);
    }
}
