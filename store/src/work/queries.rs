//! The queries of the staff's reports and cases. Each takes the practice, because staff belong to none.

use crate::json::json;
use crate::query::Query;
use crate::statement::Param;
use crate::statement::{count, instant, optional, text};
use crate::work::sql::{self as sql, cases, reports};
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::claims::denials::EVENTS_MAX;
use overturn_core::plan::signing::link::TRIES_MAX;
use overturn_core::plan::work::claim::StoredWorkClaim;
use overturn_core::plan::work::several::{FoundClaim, SeenClaim};
use overturn_core::request::page::Page;
use overturn_core::work::cases::{
    Candidate, CaseItem, CaseOfAll, CaseToJoin, CasesOfPractice, CasesQuery, StoredCase, StoredCaseView,
};
use overturn_core::work::letter::ClaimOfLetter;
use overturn_core::work::patients::{FoundPatient, PRACTICES_MAX, PatientTag, SCAN_MAX, SHOWN_MAX, SearchedPractice};
use overturn_core::work::queue::{self, COUNT_MAX, QueueOrder, SignatureState, TakenBy};
use overturn_core::work::related::{NEWEST_MAX, READ_MAX, StoredRelated};
use overturn_core::work::reports::{ReportItem, ReportView};
use overturn_core::work::take::Worker;
use overturn_core::work::view::{NOTES_MAX, StoredView};

/// Claims of the practice, in the order of their ids.
#[must_use]
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<StoredWorkClaim>>> {
    Query::or_default("work.claims", sql::CLAIMS, [text(practice), Param::Text(json(&ids))])
}

/// A claim whose letter staff read.
#[must_use]
pub fn claim_of_letter(practice: PracticeId, id: ClaimId) -> Query<Option<ClaimOfLetter>> {
    let params = [text(practice), text(id)];
    Query::optional("work.claim_of_letter", sql::CLAIM_OF_LETTER, params)
}

/// A claim whose letter a person of its practice read.
#[must_use]
pub fn own_claim_of_letter(caller: &str, id: ClaimId) -> Query<Option<ClaimOfLetter>> {
    let params = [text(caller), text(id)];
    Query::optional("work.own_claim_of_letter", sql::OWN_CLAIM_OF_LETTER, params)
}

/// Claims that a request names, in its order.
#[must_use]
pub fn found(claims: &[SeenClaim]) -> Query<Vec<FoundClaim>> {
    let named = claims.iter().map(|claim| (claim.practice_id, claim.id));
    let named: Vec<_> = named.collect();
    Query::or_default("work.found", sql::FOUND, [Param::Text(json(&named))])
}

/// A staff member who works on claims; `None` if the account is not one.
#[must_use]
pub fn worker(id: UserId) -> Query<Option<Worker>> {
    Query::optional("work.worker", sql::WORKER, [text(id)])
}

/// The other claims of a claim's patient.
#[must_use]
pub fn related(practice: PracticeId, id: ClaimId) -> Query<Option<StoredRelated>> {
    let params = [text(practice), text(id), count(READ_MAX), count(NEWEST_MAX)];
    Query::optional("work.related", sql::related::RELATED, params)
}

/// A page of the cases of all practices.
#[must_use]
pub fn all_cases(query: &CasesQuery) -> Query<Option<Vec<CaseOfAll>>> {
    let states: &[u8] = match query.open {
        None => &[0, 1],
        Some(false) => &[0],
        Some(true) => &[1],
    };
    let (key, id) = query.after.map_or_else(|| (text(""), text("")), |place| (text(place.due_key()), text(place.id)));
    let (day, [all, of_practice]) = match query.awaiting {
        true => (query.ask_before, [cases::AWAITING, cases::AWAITING_OF_PRACTICE]),
        false => (query.due_before, [cases::ALL, cases::ALL_OF_PRACTICE]),
    };
    // Every day comes before this text, also a missing one.
    let before = day.map_or_else(|| text("~~"), text);
    let limit = count(query.limit.saturating_add(1));
    let params = [Param::Text(json(&states)), key, id, limit, before];
    match query.practice_id {
        Some(practice) => {
            let params = [&params[..], &[text(practice)]].concat();
            Query::optional("work.all_cases_of_practice", of_practice, params)
        }
        None => Query::optional("work.all_cases", all, params),
    }
}

/// A page of the practice's reports.
#[must_use]
pub fn reports(practice: PracticeId, of: Page) -> Query<Option<Vec<ReportItem>>> {
    Query::optional("work.reports", reports::LIST, crate::statement::page(&practice.to_string(), of))
}

/// A report with its claims.
#[must_use]
pub fn report(practice: PracticeId, id: ReportId) -> Query<Option<ReportView>> {
    Query::optional("work.report", reports::VIEW, [text(practice), text(id)])
}

/// Claims that may go into a case, in the order of their ids.
#[must_use]
pub fn candidates(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<Candidate>>> {
    Query::or_default("work.candidates", cases::CANDIDATES, [text(practice), Param::Text(json(&ids))])
}

/// The facts for a claim that joins a case.
#[must_use]
pub fn joining(practice: PracticeId, id: ClaimId, case: CaseId) -> Query<Option<CaseToJoin>> {
    let params = [text(practice), text(id), text(case)];
    Query::optional("work.joining", cases::JOINING, params)
}

/// A case before a change.
#[must_use]
pub fn case(practice: PracticeId, id: CaseId) -> Query<Option<StoredCase>> {
    Query::optional("work.case", cases::CASE, [text(practice), text(id)])
}

/// A page of the practice's cases.
#[must_use]
pub fn cases(practice: PracticeId, query: &CasesOfPractice) -> Query<Option<Vec<CaseItem>>> {
    let page = crate::statement::page(&practice.to_string(), query.page);
    let payer = query.payer_name.as_ref();
    let (sql, filters) = match (query.claim_id, payer) {
        (None, None) => (cases::LIST, Vec::new()),
        (None, Some(payer)) => (cases::LIST_OF_PAYER, vec![text(payer)]),
        (Some(claim), payer) => (cases::LIST_OF_CLAIM, vec![optional(payer), text(claim)]),
    };
    let params = [&page[..], &filters[..]].concat();
    Query::optional("work.cases", sql, params)
}

/// A case with its claims and levels.
#[must_use]
pub fn case_view(practice: PracticeId, id: CaseId) -> Query<Option<StoredCaseView>> {
    Query::optional("work.case_view", cases::VIEW, [text(practice), text(id)])
}

/// A claim before a change by staff.
#[must_use]
pub fn claim(practice: PracticeId, id: ClaimId) -> Query<Option<StoredWorkClaim>> {
    Query::optional("work.claim", sql::CLAIM, [text(practice), text(id)])
}

/// A claim with everything that staff see.
#[must_use]
pub fn claim_view(practice: PracticeId, id: ClaimId) -> Query<Option<StoredView>> {
    let most = [count(EVENTS_MAX), count(NOTES_MAX)];
    let params = [&[text(practice), text(id)], &most[..]].concat();
    Query::optional("work.claim_view", sql::CLAIM_VIEW, params)
}

/// A page of the staff's queue, for the caller with this hash.
#[must_use]
pub fn queue(caller: &str, query: &queue::QueueQuery, now: Instant) -> Query<Option<queue::FoundQueue>> {
    let (received_from, received_before) = query.received(now);
    let ((due, id), last) = query.range();
    let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
    let filters = [
        Param::Text(json(&statuses)),
        text(due),
        text(id),
        count(query.limit.saturating_add(1)),
        optional(query.practice_id),
        optional(query.payer_name.as_ref()),
        optional(query.denial_code.as_ref()),
        instant(received_from),
        instant(received_before),
        match query.taken_by {
            TakenBy::Any => Param::Null,
            TakenBy::Me => text("me"),
            TakenBy::Nobody => text("nobody"),
            TakenBy::Person(id) => text(id),
        },
        text(caller),
        text(last),
        optional(query.signature.map(SignatureState::name)),
        instant(Some(now)),
        Param::Int(TRIES_MAX),
    ];
    let is_latest = query.order == QueueOrder::LatestDeadline;
    match &query.claim_number {
        Some(number) => {
            let sql = if is_latest { sql::queue::OF_NUMBER_LATEST } else { sql::queue::OF_NUMBER };
            let params = [&filters[..], &[text(number)]].concat();
            Query::optional("work.queue_of_number", sql, params)
        }
        None => {
            let sql = if is_latest { sql::queue::QUEUE_LATEST } else { sql::queue::QUEUE };
            let counted = query.count_scans().map_or(Param::Null, count);
            let most = count(COUNT_MAX.saturating_add(1));
            let params = [&filters[..], &[counted, most]].concat();
            Query::optional("work.queue", sql, params)
        }
    }
}

/// The practices among whose claims a patient is looked for.
#[must_use]
pub fn searched(practice: Option<PracticeId>) -> Query<Vec<SearchedPractice>> {
    let params = [optional(practice), count(PRACTICES_MAX.saturating_add(1))];
    Query::or_default("work.searched", sql::queue::SEARCHED, params)
}

/// The claims of a patient, who has these tags in the practices.
#[must_use]
pub fn of_patient(practice: Option<PracticeId>, tags: &[PatientTag]) -> Query<Option<FoundPatient>> {
    let sql = match practice {
        Some(_) => sql::queue::OF_PATIENT_IN,
        None => sql::queue::OF_PATIENT,
    };
    let params = [Param::Text(json(&tags)), optional(practice), count(SCAN_MAX), count(SHOWN_MAX.saturating_add(1))];
    Query::optional("work.of_patient", sql, params)
}
