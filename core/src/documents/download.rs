//! `GET …/{id}/content`: a document that is downloaded, and the record of it.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::ClaimId;
use crate::documents::view::StoredDocument;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentPlace, DocumentState, ObjectKey};
use crate::plan::{DocumentsGuard, Guard};
use crate::request::error::RequestError;
use crate::request::open::Open;
use alloc::string::String;
use serde_json::json;

/// A document that is downloaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Download {
    /// Its place.
    pub of: DocumentPlace,
    pub claim_id: Option<ClaimId>,
    pub key: ObjectKey,
    /// The name of its file.
    pub name: String,
    /// Its media type.
    pub content_type: String,
    pub size: u64,
    /// Its `ETag`, without quotes.
    pub tag: String,
}

/// A download, with the audit row that must be committed before its first byte.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that is removed, [`RequestError::Conflict`] for one that waits for its virus scan, and those
/// of [`Open::open`].
pub fn download(
    stored: StoredDocument,
    person: &Person,
    keys: &impl Open,
    ctx: &Ctx,
) -> Result<(Download, Change), RequestError> {
    stored.is_downloadable()?;
    let of = stored.place();
    let (key, name) = stored.opened(keys)?;
    let by = if person.practice_id.is_some() { "practice" } else { "staff" };
    let entry = Entry::new(ctx, 0, Some(of.practice_id), Event::DocumentRead, stored.id);
    let entry = entry.detail(json!({ "claim_id": stored.claim_id, "part": "file", "by": by }));
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Documents(DocumentsGuard::InState(of, DocumentState::Available)));
    let download = Download {
        of,
        claim_id: stored.claim_id,
        key,
        name,
        content_type: stored.content_type,
        size: stored.size,
        tag: stored.sha256,
    };
    Ok((download, change))
}
