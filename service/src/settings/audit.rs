//! `/api/v1/settings/audit`, and `/api/v1/staff/audit` for the staff's own trail.

use super::trail;
use crate::error::AppError;
use crate::extract::ReadRequest;
use crate::response::Response;
use overturn_core::settings::trail::query::{AuditQuery, StaffAuditQuery};
use overturn_core::settings::trail::{Export, Start, Trail, events};
use overturn_store::settings::trail as store;

/// `GET`: a page of the practice's trail.
pub(crate) async fn list(request: ReadRequest<AuditQuery>) -> Result<Response, AppError> {
    let load = |query: &_| store::of_caller(request.credential(), query);
    let view = |_: &_, query: &_, found| Ok(events::list(query, found));
    request.table(load, view).await
}

/// `GET …/verify`: verifies the practice's trail.
pub(crate) async fn verify(request: ReadRequest<Start>) -> Result<Response, AppError> {
    verified(&request).await
}

/// `GET …/export`: the practice's trail as lines of JSON.
pub(crate) async fn export(request: ReadRequest<Export>) -> Result<Response, AppError> {
    exported(&request).await
}

/// `GET /api/v1/staff/audit`: a page of the staff's own trail.
pub(crate) async fn list_staff(request: ReadRequest<StaffAuditQuery>) -> Result<Response, AppError> {
    let load = |StaffAuditQuery(query): &_| store::of_staff(query);
    let view = |_: &_, StaffAuditQuery(query): &_, found| Ok(events::list(query, found));
    request.table(load, view).await
}

/// `GET …/verify`: verifies the staff's own trail.
pub(crate) async fn verify_staff(request: ReadRequest<Start>) -> Result<Response, AppError> {
    verified(&request).await
}

/// `GET …/export`: the staff's own trail as lines of JSON.
pub(crate) async fn export_staff(request: ReadRequest<Export>) -> Result<Response, AppError> {
    exported(&request).await
}

/// The trail of the person's practice. Staff have no practice, but their own trail.
async fn verified(request: &ReadRequest<Start>) -> Result<Response, AppError> {
    let person = request.authorize().await?;
    let Start(from) = request.page.clone()?;
    let call = &request.call;
    let found = trail::check(&call.app, &call.db, Trail(person.practice_id), from).await?;
    Ok(request.respond(&found))
}

async fn exported(request: &ReadRequest<Export>) -> Result<Response, AppError> {
    let person = request.authorize().await?;
    let of = request.page.clone()?;
    let call = &request.call;
    let (lines, last) = trail::export(&call.app, &call.db, Trail(person.practice_id), of).await?;
    let next = last.map(|last| last.to_string());
    request.respond_lines(lines, next.as_deref())
}
