//! `/api/v1/settings/api_tokens`.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::base::id::ApiTokenId;
use overturn_core::request::page::Page;
use overturn_core::settings::api_tokens;
use overturn_store::settings::queries;

/// `GET`: a page of the tokens that the person may see.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::api_tokens(request.credential(), page);
    let now = request.ctx().now;
    let list = |person: &_, page, tokens| api_tokens::list(person, (page, now), tokens);
    request.list_for(load, list).await
}

/// `POST`: makes a token. Only this answer shows its value.
pub(crate) async fn create(request: WriteRequest<api_tokens::TokenRequest>) -> Result<Response, AppError> {
    let minting = (request.call.app.settings.realm, request.call.app.host.bytes()?);
    let decide = request.change((), |person, (), new| api_tokens::create(new, person, minting, request.ctx()));
    decide.await
}

/// `POST …/{id}/regenerate`: makes a token that replaces an old one, which ends after the grace period.
pub(crate) async fn regenerate(
    PathId(id): PathId<ApiTokenId>,
    request: WriteRequest<api_tokens::Regeneration>,
) -> Result<Response, AppError> {
    let minting = (request.call.app.settings.realm, request.call.app.host.bytes()?);
    let load = queries::api_token_of(request.credential(), id);
    let decide = request
        .change(load, |person, stored, grace| api_tokens::regenerate((stored, grace), person, minting, request.ctx()));
    decide.await
}

/// `DELETE …/{id}`: revokes a token at once.
pub(crate) async fn revoke(PathId(id): PathId<ApiTokenId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::api_token_of(request.credential(), id);
    let decide = request.change(load, |person, stored, _| api_tokens::revoke(stored, person, request.ctx()));
    decide.await
}
