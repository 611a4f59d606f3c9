//! `POST /api/v1/documents` and `/api/v1/documents/bulk`: documents out of received files.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{DocumentId, PracticeId};
use crate::base::names::names;
use crate::base::time::Time;
use crate::documents::scan::{self, ScanOutcome};
use crate::documents::target::{FoundClaim, Target};
use crate::documents::view::{DocumentView, UploadedBy};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentKind, DocumentState, NewDocument, ObjectKey, SealedPart};
use crate::plan::{DocumentsGuard, DocumentsWrite, Guard, Write};
use crate::request::error::RequestError;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::{Value, json};

/// A file whose object is complete in the bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The id of the document, which names the object.
    pub id: DocumentId,
    /// The cleaned name of the file.
    pub name: String,
    /// Its media type, by content.
    pub content_type: &'static str,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    pub key: ObjectKey,
    /// What the scanner said. An infected file is refused before.
    pub scan: ScanOutcome,
}

/// One file of a bulk upload.
#[derive(Clone, Debug)]
pub enum Item {
    Received(Received, Target, Option<FoundClaim>),
    /// It was refused, with the error as it is shown.
    Refused(Value),
}

/// What a repeated upload is recognized by: the practice, what the files belong to, and what they hold. A refused file counts as
/// refused, whatever the reason.
#[must_use]
pub fn fingerprint<'a>(
    practice: PracticeId,
    files: impl IntoIterator<Item = (&'a Target, Option<&'a str>)>,
) -> Vec<u8> {
    let files: Vec<_> = files.into_iter().collect();
    serde_json::to_vec(&(practice, files)).unwrap_or_default()
}

/// Stores one file.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the practice does not have the claim.
pub fn store(
    practice: PracticeId,
    (received, target, claim): (Received, &Target, Option<FoundClaim>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let claim = target.claim(claim)?;
    let (stored, view) = document(practice, received, (target, claim), person, ctx);
    let answer = Answer::new(201, &view).keeping(&view.without_name());
    let change = Change::new(entry(practice, 0, &stored, ctx), answer);
    Ok(add(change, stored))
}

names! {
    /// What became of a file of a bulk upload.
    FileStatus {
        Stored = "stored",
        Refused = "refused",
    }
}

/// The result of one file, in the order sent.
#[derive(Clone, Debug, Serialize)]
struct FileResult {
    status: FileStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

impl FileResult {
    const fn stored(document: DocumentView) -> Self {
        Self { status: FileStatus::Stored, document: Some(document), error: None }
    }

    const fn refused(error: Value) -> Self {
        Self { status: FileStatus::Refused, document: None, error: Some(error) }
    }

    /// The result as it is kept.
    fn kept(&self) -> Self {
        Self { document: self.document.as_ref().map(DocumentView::without_name), ..self.clone() }
    }
}

/// Stores the files that were received. `refuse` says how an error is shown.
///
/// # Errors
///
/// The results, if none was stored.
pub fn store_all(
    practice: PracticeId,
    items: Vec<Item>,
    refuse: impl Fn(RequestError) -> Value,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Value> {
    let mut writes = Vec::new();
    let mut results = Vec::new();
    for item in items {
        let (received, target, claim) = match item {
            Item::Received(received, target, claim) => (received, target, claim),
            Item::Refused(error) => {
                results.push(FileResult::refused(error));
                continue;
            }
        };
        match target.claim(claim) {
            Ok(claim) => {
                let (stored, document) = document(practice, received, (&target, claim), person, ctx);
                writes.push(stored);
                results.push(FileResult::stored(document));
            }
            Err(error) => results.push(FileResult::refused(refuse(error))),
        }
    }
    let body = json!({ "results": results });
    let mut rows = writes.iter().enumerate().map(|(n, stored)| entry(practice, n, stored, ctx));
    let Some(first) = rows.next() else {
        return Err(body);
    };
    let kept: Vec<FileResult> = results.iter().map(FileResult::kept).collect();
    let answer = Answer::new(201, &body).keeping(&json!({ "results": kept }));
    let change = Change::new(first, answer);
    let change = rows.fold(change, |change, row| change.write(Write::Audit(row)));
    Ok(writes.into_iter().fold(change, add))
}

fn entry(practice: PracticeId, n: usize, stored: &NewDocument, ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, n, Some(practice), Event::DocumentUploaded, stored.id);
    entry.detail(json!({ "claim_id": stored.claim_id, "sha256": stored.sha256, "state": stored.state }))
}

fn add(change: Change, stored: NewDocument) -> Change {
    change
        .guard(Guard::Documents(DocumentsGuard::Receiving(stored.id)))
        .write(Write::Documents(DocumentsWrite::New(stored)))
}

fn document(
    practice_id: PracticeId,
    received: Received,
    (target, claim): (&Target, Option<FoundClaim>),
    person: &Person,
    ctx: &Ctx,
) -> (NewDocument, DocumentView) {
    let (state, scan_at) = match received.scan {
        ScanOutcome::Clean => (DocumentState::Available, None),
        ScanOutcome::Infected | ScanOutcome::Unknown => (DocumentState::Quarantined, Some(scan::next(0, ctx.now))),
    };
    let kind = target.kind.unwrap_or(DocumentKind::Other);
    let (claim_id, claim_number) = match claim {
        Some(claim) => (Some(claim.id), Some(claim.claim_number)),
        None => (None, None),
    };
    let view = DocumentView {
        id: received.id,
        name: Some(received.name.clone()),
        kind,
        content_type: received.content_type.into(),
        size: received.size,
        sha256: received.sha256.clone(),
        state,
        claim_id,
        claim_number,
        uploaded_by: if person.practice_id.is_some() { UploadedBy::Practice } else { UploadedBy::Staff },
        uploaded_at: Time(ctx.now),
        cases: Vec::new(),
        reports: Vec::new(),
    };
    let stored = NewDocument {
        practice_id,
        id: received.id,
        claim_id,
        kind,
        state,
        content_type: received.content_type,
        size: i64::try_from(received.size).unwrap_or(i64::MAX),
        sha256: received.sha256,
        sealed: SealedPart { name: received.name, key: HEXLOWER.encode(&received.key.0) },
        uploaded_by: person.user_id,
        scan_at,
    };
    (stored, view)
}

/// The audit row of a file in which the scanner found something. Nothing else is kept of it.
#[must_use]
pub fn infected(practice: PracticeId, n: usize, id: DocumentId, (sha256, size): (&str, u64), ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, n, Some(practice), Event::DocumentInfected, id);
    entry.detail(json!({ "sha256": sha256, "size": size }))
}
