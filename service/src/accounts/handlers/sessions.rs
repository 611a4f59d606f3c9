//! `/api/v1/auth/sessions`.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::accounts::sessions;
use overturn_core::base::id::SessionId;
use overturn_core::request::page::Page;
use overturn_store::accounts::queries;

/// `GET`: a page of the person's own active sessions.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::sessions(request.credential(), page, request.ctx().now);
    request.list(load, sessions::list).await
}

/// `DELETE …/{id}`: ends one of them at once.
pub(crate) async fn revoke(PathId(id): PathId<SessionId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::own_session(request.credential(), id);
    let decide =
        request.change(load, |person, stored, _| sessions::revoke(stored, request.credential(), person, request.ctx()));
    decide.await
}

/// `DELETE`: ends all of them except the current one.
pub(crate) async fn revoke_others(request: WriteRequest) -> Result<Response, AppError> {
    let decide = request.change((), |person, (), _| sessions::revoke_others(person, request.ctx()));
    decide.await
}
