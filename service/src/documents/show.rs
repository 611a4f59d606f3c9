//! `/api/v1/documents/{id}`: a document, as the practice and the staff see it.

use super::document::{DocumentKind, StoredDocument, UseKind, found, of_caller, of_practice};
use crate::auth::person::Via;
use crate::auth::rights::Action;
use crate::extract::InPractice;
use crate::pipeline::Audited;
use crate::plan::documents::DocumentState;
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::file_limits::FILE_MAX;
use overturn_core::base::id::{CaseId, ClaimId, DocumentId, ReportId};
use overturn_core::base::open::Open;

names! {
    // The practice does not learn which member of staff it was.
    /// The side that uploaded a document.
    UploadedBy {
        /// A person of the practice, or their integration.
        Practice = "practice",
        /// Our staff.
        Staff = "staff",
    }
}

impl UploadedBy {
    pub(super) const fn of(practice: bool) -> Self {
        if practice { Self::Practice } else { Self::Staff }
    }
}

/// A document that was uploaded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct UploadedDocument {
    pub(super) id: DocumentId,
    // It can name the patient.
    /// The cleaned name of the file. `null` once the document is removed, in lists for staff, and in an answer that came
    /// before (`Idempotency-Replayed`).
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) name: Option<String>,
    pub(super) kind: DocumentKind,
    /// The media type by content.
    #[cfg_attr(feature = "schema", schemars(length(min = 3)))]
    pub(super) content_type: String,
    /// The size of the file in bytes.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = FILE_MAX)))]
    pub(super) size: u64,
    /// The SHA-256 of the file.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub(super) sha256: String,
    pub(super) state: DocumentState,
    pub(super) claim_id: Option<ClaimId>,
    pub(super) claim_number: Option<String>,
    pub(super) uploaded_by: UploadedBy,
    pub(super) uploaded_at: Time,
    /// The cases that our staff attached it to.
    pub(super) cases: Vec<CaseId>,
    /// The reports that our staff attached it to.
    pub(super) reports: Vec<ReportId>,
}

impl UploadedDocument {
    /// The same without the name of the file: for what is kept in the clear.
    pub(super) fn without_name(&self) -> Self {
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
            uploaded_by: UploadedBy::of(stored.of_practice),
            uploaded_at: stored.uploaded_at,
        }
    }
}

names! {
    /// What a person may do with a document.
    DocumentAction {
        /// Download its file.
        Download = "download",
        /// Delete it.
        Delete = "delete",
        /// Attach it to a case or a report. Only staff do.
        Attach = "attach",
    }
}

/// A document, with what the caller may do with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DocumentView {
    #[serde(flatten)]
    pub(super) document: UploadedDocument,
    /// What the caller may do with this document. Only staff attach documents.
    pub(super) may: Vec<DocumentAction>,
}

impl Item for DocumentView {
    const LIST: &'static str = "documents";
}

impl DocumentView {
    pub(super) fn of(stored: StoredDocument, name: Option<String>, person: &Person) -> Self {
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
        Self {
            may: DocumentAction::ALL.into_iter().filter(may).collect(),
            document: UploadedDocument::of(stored, name),
        }
    }
}

/// `showDocument`: Read what is known of a document.
///
/// For everyone in an active practice that has signed the agreement.
pub(crate) async fn show(
    PathId(id): PathId<DocumentId>,
    request: ReadRequest,
) -> Result<Gives<DocumentView>, AppError> {
    let load = of_caller(request.credential(), id);
    let view = |person: &_, stored| {
        let stored = found(stored)?;
        let keys = stored.keys(&request.call);
        named(stored, person, &keys)
    };
    request.show(load, view).await
}

/// `showPracticeDocument`: Read a document's name and what is known of it.
///
/// Staff only. The name of a file can name the patient, so each read is in the practice's audit trail, and counts as
/// opening the patient of the document's claim.
pub(crate) async fn show_to_staff(
    InPractice(practice, id): InPractice<DocumentId>,
    request: ReadRequest,
) -> Result<Gives<DocumentView>, AppError> {
    let load = of_practice(practice, id);
    let view = request.audited(load, |person, stored| {
        let stored = found(stored)?;
        let keys = stored.keys(&request.call);
        let patient = stored.patient();
        let shown = named(stored, person, &keys)?;
        Ok(Some(Audited { change: seen(&shown.document, practice, request.ctx()), patient, shown }))
    });
    Ok(request.respond(&view.await?).into())
}

pub(super) fn named(stored: StoredDocument, person: &Person, keys: &impl Open) -> Result<DocumentView, RequestError> {
    let name = stored.name(keys)?;
    Ok(DocumentView::of(stored, name, person))
}

/// Records that a member of staff sees the name of a file.
fn seen(view: &UploadedDocument, practice: PracticeId, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(practice), Event::DocumentRead, view.id);
    let entry = entry.detail(json!({ "claim_id": view.claim_id, "part": "name" }));
    Change::new(entry, Answer::empty())
}
