//! `POST /api/v1/staff/patients/search`: the claims of a patient, by name and date of birth. Nothing stores a name in the
//! clear: the name becomes keyed tags, and claims are found by their tags. The query is a body, because addresses are logged.

use crate::call::Call;
use crate::pipeline::{Searched, tampered};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Id, Optional, PastDay, Text};
use crate::request::due_place::DuePlace;
use crate::request::page::merged;
use crate::work::queue::sql::claims_page;
use crate::work::queue::{QueueItem, QueuedClaim, found_claims};
use crate::work::sql::{CLAIM_PRACTICE, DEADLINE, KEPT_LINK, LETTER, TAKEN_BY};
use overturn_core::base::id::ClaimId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::Patient;
use overturn_core::request::problem::Rule;
use std::rc::Rc;

/// The most claims that are shown.
pub(crate) const SHOWN_MAX: usize = 100;
/// The most practices among whose claims one search looks.
pub(crate) const PRACTICES_MAX: usize = 1_000;
/// How many claims are read to find those that are still `received`, which no index has by patient.
pub(crate) const SCAN_MAX: usize = 5_000;

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
pub(crate) struct SearchedPractice {
    pub id: PracticeId,
    /// Its newest data key.
    pub data_key: Option<StoredDataKey>,
}

/// The tag of the patient in a practice. Each practice gives another one.
pub(crate) type PatientTag = (PracticeId, String);

/// The practices whose claims may be read, of which one more than are searched.
pub(super) fn searched(practice: Option<PracticeId>) -> Query<Vec<SearchedPractice>> {
    select!(
        "work.searched",
        "SELECT json_group_array(json_object('id', of.id, 'data_key', {DATA_KEY})) AS json
         FROM (SELECT o.id FROM practices o WHERE ({practice} IS NULL OR o.id = {practice}) AND o.sandbox_of IS NULL AND {READABLE}
           ORDER BY o.id LIMIT CAST({most} AS INTEGER)) of"
        [DATA_KEY, READABLE]; practice, most = PRACTICES_MAX.saturating_add(1)
    )
    .one()
}
const DATA_KEY: &str = data_key!("of.id");
const READABLE: &str = readable!("o.id");

/// Claims that are still `received`, found by the tags of a patient among the first ones `q` of this range.
///
/// Claims whose review began are in an index by patient. Claims that are still `received` are not, because that would cost
/// a row for each claim of a send: they are searched among those that are due first.
macro_rules! of_patient {
    ($range:literal) => {
        claims_page!(
            "ifnull(c.appeal_due, '~')",
            "",
            concat!(
                "'scanned', (SELECT count(*) FROM (SELECT 1 FROM claims q WHERE ",
                $range,
                " ORDER BY ifnull(q.appeal_due, '~'), q.id LIMIT CAST({scans} AS INTEGER)))"
            ),
            concat!(
                "(SELECT * FROM (SELECT r.* FROM json_each({tags}) t CROSS JOIN claims r INDEXED BY claims_of_patient
           WHERE r.practice_id = t.value ->> 0 AND r.patient_tag = t.value ->> 1 AND r.status <> 'received'
           LIMIT CAST({limit} AS INTEGER))
         UNION ALL
         SELECT * FROM (SELECT n.* FROM (SELECT q.practice_id, q.claim_number, q.patient_tag, q.status FROM claims q WHERE ",
                $range,
                " ORDER BY ifnull(q.appeal_due, '~'), q.id LIMIT CAST({scans} AS INTEGER)) f
           CROSS JOIN claims n ON n.practice_id = f.practice_id AND n.claim_number = f.claim_number
           WHERE f.status = 'received' AND f.patient_tag IN (SELECT value ->> 1 FROM json_each({tags}))
           LIMIT CAST({limit} AS INTEGER))) c"
            )
        )
    };
}
const OF_PATIENT: &str = of_patient!("q.sandbox = 0 AND q.status = 'received'");
const OF_PATIENT_IN: &str =
    of_patient!("q.practice_id = {practice} AND q.status IN ('received', 'reviewing', 'in_report', 'in_appeal')");

/// The claims of a patient, who has these tags in the practices.
pub(super) fn of_patient(practice: Option<PracticeId>, tags: &[PatientTag]) -> Query<Option<FoundPatient>> {
    let (tags, scans, limit) = (Json(tags), SCAN_MAX, SHOWN_MAX.saturating_add(1));
    let found = match practice {
        Some(practice) => select!(
            "work.of_patient", "{OF_PATIENT_IN}" [OF_PATIENT_IN, CLAIM_PRACTICE, TAKEN_BY, DEADLINE, LETTER, KEPT_LINK]; tags, practice, scans, limit
        ),
        None => {
            select!("work.of_patient", "{OF_PATIENT}" [OF_PATIENT, CLAIM_PRACTICE, TAKEN_BY, DEADLINE, LETTER, KEPT_LINK]; tags, scans, limit)
        }
    };
    found.optional()
}

/// The practices to search, and what is known about the search so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tagged {
    pub tags: Vec<PatientTag>,
    /// True if every practice is searched.
    pub complete: bool,
}

/// `searchPatient`: Find the claims of a patient.
///
/// Staff only. Finds claims by the patient's name and date of birth, as `sendClaims` compares them: upper and lower
/// case and spaces do not matter. The question is a body, so that no address has it. Nothing stores a name in the
/// clear. The service makes a keyed tag of the name for each practice and each key, and looks claims up by their
/// tags.
///
/// The search leaves a row in the staff's own trail, and a row about each claim that it found in the trail of the
/// claim's practice. No row has the name. A search that finds a patient counts as opening one claim. Past the limit
/// of opened patients, a search asks for the second factor again, also if it would find nobody. At most 100 claims
/// are shown. Claims that are `received` are searched among the 5,000 that are due first, and a search of all
/// practices looks at 1,000 practices. If there is more, `complete` is `false`: name the practice then.
pub(crate) async fn search(request: WriteRequest<PatientSearch>) -> Result<Gives<PatientClaims>, AppError> {
    let of = request.body().ok().map(|asked| asked.practice_id);
    let first = (of.map(searched), joined_practices);
    let next = |practices: Option<Vec<_>>, asked: &PatientSearch| {
        let practices = practices.unwrap_or_default();
        let tagged = tagged(asked, practices, |of, who| tag(&request.call, of, who))?;
        Ok((of_patient(asked.practice_id, &tagged.tags), tagged))
    };
    let view = |of, found: Option<_>, person: &Person| answer(of, found.unwrap_or_default(), person, request.ctx());
    let found = request.find(of.flatten(), first, next, joined, view);
    found.await.map(Into::into)
}

/// The practices of two cells, of which one more than are searched.
fn joined_practices(
    practices: Option<Vec<SearchedPractice>>,
    more: Option<Vec<SearchedPractice>>,
) -> Option<Vec<SearchedPractice>> {
    Some(merged([practices?, more?], PRACTICES_MAX.saturating_add(1), |a, b| a.id.cmp(&b.id)))
}

/// What two cells found of the patient, the claims in the order of the queue.
fn joined(found: Option<FoundPatient>, more: Option<FoundPatient>) -> Option<FoundPatient> {
    let (found, more) = match (found, more) {
        (Some(found), Some(more)) => (found, more),
        (found, more) => return found.or(more),
    };
    let key = |claim: &QueueItem| (DuePlace::key(claim.deadline.map(|deadline| deadline.date)), claim.id);
    Some(FoundPatient {
        claims: merged([found.claims, more.claims], SHOWN_MAX.saturating_add(1), |a, b| key(a).cmp(&key(b))),
        cut: found.cut || more.cut,
        scanned: found.scanned.max(more.scanned),
    })
}

/// The tag of a patient in a practice; `None` if the practice has no data key.
fn tag(call: &Rc<Call>, of: &SearchedPractice, patient: &Patient<'_>) -> Result<Option<String>, RequestError> {
    let keys = call.app.keys.of_practice(of.id, of.data_key.as_ref());
    let identity = tampered::reported(call, keys.identity())?;
    Ok(identity.map(|key| key.patient(of.id, patient)))
}

/// The tags of the patient. `tag` gives that of a practice, `None` if the practice has no data key and so no claims, and
/// an error if its key cannot be used.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the claims of the practice that the caller named may not be read.
pub(crate) fn tagged(
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
pub(crate) struct FoundPatient {
    /// The claims, at most one more than are shown.
    pub claims: Vec<QueueItem>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub cut: bool,
    /// How many claims were read to find those that are still `received`.
    pub scanned: usize,
}

/// The claims of the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::request::page::of_all))]
pub(crate) struct PatientClaims {
    #[cfg_attr(feature = "schema", schemars(length(max = SHOWN_MAX)))]
    claims: Vec<QueuedClaim>,
    /// `false` if there may be more claims of the patient.
    complete: bool,
}

/// The answer, and the rows of the trails: one in the staff's own trail, and one about each claim that was found in the trail
/// of its practice. None of them has the name or a tag.
fn answer((search, tagged): (PatientSearch, Tagged), found: FoundPatient, person: &Person, ctx: &Ctx) -> Searched {
    let is_cut = found.cut || found.claims.len() > SHOWN_MAX;
    let complete = tagged.complete && !is_cut && found.scanned < SCAN_MAX;
    let claims = found.claims.into_iter().take(SHOWN_MAX);
    let claims: Vec<QueuedClaim> = claims.map(|item| QueuedClaim::of(item, person, ctx.now)).collect();
    let of = |claim: &QueuedClaim| (claim.item.practice.id, claim.item.id);
    let of: Vec<(PracticeId, ClaimId)> = claims.iter().map(of).collect();
    let said = found_claims(search.practice_id, of.iter().copied());
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
