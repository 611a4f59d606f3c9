//! `/api/v1/denials`: a practice's own claims.

use super::settle::{self, Asking};
use super::{link, load};
use crate::error::AppError;
use crate::extract::{AnyBody, PathId, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::denials::{self, ClaimLink, DenialsQuery};
use overturn_core::plan::signing::link::StoredSigningLink;
use overturn_store::claims::denials as queries;

/// `GET`: a page of the claims, newest first, by deadline or in the order of their changes.
pub(crate) async fn list(request: ReadRequest<DenialsQuery>) -> Result<Response, AppError> {
    let now = request.ctx().now;
    let load = |query: &_| queries::denials(request.credential(), query);
    let view = |_: &_, query: &_, found: Option<_>| {
        let found = found.ok_or(AppError::Internal("no practice"))?;
        Ok(denials::list(query, found, now)?)
    };
    request.table(load, view).await
}

/// `POST`: claims that a person of the practice sends, with the body, decision and answer of `POST /api/v1/claims`.
pub(crate) async fn send(request: WriteRequest<AnyBody>) -> Result<Response, AppError> {
    let parsed = settle::parse(&request.bytes, request.ctx());
    let loaded = load::load_send_of_person(&request, parsed.as_ref().ok(), true).await?;
    let asking = Asking::Person(&request);
    let answer = settle::settle(&request.call, asking, parsed.as_ref(), loaded).await?;
    Ok(settle::response(&answer))
}

/// `GET …/{id}`: one claim with its history.
pub(crate) async fn show(PathId(id): PathId<ClaimId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::denial(request.credential(), id);
    let view = request.show_versioned(load, |person, stored| {
        let version = stored.as_ref().map_or(0, |stored| stored.version);
        let body = denials::one(stored, (person, request.ctx().now))?;
        Ok(Versioned { body, version })
    });
    view.await
}

/// `GET …/{id}/signing_link`: the link for the patient. Its row of the trail is committed before the answer.
pub(crate) async fn signing_link(PathId(id): PathId<ClaimId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::signing_link(request.credential(), id);
    let make = async |stored: Option<ClaimLink>| {
        let open = |place, link: &StoredSigningLink| link::address(&request.call, place, link);
        let (view, change) = denials::hand_out(stored.as_ref(), request.ctx(), open)?;
        Ok((change, request.respond(&view)))
    };
    request.export(load, make).await
}
