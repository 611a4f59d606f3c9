//! `DELETE /api/v1/documents/{id}`, the end of a document's retention, and loose objects.
//!
//! A document is first marked, and its key is forgotten; then the host removes the object. So a document in a list always
//! has its object, and an object that could not be removed at once cannot be opened by anybody.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::DocumentId;
use crate::base::instant::Instant;
use crate::documents::UNKNOWN;
use crate::documents::view::StoredDocument;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentPlace, DocumentState};
use crate::plan::{DocumentsGuard, DocumentsWrite, Guard, Write};
use crate::request::error::RequestError;
use serde_json::json;

/// How long an upload may take until the sweep removes what it left behind.
const UPLOAD_MS: i64 = 2 * 3_600_000;

/// The write with which the upload of an object begins.
#[must_use]
pub fn receiving(id: DocumentId, now: Instant) -> Write<'static> {
    Write::Documents(DocumentsWrite::Receiving { id, due_at: now.plus(UPLOAD_MS) })
}

/// Deletes a document: an owner or an admin, or who uploaded it while nothing uses it.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have or that is removed, [`RequestError::NotAuthorized`],
/// [`RequestError::Conflict`] under a legal hold.
pub fn delete(stored: Option<StoredDocument>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    stored.is_deletable(person)?;
    let of = stored.place();
    let entry = Entry::new(ctx, 0, Some(of.practice_id), Event::DocumentDeleted, stored.id);
    let change = remove(of, entry, stored.state);
    Ok(if person.practice_id.is_some() && person.leads() {
        change
    } else {
        change.guard(Guard::Documents(DocumentsGuard::Unused(of)))
    })
}

/// Deletes a document whose time is over.
#[must_use]
pub fn expire(of: DocumentPlace, state: DocumentState, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(of.practice_id), Event::DocumentDeleted, of.id);
    remove(of, entry.detail(json!({ "why": "retention" })), state)
}

fn remove(of: DocumentPlace, entry: Entry, was: DocumentState) -> Change {
    Change::new(entry, Answer::empty())
        .guard(Guard::Documents(DocumentsGuard::InState(of, was)))
        .guard(Guard::Documents(DocumentsGuard::NoHold(of.practice_id)))
        .write(Write::Documents(DocumentsWrite::Removed { of, state: DocumentState::Deleted }))
}

/// How long the sweep leaves an object alone that could not be removed.
const POSTPONED_MS: i64 = 30 * 60_000;

/// The write after the bucket did not remove an object. Others must not wait behind it.
#[must_use]
pub fn postponed(id: DocumentId, now: Instant) -> Write<'static> {
    Write::Documents(DocumentsWrite::RemovalPostponed { id, due_at: now.plus(POSTPONED_MS) })
}

/// The write after the bucket removed an object.
#[must_use]
pub const fn gone(id: DocumentId) -> Write<'static> {
    Write::Documents(DocumentsWrite::ObjectGone(id))
}
