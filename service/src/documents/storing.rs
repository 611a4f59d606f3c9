//! Documents out of received files.

use super::document::{DocumentKind, DocumentPlace, ObjectKey};
use super::removal::{is_received, not_loose};
use super::scan::{self, ScanOutcome};
use super::show::{UploadedBy, UploadedDocument};
use super::target::{FoundClaim, Target};
use crate::plan::documents::{DocumentState, SealedPart};
use crate::prelude::*;
use data_encoding::HEXLOWER;
use overturn_core::base::id::{DocumentId, UserId};

/// A file whose object is complete in the bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Received {
    /// The id of the document, which names the object.
    pub(super) id: DocumentId,
    /// The cleaned name of the file.
    pub(super) name: String,
    /// Its media type, by content.
    pub(super) content_type: &'static str,
    /// Its size in bytes.
    pub(super) size: u64,
    /// Its SHA-256, in hexadecimal.
    pub(super) sha256: String,
    pub(super) key: ObjectKey,
    /// What the scanner said. An infected file is refused before.
    pub(super) scan: ScanOutcome,
}

/// What a repeated upload is recognized by: the practice, what the files belong to, and what they hold. A refused file
/// counts as refused, whatever the reason.
pub(super) fn fingerprint<'a>(
    practice: PracticeId,
    files: impl IntoIterator<Item = (&'a Target, Option<&'a str>)>,
) -> Vec<u8> {
    let files: Vec<_> = files.into_iter().collect();
    serde_json::to_vec(&(practice, files)).unwrap_or_default()
}

/// Stores one file.
pub(super) fn store(
    practice: PracticeId,
    (received, target, claim): (Received, &Target, Option<FoundClaim>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let new = NewDocument::new(practice, received, (target, target.claim(claim)?), person, ctx);
    let answer = Answer::new(201, &new.view).keeping(&new.view.without_name());
    Ok(new.add_to(Change::new(new.entry(0, ctx), answer)))
}

/// A document that is stored now.
pub(super) struct NewDocument {
    practice: PracticeId,
    pub(super) view: UploadedDocument,
    sealed: SealedPart,
    uploaded_by: UserId,
    /// When the next virus scan is due.
    pub(super) scan_at: Option<Instant>,
}

impl NewDocument {
    pub(super) fn new(
        practice: PracticeId,
        received: Received,
        (target, claim): (&Target, Option<FoundClaim>),
        person: &Person,
        ctx: &Ctx,
    ) -> Self {
        let (state, scan_at) = match received.scan {
            ScanOutcome::Clean => (DocumentState::Available, None),
            ScanOutcome::Infected | ScanOutcome::Unknown => (DocumentState::Quarantined, Some(scan::next(0, ctx.real))),
        };
        let (claim_id, claim_number) = claim.map(|claim| (claim.id, claim.claim_number)).unzip();
        let view = UploadedDocument {
            id: received.id,
            name: Some(received.name.clone()),
            kind: target.kind.unwrap_or(DocumentKind::Other),
            content_type: received.content_type.into(),
            size: received.size,
            sha256: received.sha256,
            state,
            claim_id,
            claim_number,
            uploaded_by: UploadedBy::of(person.practice_id.is_some()),
            uploaded_at: Time(ctx.now),
            cases: Vec::new(),
            reports: Vec::new(),
        };
        let sealed = SealedPart { name: received.name, key: HEXLOWER.encode(&received.key.0) };
        Self { practice, view, sealed, uploaded_by: person.user_id, scan_at }
    }

    /// The audit row of the nth document of a request.
    pub(super) fn entry(&self, n: usize, ctx: &Ctx) -> Entry {
        let UploadedDocument { id, claim_id, sha256, state, .. } = &self.view;
        let entry = Entry::new(ctx, n, Some(self.practice), Event::DocumentUploaded, *id);
        entry.detail(json!({ "claim_id": claim_id, "sha256": sha256, "state": state }))
    }

    /// The change with this document, unless the sweep has removed its object.
    pub(super) fn add_to(&self, change: Change) -> Change {
        let Self { practice, view, sealed, uploaded_by, scan_at } = self;
        let place = SealedPlace::Document { practice: *practice, id: view.id };
        // Both keys are text, so writing cannot fail.
        let sealed = serde_json::to_vec(sealed).unwrap_or_default();
        let of = DocumentPlace { practice_id: *practice, id: view.id };
        change.guard(is_received(of)).write(not_loose(of)).write(sql!(
            "INSERT INTO documents (practice_id, id, claim_id, kind, state, content_type, size, sha256, key_version, sealed,
               uploaded_by, uploaded_at, scan_at)
             VALUES ({practice}, {id}, {claim_id}, {kind}, {state}, {content_type}, {size}, {sha256}, {key}, {sealed},
               {uploaded_by}, {uploaded_at}, {scan_at})";
            practice = *practice, id = view.id, claim_id = view.claim_id, kind = view.kind, state = view.state,
            content_type = &view.content_type, size = i64::try_from(view.size).unwrap_or(i64::MAX),
            sha256 = &view.sha256, key = KeyOf(place), sealed = Seal::new(place, &sealed), uploaded_by = *uploaded_by,
            uploaded_at = view.uploaded_at, scan_at = *scan_at
        ))
    }
}

/// The audit row of a file in which the scanner found something. Nothing else is kept of it.
pub(super) fn infected(
    practice: PracticeId,
    n: usize,
    id: DocumentId,
    (sha256, size): (&str, u64),
    ctx: &Ctx,
) -> Entry {
    let entry = Entry::new(ctx, n, Some(practice), Event::DocumentInfected, id);
    entry.detail(json!({ "sha256": sha256, "size": size }))
}
