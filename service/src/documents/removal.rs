//! `DELETE /api/v1/documents/{id}`, and the objects that no document has.
//!
//! A document is first marked, and its key is forgotten; then the object is removed. So a document in a list always has
//! its object, and an object that could not be removed at once cannot be opened by anybody.

use super::document::{DocumentPlace, StoredDocument, found, in_state, leads, of_caller, of_practice};
use crate::app::App;
use crate::bucket::{self, BucketError};
use crate::call::Call;
use crate::db::Db;
use crate::extract::InPractice;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::store::documents::object_name;
use crate::store::error::DatabaseError;
use overturn_core::base::id::DocumentId;
use std::cell::Cell;

/// How long an upload may take until the sweep removes what it left behind.
const UPLOAD_MS: i64 = 2 * 3_600_000;
/// How long the sweep leaves an object alone that could not be removed.
const POSTPONED_MS: i64 = 30 * 60_000;
/// How many removals may fail in one sweep.
const FAILED_MAX: usize = 3;

/// `deleteDocument`: Delete a document.
///
/// Owners and admins delete any document. Others delete what they uploaded, while no case and no report uses it
/// (`409`). Under a legal hold nothing is deleted (`409`). The document stays in the list as `deleted`, without its
/// name.
pub(crate) async fn delete(PathId(id): PathId<DocumentId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    delete_one(&request, of_caller(request.credential(), id)).await
}

/// `deletePracticeDocument`: Delete a document that you uploaded.
///
/// Staff only. You delete what you uploaded, while no case and no report uses it (`409`) and the practice has no legal
/// hold (`409`).
pub(crate) async fn delete_by_staff(
    InPractice(practice, id): InPractice<DocumentId>,
    request: WriteRequest,
) -> Result<Gives<(), 204>, AppError> {
    delete_one(&request, of_practice(practice, id)).await
}

/// Deletes a document, and removes its object after the answer.
async fn delete_one(request: &WriteRequest, load: Query<Option<StoredDocument>>) -> Result<Gives<(), 204>, AppError> {
    let gone = Cell::new(None);
    let decide = request.change(load, |person, stored, _| {
        gone.set(stored.as_ref().map(StoredDocument::place));
        deleted(stored, person, request.ctx())
    });
    let response: Response = decide.await?;
    if let Some(of) = gone.get() {
        request.call.after_answer(async move |call| discard(&call, of).await);
    }
    Ok(response.into())
}

/// Deletes a document: an owner or an admin, or who uploaded it while nothing uses it.
pub(super) fn deleted(stored: Option<StoredDocument>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let stored = found(stored)?;
    stored.is_deletable(person)?;
    let of = stored.place();
    let entry = Entry::new(ctx, 0, Some(of.practice_id), Event::DocumentDeleted, of.id);
    let change = remove(of, entry, stored.state, ctx);
    Ok(if leads(person) { change } else { change.guard(unused(of)) })
}

/// Deletes a document whose time is over.
pub(super) fn expire(of: DocumentPlace, state: DocumentState, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(of.practice_id), Event::DocumentDeleted, of.id);
    remove(of, entry.detail(json!({ "why": "retention" })), state, ctx)
}

fn remove(of: DocumentPlace, entry: Entry, was: DocumentState, ctx: &Ctx) -> Change {
    let change = Change::new(entry, Answer::empty()).guard(in_state(of, was)).guard(Guard::NoHold(of.practice_id));
    removed(change, of, DocumentState::Deleted, ctx.real)
}

/// The guard that no case or report uses the document.
fn unused(of: DocumentPlace) -> Guard {
    abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM document_uses WHERE practice_id = {practice} AND document_id = {id})";
        practice = of.practice_id, id = of.id
    )
}

/// The change with a document in its last state. The name and the key go, and the object is due to be removed.
pub(super) fn removed(change: Change, of: DocumentPlace, state: DocumentState, now: Instant) -> Change {
    change
        .write(sql!(
            "UPDATE documents SET state = {state}, sealed = NULL, scan_at = NULL WHERE practice_id = {practice} AND id = {id}";
            practice = of.practice_id, id = of.id, state
        ))
        .write(loose(of, now))
}

/// An object that no document has. It is removed when it is due.
fn loose(of: DocumentPlace, due_at: Instant) -> Write {
    sql!(
        "INSERT INTO loose_objects (practice_id, id, due_at) VALUES ({practice}, {id}, {due_at}) ON CONFLICT DO NOTHING";
        practice = of.practice_id, id = of.id, due_at
    )
}

/// The write with which the upload of an object begins. It may run late, after a run whose answer came and after the
/// document was stored: the object of a document never becomes loose by it. Nor does it where the practice has moved away.
pub(super) fn receiving(of: DocumentPlace, now: Instant) -> Write {
    sql!(
        "INSERT INTO loose_objects (practice_id, id, due_at) SELECT {practice}, {id}, {due_at}
         WHERE NOT EXISTS (SELECT 1 FROM documents WHERE practice_id = {practice} AND id = {id}) ON CONFLICT DO NOTHING";
        practice = of.practice_id, id = of.id, due_at = now.plus(UPLOAD_MS)
    )
}

/// The guard that nobody removes or has removed the object of an upload.
pub(super) fn is_received(of: DocumentPlace) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM loose_objects WHERE practice_id = {practice} AND id = {id} AND removing = 0)";
        practice = of.practice_id, id = of.id
    )
}

/// No document gets the object any more, not even by a storing batch that runs late.
pub(super) fn removing(of: DocumentPlace) -> Write {
    sql!(
        "UPDATE loose_objects SET removing = 1 WHERE practice_id = {practice} AND id = {id}";
        practice = of.practice_id, id = of.id
    )
}

/// The object is written in parts under this id of the bucket.
pub(super) fn in_parts(of: DocumentPlace, upload_id: &str) -> Write {
    sql!(
        "UPDATE loose_objects SET upload_id = {upload_id} WHERE practice_id = {practice} AND id = {id}";
        practice = of.practice_id, id = of.id, upload_id
    )
}

/// The object belongs to a document, or the bucket no longer holds it.
pub(super) fn not_loose(of: DocumentPlace) -> Write {
    sql!(
        "DELETE FROM loose_objects WHERE practice_id = {practice} AND id = {id}"; practice = of.practice_id, id = of.id
    )
}

/// The write after the bucket did not remove an object. Others must not wait behind it.
fn postponed(of: DocumentPlace, now: Instant) -> Write {
    sql!(
        "UPDATE loose_objects SET due_at = {due_at} WHERE practice_id = {practice} AND id = {id}";
        practice = of.practice_id, id = of.id, due_at = now.plus(POSTPONED_MS)
    )
}

/// An object that no document has.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
struct LooseObject {
    /// The bucket's id of the multipart upload, if there was one.
    upload_id: Option<String>,
}

/// Objects that are due to be removed.
pub(super) fn due(now: Instant) -> Query<Vec<DocumentPlace>> {
    select!(
        "documents.loose",
        "SELECT json_group_array(json_object('practice_id', practice_id, 'id', id)) AS json
         FROM (SELECT practice_id, id FROM loose_objects WHERE due_at <= CAST({now} AS INTEGER)
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) ORDER BY due_at LIMIT 50)";
        now
    )
    .or_default()
}

/// An object, if no document has it.
fn loose_object(of: DocumentPlace) -> Query<Option<LooseObject>> {
    select!(
        "documents.loose_object",
        "SELECT json_object('upload_id', upload_id) AS json FROM loose_objects WHERE practice_id = {practice} AND id = {id}";
        practice = of.practice_id, id = of.id
    )
    .optional()
}

/// An object could not be removed now. The next sweep tries again.
#[derive(Debug, thiserror::Error)]
enum RemovalError {
    #[error(transparent)]
    Bucket(#[from] BucketError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Removes an object from the bucket, and then what the database knows of it, unless a document has it after all: a commit
/// whose answer was lost can look like one that did not happen.
async fn remove_object(app: &App, db: &Db, of: DocumentPlace) -> Result<(), RemovalError> {
    let ctx = db.ctx().map_err(DatabaseError::from)?;
    let mark = pipeline::plan(&ctx, Actor::Service, Vec::new(), vec![removing(of)]);
    let marked = match pipeline::run_and_read(db, app, &mark, &loose_object(of)).await {
        // The sweep does it where the practice lives now.
        Err(fault) if fault.has_left() => None,
        marked => marked?,
    };
    let Some(loose) = marked else { return Ok(()) };
    let name = object_name(of.id);
    if let Some(upload_id) = &loose.upload_id {
        bucket::abort(app, &name, upload_id).await?;
    }
    bucket::delete(app, &name).await?;
    let ctx = db.ctx().map_err(DatabaseError::from)?;
    let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), vec![not_loose(of)]);
    match pipeline::run(db, app, &plan).await {
        // Where the practice lives now, the sweep finds that the object is gone.
        Err(fault) if fault.has_left() => Ok(()),
        done => Ok(done.map(drop)?),
    }
}

/// Removes the object of a file that is not kept. The sweep does what this cannot.
pub(super) async fn discard(call: &Call, of: DocumentPlace) {
    if let Err(error) = remove_object(&call.app, &call.db, of).await {
        log(of.id, &error);
    }
}

fn log(id: DocumentId, error: &RemovalError) {
    log::error!("{}", json!({ "event": "object_not_removed", "document_id": id, "reason": error.to_string() }));
}

/// Removes the objects that uploads and documents left behind.
pub(super) async fn sweep(jobs: &Jobs) -> Result<(), DatabaseError> {
    let mut failed = 0_usize;
    for of in jobs.db.read(&due(jobs.app.host.now())).await? {
        let removed = remove_object(&jobs.app, &jobs.db, of).await;
        let Err(error) = removed else { continue };
        log(of.id, &error);
        let ctx = jobs.db.ctx()?;
        let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), vec![postponed(of, ctx.now)]);
        pipeline::run(&jobs.db, &jobs.app, &plan).await?;
        failed = failed.saturating_add(1);
        // The bucket may be away: scans and others' work come first.
        if failed == FAILED_MAX {
            break;
        }
    }
    Ok(())
}
