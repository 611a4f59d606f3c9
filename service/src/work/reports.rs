//! `/api/v1/staff/practices/{practice}/reports`.

use crate::error::AppError;
use crate::extract::{InPractice, PathPractice, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::base::id::ReportId;
use overturn_core::request::page::Page;
use overturn_core::work::gather::ids;
use overturn_core::work::reports;
use overturn_core::work::reports::ReportedClaims;
use overturn_store::work::queries;

/// `GET`: a page of the practice's reports.
pub(crate) async fn list(
    PathPractice(practice): PathPractice,
    request: ReadRequest<Page>,
) -> Result<Response, AppError> {
    let load = |page| queries::reports(practice, page);
    request.list(load, reports::list).await
}

/// `GET …/{id}`: one report with its claims.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ReportId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::report(practice, id);
    request.show(load, |_, stored| reports::show(stored)).await
}

/// `POST`: delivers a report.
pub(crate) async fn deliver(
    PathPractice(practice): PathPractice,
    request: WriteRequest<ReportedClaims>,
) -> Result<Response, AppError> {
    let named = request.body().ok();
    let load = named.map(|named| queries::claims(practice, &ids(&named.claims)));
    let decide = request.change(load, |person, found, named| {
        let asked = (&*named.claims, found.unwrap_or_default());
        reports::deliver(practice, asked, person, request.ctx())
    });
    decide.await
}
