//! `POST /api/v1/staff/patients/search`: the claims of a patient, by name and date of birth. Nothing stores a name in the
//! clear: the name becomes keyed tags, and claims are found by their tags. The query is a body, because addresses are logged.

use super::queue::{QueueItem, QueuedClaim};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::sealed::StoredDataKey;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claims::Patient;
use crate::plan::{Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Id, Optional, PastDay, Text};
use crate::request::error::RequestError;
use crate::request::problem::Rule;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The most claims that are shown.
pub const SHOWN_MAX: usize = 100;
/// The most practices among whose claims one search looks.
pub const PRACTICES_MAX: usize = 1_000;
/// How many claims are read to find those that are still `received`, which no index has by patient.
pub const SCAN_MAX: usize = 5_000;

body! {
    PatientSearch {
        first_name: Text<200>,
        last_name: Text<200>,
        date_of_birth: PastDay,
        /// Only among the claims of this practice.
        practice_id: Optional<Id<PracticeId>>,
    }
}

impl PatientSearch {
    fn patient(&self) -> Patient<'_> {
        Patient {
            first_name: self.first_name.as_str().into(),
            last_name: self.last_name.as_str().into(),
            date_of_birth: self.date_of_birth,
            account_number: None,
            member_id: None,
        }
    }
}

/// A practice whose claims may be read, with its newest data key, which makes tags.
#[derive(Clone, Debug, Deserialize)]
pub struct SearchedPractice {
    pub id: PracticeId,
    /// Its newest data key.
    pub data_key: Option<StoredDataKey>,
}

/// The tag of the patient in a practice. Each practice gives another one.
pub type PatientTag = (PracticeId, String);

/// The practices to search, and what is known about the search so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tagged {
    pub tags: Vec<PatientTag>,
    /// True if every practice is searched.
    pub complete: bool,
}

/// The tags of the patient. `tag` gives that of a practice, `None` if the practice has no data key and so no claims, and
/// an error if its key cannot be used.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the claims of the practice that the caller named may not be read.
pub fn tagged(
    search: &PatientSearch,
    mut practices: Vec<SearchedPractice>,
    tag: impl Fn(&SearchedPractice, &Patient<'_>) -> Result<Option<String>, RequestError>,
) -> Result<Tagged, RequestError> {
    if search.practice_id.is_some() && practices.is_empty() {
        let rule = Rule::MustBe("a practice whose claims may be read".into());
        return Err(RequestError::invalid("practice_id", rule));
    }
    let mut complete = practices.len() <= PRACTICES_MAX;
    practices.truncate(PRACTICES_MAX);
    let mut all = Vec::new();
    for practice in &practices {
        match tag(practice, &search.patient()) {
            Ok(tag) => all.extend(tag.map(|tag| (practice.id, tag))),
            Err(_) => complete = false,
        }
    }
    Ok(Tagged { tags: all, complete })
}

/// The result of the statement.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct FoundPatient {
    /// The claims, at most one more than are shown.
    pub claims: Vec<QueueItem>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub cut: bool,
    /// How many claims were read to find those that are still `received`.
    pub scanned: usize,
}

/// The claims of the patient, as answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct PatientClaims {
    claims: Vec<QueuedClaim>,
    complete: bool,
}

/// A search that was decided: what to commit before its answer, and the claim that counts as opened, if any was found.
#[derive(Debug)]
pub struct Searched {
    /// The rows of the trails, the guards, and the answer.
    pub change: Change,
    /// A claim of the patient.
    pub opened: Option<(PracticeId, ClaimId)>,
}

/// The answer, and the rows of the trails: one in the staff's own trail, and one about each claim that was found in the trail
/// of its practice. None of them has the name or a tag.
#[must_use]
pub fn answer((search, tagged): (PatientSearch, Tagged), found: FoundPatient, person: &Person, ctx: &Ctx) -> Searched {
    let is_cut = found.cut || found.claims.len() > SHOWN_MAX;
    let complete = tagged.complete && !is_cut && found.scanned < SCAN_MAX;
    let claims = found.claims.into_iter().take(SHOWN_MAX);
    let claims: Vec<QueuedClaim> = claims.map(|item| QueuedClaim::of(item, person, ctx.now)).collect();
    let of = |claim: &QueuedClaim| (claim.item.practice.id, claim.item.id);
    let of: Vec<(PracticeId, ClaimId)> = claims.iter().map(of).collect();
    let ids: Vec<ClaimId> = of.iter().map(|(_, id)| *id).collect();
    let said = json!({ "practice_id": search.practice_id, "found": ids });
    let own = Entry::new(ctx, 0, None, Event::PatientSearched, person.user_id).detail(said);
    let mut practices: Vec<PracticeId> = of.iter().map(|(practice, _)| *practice).collect();
    practices.sort_unstable();
    practices.dedup();
    let answer = Answer::new(200, &PatientClaims { claims, complete });
    let change = Change::new(own, answer).guard(Guard::AllReadable(practices));
    let rows = of.iter().zip(1..).map(|((practice, claim), n)| {
        let found = Event::PatientSearched;
        Write::Audit(Entry::new(ctx, n, Some(*practice), found, *claim))
    });
    Searched { change: rows.fold(change, Change::write), opened: of.first().copied() }
}

#[cfg(test)]
mod tests;
