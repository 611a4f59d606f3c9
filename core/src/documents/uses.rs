//! `…/cases/{id}/documents` and `…/reports/{id}/documents`: what staff attach to a case or a report.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::DocumentId;
use crate::documents::UNKNOWN;
use crate::documents::view::StoredDocument;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentState, DocumentUse, UseKind};
use crate::plan::{DocumentsGuard, DocumentsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Id;
use crate::request::error::RequestError;
use serde_json::json;
use uuid::Uuid;

body! {
    AttachedDocument { document_id: Id<DocumentId> }
}

/// Attaches a document to a record, which the batch checks.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have, [`RequestError::Conflict`] for one that cannot be downloaded.
pub fn attach(
    stored: Option<&StoredDocument>,
    (kind, record): (UseKind, Uuid),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    stored.is_attachable()?;
    let of = stored.place();
    let to = DocumentUse { of, kind, record };
    if is_attached(stored, to) {
        return Ok(Change::nothing(Answer::empty()));
    }
    let write = DocumentsWrite::Attached { to, by: person.user_id };
    let available = DocumentsGuard::InState(of, DocumentState::Available);
    Ok(change(Event::DocumentAttached, to, write, ctx)
        .guard(Guard::Documents(available))
        .guard(Guard::Documents(DocumentsGuard::HasRecord(to))))
}

/// Detaches a document from a record.
///
/// # Errors
///
/// [`RequestError::NotFound`] if it is not attached.
pub fn detach(
    stored: Option<&StoredDocument>,
    (kind, record): (UseKind, Uuid),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    let of = stored.place();
    let from = DocumentUse { of, kind, record };
    if !is_attached(stored, from) {
        return Err(UNKNOWN);
    }
    let write = DocumentsWrite::Detached(from);
    Ok(change(Event::DocumentDetached, from, write, ctx))
}

fn is_attached(stored: &StoredDocument, to: DocumentUse) -> bool {
    let mut uses = stored.uses.iter();
    uses.any(|used| used.kind == to.kind && used.id == to.record)
}

fn change(event: Event, of: DocumentUse, write: DocumentsWrite, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(of.of.practice_id), event, of.of.id);
    let entry = entry.detail(json!({ "kind": of.kind, "record": of.record }));
    Change::new(entry, Answer::empty()).write(Write::Documents(write))
}
