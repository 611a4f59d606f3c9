//! `/api/v1/reports` and `/api/v1/appeals`: reports and cases, as the practice sees them.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest};
use crate::pipeline::tampered;
use crate::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::base::id::{CaseId, ReportId};
use overturn_core::request::page::Page;
use overturn_core::work::attached::{AttachmentView, StoredAttachment};
use overturn_core::work::outcomes as rules;
use overturn_store::work::outcomes as queries;

/// `GET /api/v1/reports`: a page of the reports.
pub(crate) async fn reports(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::reports(request.credential(), page);
    request.list(load, rules::reports).await
}

/// `GET /api/v1/reports/{id}`: one report with its claims and documents.
pub(crate) async fn report(PathId(id): PathId<ReportId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::report(request.credential(), id);
    let view = |person: &_, stored| rules::report(stored, |one| shown(&request, person, one));
    request.show(load, view).await
}

/// `GET /api/v1/appeals`: a page of the appeals.
pub(crate) async fn appeals(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::appeals(request.credential(), page);
    request.list(load, rules::appeals).await
}

/// `GET /api/v1/appeals/{id}`: one appeal with its claims, levels and documents.
pub(crate) async fn appeal(PathId(id): PathId<CaseId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::appeal(request.credential(), id);
    let view = |person: &_, stored| rules::appeal(stored, |one| shown(&request, person, one));
    request.show(load, view).await
}

fn shown(request: &ReadRequest, person: &Person, stored: StoredAttachment) -> AttachmentView {
    let data_key = stored.data_key.clone();
    let keys = tampered::keys(&request.call, stored.practice_id, data_key.as_ref());
    stored.view(person, &keys)
}
