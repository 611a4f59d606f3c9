//! `/api/v1/documents`.

use super::{bulk, removal, request::FormHeaders, request::Ranged, serve, uploads};
use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::pipeline::tampered;
use crate::response::Response;
use overturn_core::base::id::DocumentId;
use overturn_core::documents::query::DocumentQuery;
use overturn_core::documents::removal as rules;
use overturn_core::documents::view;
use overturn_store::documents::queries;

/// `POST`: uploads a document.
pub(crate) async fn upload(headers: FormHeaders, request: WriteRequest) -> Result<Response, AppError> {
    uploads::one(&request, &headers).await
}

/// `POST …/bulk`: uploads several documents.
pub(crate) async fn upload_all(headers: FormHeaders, request: WriteRequest) -> Result<Response, AppError> {
    bulk::several(&request, &headers).await
}

/// `GET`: a page of the practice's documents.
pub(crate) async fn list(request: ReadRequest<DocumentQuery>) -> Result<Response, AppError> {
    let load = |query: DocumentQuery| queries::list_of_caller(request.credential(), &query);
    let call = &request.call;
    let name = |stored: &_| view::name(stored, &tampered::keys_of(call, stored));
    let view = |person: &_, query, stored| view::list(person, query, stored, name);
    request.list_for(load, view).await
}

/// `GET …/{id}`: what is known of a document.
pub(crate) async fn show(PathId(id): PathId<DocumentId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::of_caller(request.credential(), id);
    let view = |person: &_, stored| {
        let stored = view::found(stored)?;
        let keys = tampered::keys_of(&request.call, &stored);
        view::show(stored, person, &keys)
    };
    request.show(load, view).await
}

/// `GET …/{id}/content`: downloads a document.
pub(crate) async fn content(
    PathId(id): PathId<DocumentId>,
    range: Ranged,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::of_caller(request.credential(), id);
    serve::answer(&request, load, &range).await
}

/// `DELETE …/{id}`: deletes a document.
pub(crate) async fn delete(PathId(id): PathId<DocumentId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::of_caller(request.credential(), id);
    let decide = request.change(load, |person, stored, _| rules::delete(stored, person, request.ctx()));
    removal::after(&request.call, id, decide.await)
}
