//! `/api/v1/settings/api_keys`.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::base::id::ApiKeyId;
use overturn_core::request::page::Page;
use overturn_core::settings::api_keys;
use overturn_store::settings::queries;

/// `GET`: a page of the practice's keys.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::api_keys(request.credential(), page);
    request.list_for(load, api_keys::list).await
}

/// `POST`: makes a key. Only this answer shows its value.
pub(crate) async fn create(request: WriteRequest<api_keys::RequestedApiKey>) -> Result<Response, AppError> {
    let (realm, random) = (request.call.app.settings.realm, request.call.app.host.bytes()?);
    let load = queries::maker(request.credential());
    let decide =
        request.change(load, |person, maker, new| api_keys::create(new, (person, maker), realm, random, request.ctx()));
    decide.await
}

/// `DELETE …/{id}`: revokes a key at once.
pub(crate) async fn revoke(PathId(id): PathId<ApiKeyId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::api_key(request.credential(), id);
    let decide = request.change(load, |person, stored, _| api_keys::revoke(stored, person, request.ctx()));
    decide.await
}
