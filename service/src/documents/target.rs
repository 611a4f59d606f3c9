//! What a file belongs to: the small parts of an upload, and the manifest of a bulk upload.

use super::document::DocumentKind;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Changed, Id, Optional, Text};
use crate::request::declare::{Body, Raw, RawObject, Terms};
use overturn_core::base::id::ClaimId;
use overturn_core::base::text;
use overturn_core::claims::NUMBER_MAX;
use overturn_core::request::field::Problems;
use overturn_core::request::problem::{Problem, Rule};
use serde_json::Value;
use std::collections::BTreeMap;

body! {
    /// What a file belongs to, as the caller says.
    #[derive(Clone, PartialEq, Eq, Default, Serialize)]
    closed Target {
        claim_id: Changed<Id<ClaimId>>,
        claim_number: Optional<Text<NUMBER_MAX>>,
        /// What the document is.
        kind: Changed<DocumentKind>,
    }
}

body! {
    OfPractice { practice_id: Changed<Id<PracticeId>> }
}

/// The small parts of an upload, in the form in which they came. An absent or blank part is the same as none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Fields {
    values: BTreeMap<&'static str, String>,
    twice: Vec<&'static str>,
}

impl Fields {
    /// The names of the small parts of an upload.
    pub(super) const OF_ONE: &[&'static str] = &["practice_id", "claim_id", "claim_number", "kind"];
    /// The small part of a bulk upload. Its manifest says the rest.
    pub(super) const OF_SEVERAL: &[&'static str] = &["practice_id"];

    /// Adds a part that has one of these names. False if it has another one.
    pub(super) fn add(&mut self, known: &[&'static str], name: &str, value: String) -> bool {
        let Some(name) = known.iter().copied().find(|known| *known == name) else {
            return false;
        };
        if self.values.insert(name, value).is_some() {
            self.twice.push(name);
        }
        true
    }

    /// The parts with the keys of a body.
    fn read<B: Body>(&self, terms: Terms<'_>) -> Result<B, RequestError> {
        let value = |name| self.values.get(name).filter(|value| !text::is_blank(value));
        let raw = RawObject::of(B::KEYS, |name| value(name).map(|value| Raw::Text(value.into())), &self.twice);
        let mut p = Problems::default();
        let read = B::read(&mut p, raw, terms);
        p.settle(read).map_err(RequestError::Invalid)
    }

    /// The practice that a member of staff uploads for.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] if it is not an id.
    pub(super) fn practice(&self, terms: Terms<'_>) -> Result<Option<PracticeId>, RequestError> {
        self.read(terms).map(|of: OfPractice| of.practice_id)
    }

    /// What the file belongs to.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] with every problem.
    pub(super) fn target(&self, terms: Terms<'_>) -> Result<Target, RequestError> {
        self.read(terms)
    }
}

/// Reads the manifest of a bulk upload: the name of a part → `{claim_id, claim_number, kind}`.
///
/// # Errors
///
/// [`RequestError::Invalid`] with the problems. The name of a part is not repeated.
pub(super) fn manifest(body: &[u8], terms: Terms<'_>) -> Result<BTreeMap<String, Target>, RequestError> {
    let wrong = || RequestError::invalid("manifest", Rule::Object);
    // The cause stays out: its text repeats what was sent.
    let raw: BTreeMap<String, Value> = serde_json::from_slice(body).map_err(|_| wrong())?;
    let mut problems = Vec::new();
    let mut targets = BTreeMap::new();
    for (name, raw) in raw {
        match Target::parse(raw.to_string().as_bytes(), terms) {
            Ok(target) => {
                targets.insert(name, target);
            }
            Err(RequestError::Invalid(found)) => {
                problems.extend(found.into_iter().map(|mut one| {
                    if one.field == "body" {
                        one.field = "manifest".into();
                    }
                    Problem::new("manifest", Rule::Inner(one.into()))
                }));
            }
            Err(_) => return Err(wrong()),
        }
    }
    if problems.is_empty() { Ok(targets) } else { Err(RequestError::Invalid(problems)) }
}

/// The claim that a target names, as the practice has it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct FoundClaim {
    pub(super) id: ClaimId,
    pub(super) claim_number: String,
}

/// The claims that targets name, in the same order; `None` for one that the practice does not have. An id goes before a
/// number.
pub(super) fn claims(practice: PracticeId, targets: &[&Target]) -> Query<Vec<Option<FoundClaim>>> {
    let named: Vec<_> = targets.iter().map(|target| (target.claim_id, target.claim_number.as_ref())).collect();
    select!(
        "documents.claims",
        "SELECT json_group_array(json(found)) AS json FROM (
           SELECT coalesce(
             (SELECT json_object('id', c.id, 'claim_number', c.claim_number) FROM claims c
              WHERE c.practice_id = {practice} AND c.id = j.value ->> 0),
             (SELECT json_object('id', c.id, 'claim_number', c.claim_number) FROM claims c
              WHERE c.practice_id = {practice} AND j.value ->> 0 IS NULL AND c.claim_number = j.value ->> 1)) AS found
           FROM json_each({named}) j ORDER BY j.key)";
        practice, named = Json(named)
    )
    .or_default()
}

impl Target {
    /// True if it names a claim.
    pub(super) const fn names_claim(&self) -> bool {
        self.claim_id.is_some() || self.claim_number.is_some()
    }

    /// The claim, given what the practice has.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] if the practice has no such claim, or the id and the number name different ones.
    pub(super) fn claim(&self, found: Option<FoundClaim>) -> Result<Option<FoundClaim>, RequestError> {
        if !self.names_claim() {
            return Ok(None);
        }
        let field = if self.claim_id.is_some() { "claim_id" } else { "claim_number" };
        let unknown = || RequestError::invalid(field, Rule::MustBe("a claim of the practice".into()));
        let found = found.ok_or_else(unknown)?;
        let other = |number: &String| *number != found.claim_number;
        if self.claim_number.as_ref().is_some_and(other) {
            let rule = Rule::MustBe("the number of the claim with this claim_id".into());
            return Err(RequestError::invalid("claim_number", rule));
        }
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::{said, terms};
    use overturn_core::testing::ctx;

    const ID: &str = "01a202f1-cebf-7eec-a4f5-b2b1130f5505";

    fn fields(given: &[(&str, &str)]) -> Fields {
        let mut fields = Fields::default();
        for (name, value) in given {
            assert!(fields.add(Fields::OF_ONE, name, (*value).to_owned()), "{name}");
        }
        fields
    }

    #[test]
    fn every_part_may_be_missing_or_blank() {
        for given in [&[][..], &[("claim_id", " "), ("claim_number", ""), ("kind", "\t")]] {
            assert_eq!(fields(given).target(terms(&ctx())), Ok(Target::default()));
        }
        assert!(!Fields::default().add(Fields::OF_ONE, "file", String::new()));
        assert!(!Fields::default().add(Fields::OF_SEVERAL, "kind", String::new()));
    }

    #[test]
    fn every_problem_is_named_and_no_value_repeated() {
        let long = "9".repeat(129);
        let wrong = fields(&[("claim_id", "x"), ("claim_number", &long), ("kind", "letter"), ("kind", "letter")]);
        let problems = said(wrong.target(terms(&ctx())).unwrap_err());
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(problems.iter().all(|said| !said.contains("letter ")));
        assert_eq!(
            said(fields(&[("practice_id", "7")]).practice(terms(&ctx())).unwrap_err()),
            ["practice_id must be an id"]
        );
        // The practice is read first, and leaves what is wrong with the rest to the list of all problems.
        assert_eq!(wrong.practice(terms(&ctx())), Ok(None));
    }

    #[test]
    fn a_manifest_ties_parts_to_claims() {
        let body =
            format!(r#"{{"a":{{"claim_number":"C-1","kind":"remittance"}},"b":{{"claim_id":"{ID}"}},"c":{{}}}}"#);
        let read = manifest(body.as_bytes(), terms(&ctx())).unwrap();
        assert_eq!(read["a"].claim_number.as_deref(), Some("C-1"));
        assert_eq!(read["a"].kind, Some(DocumentKind::Remittance));
        assert!(read["b"].claim_id.is_some());
        assert_eq!(read["c"], Target::default());
    }

    #[test]
    fn a_wrong_manifest_says_what_is_wrong() {
        for wrong in ["", "[]", "7", "{\"a\":", "{\"a\":7}"] {
            assert!(manifest(wrong.as_bytes(), terms(&ctx())).is_err(), "{wrong}");
        }
        let problems = said(manifest(br#"{"a":{"kind":"x","claim":"y"}}"#, terms(&ctx())).unwrap_err());
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn a_claim_must_be_the_practices_own_and_id_and_number_the_same() {
        let found = || Some(FoundClaim { id: ClaimId(ID.parse().unwrap()), claim_number: "C-1".into() });
        let by_number = |number: &str| Target {
            claim_number: Some(number.into()),
            claim_id: Some(ClaimId(ID.parse().unwrap())),
            ..Target::default()
        };
        assert_eq!(by_number("C-1").claim(found()), Ok(found()));
        assert!(by_number("C-2").claim(found()).is_err());
        assert!(by_number("C-1").claim(None).is_err());
        assert_eq!(Target::default().claim(found()), Ok(None));
    }
}
