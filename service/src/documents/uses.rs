//! `/api/v1/staff/practices/{practice}/cases/{id}/documents`, and the same of reports: what staff attach to them.

use super::document::{DocumentPlace, StoredDocument, StoredUse, UNKNOWN, UseKind, found, in_state, of_practice};
use crate::extract::{AttachedPath, InPractice};
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Id;
use overturn_core::base::id::{CaseId, DocumentId, ReportId};

body! {
    NewDocumentUse { document_id: Id<DocumentId> }
}

/// `attachToCase`: Attach a document to a case.
///
/// Staff only. The document must be `available` (`409`). The practice sees the case in `cases` of the document.
/// Attaching it again changes nothing.
pub(crate) async fn attach_to_case(
    InPractice(practice, CaseId(id)): InPractice<CaseId>,
    request: WriteRequest<NewDocumentUse>,
) -> Result<Gives<(), 204>, AppError> {
    attach(practice, StoredUse { kind: UseKind::Case, id }, &request).await
}

/// `attachToReport`: Attach a document to a report.
///
/// Staff only. The document must be `available` (`409`). The practice sees the report in `reports` of the document.
/// Attaching it again changes nothing.
pub(crate) async fn attach_to_report(
    InPractice(practice, ReportId(id)): InPractice<ReportId>,
    request: WriteRequest<NewDocumentUse>,
) -> Result<Gives<(), 204>, AppError> {
    attach(practice, StoredUse { kind: UseKind::Report, id }, &request).await
}

/// `detachFromCase`: Detach a document from a case.
///
/// Staff only. The document itself stays.
pub(crate) async fn detach_from_case(path: AttachedPath, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    detach(&path, UseKind::Case, &request).await
}

/// `detachFromReport`: Detach a document from a report.
///
/// Staff only. The document itself stays.
pub(crate) async fn detach_from_report(path: AttachedPath, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    detach(&path, UseKind::Report, &request).await
}

async fn attach(
    practice: PracticeId,
    to: StoredUse,
    request: &WriteRequest<NewDocumentUse>,
) -> Result<Gives<(), 204>, AppError> {
    let load = request.body().ok();
    let load = load.map(|attached| of_practice(practice, attached.document_id));
    let decide = request.change(load, |person, stored, _| attached(stored.flatten(), to, person, request.ctx()));
    decide.await
}

async fn detach(path: &AttachedPath, kind: UseKind, request: &WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = of_practice(path.practice, path.document);
    let from = StoredUse { kind, id: path.record };
    let decide = request.change(load, |_, stored, _| detached(stored, from, request.ctx()));
    decide.await
}

/// Attaches a document to a record, which the batch checks.
pub(super) fn attached(
    stored: Option<StoredDocument>,
    to: StoredUse,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = found(stored)?;
    stored.is_attachable()?;
    if stored.uses.contains(&to) {
        return Ok(Change::nothing(Answer::empty()));
    }
    let of = stored.place();
    Ok(change(Event::DocumentAttached, of, to, ctx)
        .guard(in_state(of, DocumentState::Available))
        .guard(has_record(of.practice_id, to))
        .guard(if_used(of, to, false))
        .write(sql!(
            "INSERT INTO document_uses (practice_id, document_id, kind, record_id, attached_by, attached_at)
             VALUES ({practice}, {document}, {kind}, {record}, {by}, {now}) ON CONFLICT DO NOTHING";
            practice = of.practice_id, document = of.id, kind = to.kind, record = to.id.to_string(),
            by = person.user_id, now = ctx.now
        )))
}

/// The guard that the document is, or is not, attached to the record. Of several parallel calls, one is in the trail; the
/// others read again.
fn if_used(of: DocumentPlace, StoredUse { kind, id }: StoredUse, is_used: bool) -> Guard {
    abort_if!(
        Secret,
        "{is_used} <> EXISTS (SELECT 1 FROM document_uses
           WHERE practice_id = {practice} AND document_id = {document} AND kind = {kind} AND record_id = {record})";
        practice = of.practice_id, document = of.id, kind, record = id.to_string(), is_used = i64::from(is_used)
    )
}

/// The guard that the practice has the record.
fn has_record(practice: PracticeId, StoredUse { kind, id }: StoredUse) -> Guard {
    let id = id.to_string();
    match kind {
        UseKind::Case => {
            abort_if!(Record, "NOT EXISTS (SELECT 1 FROM cases WHERE practice_id = {practice} AND id = {id})"; practice, id)
        }
        UseKind::Report => {
            abort_if!(Record, "NOT EXISTS (SELECT 1 FROM reports WHERE practice_id = {practice} AND id = {id})"; practice, id)
        }
    }
}

pub(super) fn detached(stored: Option<StoredDocument>, from: StoredUse, ctx: &Ctx) -> Result<Change, RequestError> {
    let stored = found(stored)?;
    if !stored.uses.contains(&from) {
        return Err(UNKNOWN);
    }
    let of = stored.place();
    Ok(change(Event::DocumentDetached, of, from, ctx).guard(if_used(of, from, true)).write(sql!(
        "DELETE FROM document_uses WHERE practice_id = {practice} AND document_id = {document} AND kind = {kind}
           AND record_id = {record}";
        practice = of.practice_id, document = of.id, kind = from.kind, record = from.id.to_string()
    )))
}

fn change(event: Event, of: DocumentPlace, to: StoredUse, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(of.practice_id), event, of.id);
    Change::new(entry.detail(json!({ "kind": to.kind, "record": to.id })), Answer::empty())
}
