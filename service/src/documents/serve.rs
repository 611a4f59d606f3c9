//! `GET …/{id}/content`: the audit row is committed, and then the document streams out of the bucket.

use super::cipher::Cipher;
use super::document::{ObjectKey, StoredDocument, found, in_state, of_caller, of_practice};
use super::download::{self, Document, DownloadError};
use super::range::Ranged;
use crate::extract::InPractice;
use crate::pipeline::{Audited, tampered};
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::response;
use crate::store::documents::object_name;
use http::header::{ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use overturn_content::name::DocumentName;
use overturn_core::base::id::DocumentId;
use overturn_core::base::open::Open;
use std::rc::Rc;

/// `downloadDocument`: Download a document.
///
/// For everyone in an active practice that has signed the agreement.
///
/// The file, always as `attachment` and never cached. The name is in `Content-Disposition` as RFC 6266 says. `Range`
/// gets `206` with that range. Several ranges get the whole file. The download is in the practice's audit trail before
/// its first byte is sent. A quarantined document gets `409`. If the connection closes before the announced length,
/// discard what you received: we stop when a stored document was changed.
pub(crate) async fn content(
    PathId(id): PathId<DocumentId>,
    range: Ranged,
    request: ReadRequest,
) -> Result<GivesFile, AppError> {
    answer(&request, of_caller(request.credential(), id), &range).await.map(GivesFile)
}

/// `downloadPracticeDocument`: Download a document of a practice.
///
/// Staff only. It counts as opening the patient of the document's claim.
///
/// The file, always as `attachment` and never cached. The name is in `Content-Disposition` as RFC 6266 says. `Range`
/// gets `206` with that range. Several ranges get the whole file. The download is in the practice's audit trail before
/// its first byte is sent. A quarantined document gets `409`. If the connection closes before the announced length,
/// discard what you received: we stop when a stored document was changed.
pub(crate) async fn content_for_staff(
    InPractice(practice, id): InPractice<DocumentId>,
    range: Ranged,
    request: ReadRequest,
) -> Result<GivesFile, AppError> {
    answer(&request, of_practice(practice, id), &range).await.map(GivesFile)
}

/// Answers with a document, or the range of it that the caller asks for.
async fn answer(
    request: &ReadRequest,
    load: Query<Option<StoredDocument>>,
    range: &Ranged,
) -> Result<Response, AppError> {
    let mut tag = String::new();
    let again = load.clone();
    let view = request.audited(load, |person, stored| {
        let stored = found(stored)?;
        let keys = stored.keys(&request.call);
        let patient = stored.patient();
        let (shown, change) = download(stored, person, &keys, request.ctx())?;
        tag.clone_from(&shown.etag);
        if request.known.knows(&tag) {
            return Ok(None);
        }
        Ok(Some(Audited { change, patient, shown }))
    });
    match view.await {
        Ok(Some(of)) => stream(request, of, range, &again).await,
        Ok(None) => Ok(response::with(StatusCode::NOT_MODIFIED, [(ETAG, tag)], "")),
        Err(changed @ AppError::Request(RequestError::Conflict(..))) => {
            check_again(request, &again).await?;
            Err(changed)
        }
        Err(error) => Err(error),
    }
}

/// A document that is downloaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Download {
    stored: StoredDocument,
    pub(super) key: ObjectKey,
    /// The name of its file.
    pub(super) name: String,
    pub(super) etag: String,
}

/// A download, with the audit row that must be committed before its first byte.
pub(super) fn download(
    stored: StoredDocument,
    person: &Person,
    keys: &impl Open,
    ctx: &Ctx,
) -> Result<(Download, Change), RequestError> {
    stored.is_downloadable()?;
    let (key, name) = stored.opened(keys)?;
    let by = if person.practice_id.is_some() { "practice" } else { "staff" };
    let entry = Entry::new(ctx, 0, Some(stored.practice_id), Event::DocumentRead, stored.id);
    let entry = entry.detail(json!({ "claim_id": stored.claim_id, "part": "file", "by": by }));
    let change = Change::new(entry, Answer::empty()).guard(in_state(stored.place(), DocumentState::Available));
    let etag = format!("\"{}\"", stored.sha256);
    Ok((Download { stored, key, name, etag }, change))
}

/// Reads a document again that was available when the download began.
///
/// # Errors
///
/// The refusal of a document that was removed since then.
async fn check_again(request: &ReadRequest, load: &Query<Option<StoredDocument>>) -> Result<(), AppError> {
    let stored = request.call.db.read(load).await?;
    Ok(found(stored)?.is_downloadable()?)
}

async fn stream(
    request: &ReadRequest,
    Download { stored, key, name, etag }: Download,
    range: &Ranged,
    load: &Query<Option<StoredDocument>>,
) -> Result<Response, AppError> {
    let call = &request.call;
    let cipher = Cipher::new(&call.app, stored.practice_id, stored.id.0, &key.0).await?;
    let document = Document { key: object_name(stored.id), cipher, size: stored.size };
    let wanted = range.wanted(&etag, stored.size);
    let place = stored.sealed_at();
    let reporting = Rc::clone(call);
    let report = move || tampered::report(&reporting, place);
    let mut response = if range.is_head {
        // The body is left out, so the stream would have no reader.
        let headers = [(ACCEPT_RANGES, "bytes".to_owned()), (CONTENT_LENGTH, stored.size.to_string())];
        response::with(StatusCode::OK, headers, "")
    } else {
        let sent = download::respond(&call.app, document, wanted, report).await;
        if let Err(DownloadError::Missing) = &sent {
            check_again(request, load).await?;
        }
        sent?
    };
    let disposition = DocumentName::clean(&name).content_disposition();
    let headers = [(CONTENT_TYPE, stored.content_type), (CONTENT_DISPOSITION, disposition), (ETAG, etag)];
    for (header, value) in headers {
        // The name was cleaned, and the others are the program's own.
        let value = HeaderValue::try_from(value).map_err(|_| AppError::Internal("header"))?;
        response.headers_mut().insert(header, value);
    }
    Ok(response)
}
