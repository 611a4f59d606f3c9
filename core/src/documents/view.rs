//! `/api/v1/documents`: the documents of a practice, as it and the staff see them.

use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::base::ctx::Ctx;
use crate::base::id::{CaseId, ClaimId, DocumentId, PracticeId, ReportId, UserId};
use crate::base::names::names;
use crate::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use crate::base::time::Time;
use crate::documents::UNKNOWN;
use crate::documents::query::DocumentQuery;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentKind, DocumentPlace, DocumentState, ObjectKey, SealedPart, UseKind};
use crate::request::error::RequestError;
use crate::request::open::Open;
use crate::request::page::Listed;
use crate::request::reason::Reason;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// A record that uses a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredUse {
    /// The kind of record.
    pub kind: UseKind,
    /// The record.
    pub id: Uuid,
}

/// A stored document. `Debug` does not print its sealed part.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredDocument {
    pub practice_id: PracticeId,
    pub id: DocumentId,
    pub claim_id: Option<ClaimId>,
    pub claim_number: Option<String>,
    pub kind: DocumentKind,
    pub state: DocumentState,
    /// Its media type.
    pub content_type: String,
    /// The size of the file.
    pub size: u64,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The version of the key that sealed its sealed part.
    pub key_version: KeyVersion,
    /// Its sealed part; `None` once it is removed.
    pub sealed: Option<String>,
    pub uploaded_by: UserId,
    /// True if a person of the practice uploaded it.
    pub of_practice: bool,
    pub uploaded_at: Time,
    /// What uses it.
    pub uses: Vec<StoredUse>,
    /// True if the practice may delete nothing.
    pub legal_hold: bool,
    /// How many times it was scanned for viruses.
    pub scans: u32,
    /// The newest data key of the practice, under which its sealed part may be.
    pub data_key: Option<StoredDataKey>,
}

impl core::fmt::Debug for StoredDocument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "StoredDocument({})", self.id)
    }
}

impl StoredDocument {
    #[must_use]
    pub const fn place(&self) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice_id, id: self.id }
    }

    /// Where its sealed part is.
    const fn sealed_at(&self) -> SealedPlace {
        SealedPlace::Document { practice: self.practice_id, id: self.id }
    }

    /// Checks that the file can be downloaded.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotFound`] once it is removed, [`RequestError::Conflict`] while it waits for its virus scan.
    pub fn is_downloadable(&self) -> Result<(), RequestError> {
        match self.state {
            DocumentState::Available => Ok(()),
            DocumentState::Quarantined => {
                Err(RequestError::Conflict(Reason::DocumentWaiting, "the document waits for its virus scan"))
            }
            DocumentState::Infected | DocumentState::Deleted => Err(UNKNOWN),
        }
    }

    /// Checks that staff may attach it to a case or a report.
    ///
    /// # Errors
    ///
    /// [`RequestError::Conflict`] while it waits for its virus scan, and once it is removed.
    pub fn is_attachable(&self) -> Result<(), RequestError> {
        if self.state == DocumentState::Available {
            return Ok(());
        }
        Err(RequestError::Conflict(Reason::DocumentUnavailable, "the document is not available"))
    }

    /// Checks that a person may delete it: an owner or an admin, or who uploaded it while nothing uses it.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotFound`] once it is removed, [`RequestError::NotAuthorized`], [`RequestError::Conflict`] under a
    /// legal hold or if something uses it.
    pub fn is_deletable(&self, person: &Person) -> Result<(), RequestError> {
        match self.state {
            DocumentState::Available | DocumentState::Quarantined => {}
            DocumentState::Infected | DocumentState::Deleted => return Err(UNKNOWN),
        }
        let leads = person.practice_id.is_some() && person.leads();
        if !leads && self.uploaded_by != person.user_id {
            return Err(RequestError::NotAuthorized(
                Reason::NotYours,
                "only an owner, an admin or who uploaded the document may delete it",
            ));
        }
        if self.legal_hold {
            return Err(RequestError::Conflict(Reason::LegalHold, "the practice has a legal hold"));
        }
        if !leads && !self.uses.is_empty() {
            return Err(RequestError::Conflict(Reason::DocumentInUse, "a case or a report uses the document"));
        }
        Ok(())
    }

    fn open(&self, keys: &impl Open) -> Result<Option<SealedPart>, RequestError> {
        let sealed = self.sealed.as_ref();
        let opened = sealed.map(|sealed| keys.open_json(self.sealed_at(), self.key_version, sealed));
        opened.transpose()
    }

    /// The key of its object.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotFound`] once it is removed, and those of [`Open::open`].
    pub fn object_key(&self, keys: &impl Open) -> Result<ObjectKey, RequestError> {
        self.opened(keys).map(|(key, _)| key)
    }

    /// The key of its object and the name of its file.
    pub(super) fn opened(&self, keys: &impl Open) -> Result<(ObjectKey, String), RequestError> {
        let opened = self.open(keys)?.ok_or(UNKNOWN)?;
        // The cause stays out: it repeats a part of the key.
        let key = HEXLOWER.decode(opened.key.as_bytes()).ok();
        let key = key.and_then(|key| key.try_into().ok());
        let key = key.ok_or_else(|| keys.tampered(self.sealed_at()))?;
        Ok((ObjectKey(key), opened.name))
    }
}

names! {
    /// The side that uploaded a document. The practice does not learn which member of staff it was.
    UploadedBy {
        /// A person of the practice, or their integration.
        Practice = "practice",
        /// The service's staff.
        Staff = "staff",
    }
}

/// A document, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DocumentView {
    pub id: DocumentId,
    /// The name of its file. It is `null` once the document is removed, and in lists for staff, because it can name the patient.
    pub name: Option<String>,
    pub kind: DocumentKind,
    /// Its media type, by content.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    pub state: DocumentState,
    pub claim_id: Option<ClaimId>,
    pub claim_number: Option<String>,
    pub uploaded_by: UploadedBy,
    pub uploaded_at: Time,
    /// The cases that it is attached to.
    pub cases: Vec<CaseId>,
    /// The reports that it is attached to.
    pub reports: Vec<ReportId>,
}

impl DocumentView {
    /// The same without the name of the file: for what is kept in the clear.
    #[must_use]
    pub fn without_name(&self) -> Self {
        Self { name: None, ..self.clone() }
    }

    fn of(stored: StoredDocument, name: Option<String>) -> Self {
        let used = |kind| stored.uses.iter().filter(move |used| used.kind == kind);
        Self {
            name,
            cases: used(UseKind::Case).map(|used| CaseId(used.id)).collect(),
            reports: used(UseKind::Report).map(|used| ReportId(used.id)).collect(),
            id: stored.id,
            kind: stored.kind,
            content_type: stored.content_type,
            size: stored.size,
            sha256: stored.sha256,
            state: stored.state,
            claim_id: stored.claim_id,
            claim_number: stored.claim_number,
            uploaded_by: if stored.of_practice { UploadedBy::Practice } else { UploadedBy::Staff },
            uploaded_at: stored.uploaded_at,
        }
    }
}

names! {
    /// What a person may do with a document.
    DocumentAction {
        /// Download its file.
        Download = "download",
        Delete = "delete",
        /// Attach it to a case or a report. Only staff do.
        Attach = "attach",
    }
}

/// A document, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DocumentFor {
    #[serde(flatten)]
    pub document: DocumentView,
    /// What the person may do.
    pub may: Vec<DocumentAction>,
}

impl DocumentFor {
    fn of(stored: StoredDocument, name: Option<String>, person: &Person) -> Self {
        let may = |action: &DocumentAction| {
            let allowed = match action {
                DocumentAction::Download => stored.is_downloadable(),
                DocumentAction::Delete => stored.is_deletable(person),
                DocumentAction::Attach if person.may_in_session(Action::Work) => stored.is_attachable(),
                DocumentAction::Attach => return false,
            };
            // All of them need a session.
            matches!(person.via, Via::Session(_)) && allowed.is_ok()
        };
        Self { may: DocumentAction::ALL.into_iter().filter(may).collect(), document: DocumentView::of(stored, name) }
    }
}

/// A page of documents, newest first. `name` gives the name of a document's file.
pub fn list(
    person: &Person,
    query: DocumentQuery,
    stored: Vec<StoredDocument>,
    name: impl Fn(&StoredDocument) -> Option<String>,
) -> Listed<DocumentFor> {
    let views = stored.into_iter().map(|stored| {
        let name = name(&stored);
        DocumentFor::of(stored, name, person)
    });
    let cursor = |last: &DocumentFor| alloc::format!("{}", last.document.id.0.simple());
    Listed::cut("documents", views.collect(), query.limit, cursor)
}

/// The name of a file in a list of the practice; `None` if its key is not here.
pub fn name(stored: &StoredDocument, keys: &impl Open) -> Option<String> {
    let opened = stored.open(keys).ok().flatten();
    opened.map(|opened| opened.name)
}

/// The stored document.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have.
pub fn found(stored: Option<StoredDocument>) -> Result<StoredDocument, RequestError> {
    stored.ok_or(UNKNOWN)
}

/// One document with the name of its file.
///
/// # Errors
///
/// Those of [`Open::open`].
pub fn show(stored: StoredDocument, person: &Person, keys: &impl Open) -> Result<DocumentFor, RequestError> {
    let name = stored.open(keys)?.map(|opened| opened.name);
    Ok(DocumentFor::of(stored, name, person))
}

/// Records that a member of staff sees the name of a file.
#[must_use]
pub fn shown(view: &DocumentView, practice: PracticeId, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(practice), Event::DocumentRead, view.id);
    let entry = entry.detail(json!({ "claim_id": view.claim_id, "part": "name" }));
    Change::new(entry, Answer::empty())
}

/// The claim whose patient staff open with a document. One without a claim counts for itself.
#[must_use]
pub fn patient(id: DocumentId, claim: Option<ClaimId>) -> ClaimId {
    claim.unwrap_or(ClaimId(id.0))
}
