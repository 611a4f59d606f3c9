//! Downloads: the audit row is committed, and then the document streams out of the bucket.

use super::cipher::Cipher;
use super::download::{self, Document, DownloadError};
use super::request::Ranged;
use crate::error::AppError;
use crate::extract::ReadRequest;
use crate::pipeline::{Audited, tampered};
use crate::response::{self, Response};
use http::header::{ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use overturn_core::base::sealed::SealedPlace;
use overturn_core::documents::download::{self as rules, Download};
use overturn_core::documents::name::DocumentName;
use overturn_core::documents::view::{self, StoredDocument};
use overturn_core::request::error::RequestError;
use overturn_store::Query;
use overturn_store::documents::object_name;
use std::rc::Rc;

/// Answers with a document, or the range of it that the caller asks for.
pub(super) async fn answer(
    request: &ReadRequest,
    load: Query<Option<StoredDocument>>,
    range: &Ranged,
) -> Result<Response, AppError> {
    let mut tag = String::new();
    let again = load.clone();
    let view = request.audited(load, |person, stored| {
        let stored = view::found(stored)?;
        let keys = tampered::keys_of(&request.call, &stored);
        let (shown, change) = rules::download(stored, person, &keys, request.ctx())?;
        tag = etag(&shown);
        if request.known.knows(&tag) {
            return Ok(None);
        }
        let patient = view::patient(shown.of.id, shown.claim_id);
        Ok(Some(Audited { patient: (shown.of.practice_id, patient), shown, change }))
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

/// Reads a document again that was available when the download began.
///
/// # Errors
///
/// The refusal of a document that was removed since then.
async fn check_again(request: &ReadRequest, load: &Query<Option<StoredDocument>>) -> Result<(), AppError> {
    let stored = request.call.db.read(load).await?;
    Ok(view::found(stored)?.is_downloadable()?)
}

fn etag(of: &Download) -> String {
    format!("\"{}\"", of.tag)
}

async fn stream(
    request: &ReadRequest,
    of: Download,
    range: &Ranged,
    load: &Query<Option<StoredDocument>>,
) -> Result<Response, AppError> {
    let call = &request.call;
    let practice = of.of.practice_id;
    let cipher = Cipher::new(&call.app, practice, of.of.id.0, &of.key.0).await;
    // The platform's cause says no more.
    let cipher = cipher.map_err(|_| AppError::Unavailable("cipher"))?;
    let document = Document { key: object_name(of.of.id), cipher, size: of.size };
    let etag = etag(&of);
    let wanted = range.wanted(&etag, of.size);
    let place = SealedPlace::Document { practice, id: of.of.id };
    let reporting = Rc::clone(call);
    let report = move || tampered::report(&reporting, place);
    let mut response = if range.is_head {
        // The body is left out, so the stream would have no reader.
        let headers = [(ACCEPT_RANGES, "bytes".to_owned()), (CONTENT_LENGTH, of.size.to_string())];
        response::with(StatusCode::OK, headers, "")
    } else {
        let sent = download::respond(&call.app, document, wanted, report).await;
        if let Err(DownloadError::Missing) = &sent {
            check_again(request, load).await?;
        }
        sent?
    };
    let name = DocumentName::clean(&of.name);
    let headers = [(CONTENT_TYPE, of.content_type), (CONTENT_DISPOSITION, name.content_disposition()), (ETAG, etag)];
    for (header, value) in headers {
        // The name was cleaned, and the others are the program's own.
        let value = HeaderValue::try_from(value).map_err(|_| AppError::Internal("header"))?;
        response.headers_mut().insert(header, value);
    }
    Ok(response)
}
