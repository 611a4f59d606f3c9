//! `/api/v1/documents/{id}`: a document, as the practice and the staff see it.

use super::document::{DocumentKind, StoredDocument, UseKind, found, of_caller, of_practice};
use crate::extract::InPractice;
use crate::pipeline::Audited;
use crate::prelude::*;
use overturn_core::auth::person::Via;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::{CaseId, ClaimId, DocumentId, ReportId};
use overturn_core::plan::documents::DocumentState;
use overturn_core::request::open::Open;

names! {
    /// The side that uploaded a document. The practice does not learn which member of staff it was.
    UploadedBy {
        /// A person of the practice, or their integration.
        Practice = "practice",
        /// The service's staff.
        Staff = "staff",
    }
}

impl UploadedBy {
    pub(super) const fn of(practice: bool) -> Self {
        if practice { Self::Practice } else { Self::Staff }
    }
}

/// A document, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct DocumentView {
    pub(super) id: DocumentId,
    /// The name of its file. It is `null` once the document is removed, and in lists for staff, because it can name the
    /// patient.
    pub(super) name: Option<String>,
    pub(super) kind: DocumentKind,
    /// Its media type, by content.
    pub(super) content_type: String,
    /// Its size in bytes.
    pub(super) size: u64,
    /// The SHA-256 of the file, in hexadecimal.
    pub(super) sha256: String,
    pub(super) state: DocumentState,
    pub(super) claim_id: Option<ClaimId>,
    pub(super) claim_number: Option<String>,
    pub(super) uploaded_by: UploadedBy,
    pub(super) uploaded_at: Time,
    /// The cases that it is attached to.
    pub(super) cases: Vec<CaseId>,
    /// The reports that it is attached to.
    pub(super) reports: Vec<ReportId>,
}

impl DocumentView {
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
        Delete = "delete",
        /// Attach it to a case or a report. Only staff do.
        Attach = "attach",
    }
}

/// A document, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct DocumentFor {
    #[serde(flatten)]
    pub(super) document: DocumentView,
    /// What the person may do.
    pub(super) may: Vec<DocumentAction>,
}

impl Item for DocumentFor {
    const LIST: &'static str = "documents";
}

impl DocumentFor {
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
        Self { may: DocumentAction::ALL.into_iter().filter(may).collect(), document: DocumentView::of(stored, name) }
    }
}

/// `GET`: what is known of a document.
pub(crate) async fn show(PathId(id): PathId<DocumentId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = of_caller(request.credential(), id);
    let view = |person: &_, stored| {
        let stored = found(stored)?;
        let keys = stored.keys(&request.call);
        named(stored, person, &keys)
    };
    request.show(load, view).await
}

/// `GET /api/v1/staff/practices/{practice}/documents/{id}`: the same for staff, which leaves an audit row, because the
/// name of a file can name the patient.
pub(crate) async fn show_to_staff(
    InPractice(practice, id): InPractice<DocumentId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = of_practice(practice, id);
    let view = request.audited(load, |person, stored| {
        let stored = found(stored)?;
        let keys = stored.keys(&request.call);
        let patient = stored.patient();
        let shown = named(stored, person, &keys)?;
        Ok(Some(Audited { change: seen(&shown.document, practice, request.ctx()), patient, shown }))
    });
    Ok(request.respond(&view.await?))
}

pub(super) fn named(stored: StoredDocument, person: &Person, keys: &impl Open) -> Result<DocumentFor, RequestError> {
    let name = stored.name(keys)?;
    Ok(DocumentFor::of(stored, name, person))
}

/// Records that a member of staff sees the name of a file.
fn seen(view: &DocumentView, practice: PracticeId, ctx: &Ctx) -> Change {
    let entry = Entry::new(ctx, 0, Some(practice), Event::DocumentRead, view.id);
    let entry = entry.detail(json!({ "claim_id": view.claim_id, "part": "name" }));
    Change::new(entry, Answer::empty())
}
