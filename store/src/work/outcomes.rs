//! The queries of a practice's reports and appeals. `caller` is the hash of the credential.

use crate::query::Query;
use crate::statement::{page, text};
use crate::work::sql::outcomes as sql;
use overturn_core::base::id::{CaseId, ReportId};
use overturn_core::request::page::Page;
use overturn_core::work::outcomes::{Appeal, AppealItem, PracticeReport, PracticeReportItem};
use serde::de::DeserializeOwned;

/// A page of the practice's reports.
#[must_use]
pub fn reports(caller: &str, of: Page) -> Query<Option<Vec<PracticeReportItem>>> {
    Query::optional("work.practice_reports", sql::REPORTS, page(caller, of))
}

/// A report with its claims, and its documents as `D`.
#[must_use]
pub fn report<D: DeserializeOwned>(caller: &str, id: ReportId) -> Query<Option<PracticeReport<D>>> {
    let params = [text(caller), text(id)];
    Query::optional("work.practice_report", sql::REPORT, params)
}

/// A page of the practice's appeals.
#[must_use]
pub fn appeals(caller: &str, of: Page) -> Query<Option<Vec<AppealItem>>> {
    Query::optional("work.appeals", sql::APPEALS, page(caller, of))
}

/// An appeal with its claims and levels, and its documents as `D`.
#[must_use]
pub fn appeal<D: DeserializeOwned>(caller: &str, id: CaseId) -> Query<Option<Appeal<D>>> {
    Query::optional("work.appeal", sql::APPEAL, [text(caller), text(id)])
}
