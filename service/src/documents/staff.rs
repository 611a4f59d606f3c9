//! `/api/v1/staff/practices/{practice}/documents`, and what staff attach to cases and reports.

use super::{removal, request::Ranged, serve};
use crate::error::AppError;
use crate::extract::{AttachedPath, InPractice, PathPractice, ReadRequest, WriteRequest};
use crate::pipeline::{Audited, tampered};
use crate::response::Response;
use overturn_core::base::id::{CaseId, DocumentId, PracticeId, ReportId};
use overturn_core::documents::query::DocumentQuery;
use overturn_core::documents::removal as rules;
use overturn_core::documents::uses::{self, AttachedDocument};
use overturn_core::documents::view;
use overturn_core::plan::documents::UseKind;
use overturn_store::documents::queries;
use uuid::Uuid;

/// `GET`: a page of a practice's documents, without the names of their files.
pub(crate) async fn list(
    PathPractice(practice): PathPractice,
    request: ReadRequest<DocumentQuery>,
) -> Result<Response, AppError> {
    let load = |query: DocumentQuery| queries::list(practice, &query);
    let view = |person: &_, query, stored| view::list(person, query, stored, |_| None);
    request.list_for(load, view).await
}

/// `GET …/{id}`: what is known of a document, with the name of its file.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<DocumentId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::document(practice, id);
    let view = request.audited(load, |person, stored| {
        let stored = view::found(stored)?;
        let keys = tampered::keys_of(&request.call, &stored);
        let shown = view::show(stored, person, &keys)?;
        let document = &shown.document;
        Ok(Some(Audited {
            change: view::shown(document, practice, request.ctx()),
            patient: (practice, view::patient(document.id, document.claim_id)),
            shown,
        }))
    });
    Ok(request.respond(&view.await?))
}

/// `GET …/{id}/content`: downloads a document.
pub(crate) async fn content(
    InPractice(practice, id): InPractice<DocumentId>,
    range: Ranged,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::document(practice, id);
    serve::answer(&request, load, &range).await
}

/// `DELETE …/{id}`: deletes a document that the caller uploaded.
pub(crate) async fn delete(
    InPractice(practice, id): InPractice<DocumentId>,
    request: WriteRequest,
) -> Result<Response, AppError> {
    let load = queries::document(practice, id);
    let decide = request.change(load, |person, stored, _| rules::delete(stored, person, request.ctx()));
    removal::after(&request.call, id, decide.await)
}

/// `POST …/cases/{id}/documents`: attaches a document to a case.
pub(crate) async fn attach_to_case(
    InPractice(practice, CaseId(case)): InPractice<CaseId>,
    request: WriteRequest<AttachedDocument>,
) -> Result<Response, AppError> {
    attach(practice, (UseKind::Case, case), &request).await
}

/// `POST …/reports/{id}/documents`: attaches a document to a report.
pub(crate) async fn attach_to_report(
    InPractice(practice, ReportId(report)): InPractice<ReportId>,
    request: WriteRequest<AttachedDocument>,
) -> Result<Response, AppError> {
    attach(practice, (UseKind::Report, report), &request).await
}

/// `DELETE …/cases/{id}/documents/{document}`: detaches a document from a case.
pub(crate) async fn detach_from_case(path: AttachedPath, request: WriteRequest) -> Result<Response, AppError> {
    detach(&path, UseKind::Case, &request).await
}

/// `DELETE …/reports/{id}/documents/{document}`: detaches a document from a report.
pub(crate) async fn detach_from_report(path: AttachedPath, request: WriteRequest) -> Result<Response, AppError> {
    detach(&path, UseKind::Report, &request).await
}

async fn attach(
    practice: PracticeId,
    to: (UseKind, Uuid),
    request: &WriteRequest<AttachedDocument>,
) -> Result<Response, AppError> {
    let load = request.body().ok();
    let load = load.map(|attached| queries::document(practice, attached.document_id));
    let decide =
        request.change(load, |person, stored, _| uses::attach(stored.flatten().as_ref(), to, person, request.ctx()));
    decide.await
}

async fn detach(path: &AttachedPath, kind: UseKind, request: &WriteRequest) -> Result<Response, AppError> {
    let load = queries::document(path.practice, path.document);
    let decide = request.change(load, |_, stored, _| uses::detach(stored.as_ref(), (kind, path.record), request.ctx()));
    decide.await
}
