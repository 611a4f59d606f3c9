//! The queries of the staff's reports and cases. Each takes the practice, because staff belong to none.

use crate::json::json;
use crate::query::Query;
use crate::statement::Param;
use crate::statement::{count, instant, optional, text};
use crate::work::sql::{self as sql, cases, reports};
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId};
use overturn_core::base::instant::Instant;
use overturn_core::claims::denials::EVENTS_MAX;
use overturn_core::plan::work::claim::StoredWorkClaim;
use overturn_core::request::page::Page;
use overturn_core::work::cases::{Candidate, CaseItem, CaseToJoin, CaseView, StoredCase};
use overturn_core::work::queue::{self, TakenBy};
use overturn_core::work::reports::{ReportItem, ReportView};
use overturn_core::work::view::{NOTES_MAX, StoredView};

/// Claims of the practice, in the order of their ids.
#[must_use]
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<StoredWorkClaim>>> {
    Query::or_default(
        "work.claims",
        sql::CLAIMS,
        [text(practice), Param::Text(json(&ids))],
    )
}

/// A page of the practice's reports.
#[must_use]
pub fn reports(practice: PracticeId, of: Page) -> Query<Option<Vec<ReportItem>>> {
    Query::optional(
        "work.reports",
        reports::LIST,
        crate::statement::page(&practice.to_string(), of),
    )
}

/// A report with its claims.
#[must_use]
pub fn report(practice: PracticeId, id: ReportId) -> Query<Option<ReportView>> {
    Query::optional("work.report", reports::VIEW, [text(practice), text(id)])
}

/// Claims that may go into a case, in the order of their ids.
#[must_use]
pub fn candidates(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<Candidate>>> {
    Query::or_default(
        "work.candidates",
        cases::CANDIDATES,
        [text(practice), Param::Text(json(&ids))],
    )
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
pub fn cases(practice: PracticeId, of: Page) -> Query<Option<Vec<CaseItem>>> {
    Query::optional(
        "work.cases",
        cases::LIST,
        crate::statement::page(&practice.to_string(), of),
    )
}

/// A case with its claims and levels.
#[must_use]
pub fn case_view(practice: PracticeId, id: CaseId) -> Query<Option<CaseView>> {
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
pub fn queue(
    caller: &str,
    query: &queue::QueueQuery,
    now: Instant,
) -> Query<Option<Vec<queue::QueueItem>>> {
    let (received_from, received_before) = query.received(now);
    let (due, id) = query.after.map_or_else(
        || (text(""), text("")),
        |place| (text(place.due_key()), text(place.id)),
    );
    let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
    let filters = [
        Param::Text(json(&statuses)),
        due,
        id,
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
        },
        text(caller),
    ];
    match &query.claim_number {
        Some(number) => {
            let params = [&filters[..], &[text(number)]].concat();
            Query::optional("work.queue_of_number", sql::queue::OF_NUMBER, params)
        }
        None => Query::optional("work.queue", sql::queue::QUEUE, filters),
    }
}
