//! What the staff's reports and cases need. Each statement is given the practice: staff belong to none.

use crate::json::json;
use crate::sql::work::{self as sql, cases, reports};
use crate::{Param, Statement};
use crate::{Query, text};
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId};
use overturn_core::request::page::Page;
use overturn_core::work::cases::CaseItem;
use overturn_core::work::reports::ReportItem;

/// Claims of the practice, in the order of their ids.
#[must_use]
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Statement {
    Statement::new(sql::CLAIMS, [text(practice), Param::Text(json(&ids))])
}

/// A page of the practice's reports.
#[must_use]
pub fn reports(practice: PracticeId, of: Page) -> Query<Option<Vec<ReportItem>>> {
    Query::optional(
        "work.reports",
        reports::LIST,
        crate::page(&practice.to_string(), of),
    )
}

/// A report with its claims.
#[must_use]
pub fn report(practice: PracticeId, id: ReportId) -> Statement {
    Statement::new(reports::VIEW, [text(practice), text(id)])
}

/// Claims that may go into a case, in the order of their ids.
#[must_use]
pub fn candidates(practice: PracticeId, ids: &[ClaimId]) -> Statement {
    Statement::new(cases::CANDIDATES, [text(practice), Param::Text(json(&ids))])
}

/// A case that a claim is to join.
#[must_use]
pub fn joining(practice: PracticeId, id: ClaimId, case: CaseId) -> Statement {
    let params = [text(practice), text(id), text(case)];
    Statement::new(cases::JOINING, params)
}

/// A case to be changed.
#[must_use]
pub fn case(practice: PracticeId, id: CaseId) -> Statement {
    Statement::new(cases::CASE, [text(practice), text(id)])
}

/// A page of the practice's cases.
#[must_use]
pub fn cases(practice: PracticeId, of: Page) -> Query<Option<Vec<CaseItem>>> {
    Query::optional(
        "work.cases",
        cases::LIST,
        crate::page(&practice.to_string(), of),
    )
}

/// A case with its claims and levels.
#[must_use]
pub fn case_view(practice: PracticeId, id: CaseId) -> Statement {
    Statement::new(cases::VIEW, [text(practice), text(id)])
}
