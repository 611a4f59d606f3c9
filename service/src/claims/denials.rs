//! `/api/v1/denials`: a practice's own claims.

use super::settle::{self, Asking};
use super::{link, load};
use crate::error::AppError;
use crate::extract::{AnyBody, IfMatch, PathId, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::denials::{self, ClaimLink, DenialsQuery};
use overturn_core::plan::signing::link::StoredSigningLink;
use overturn_core::work::letter::{self, LetterEdit};
use overturn_store::claims::denials as queries;
use overturn_store::work::queries as work_queries;

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

/// `PATCH …/{id}/letter`: sets what the payer's letter says.
pub(crate) async fn set_letter(
    PathId(id): PathId<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LetterEdit>,
) -> Result<Response, AppError> {
    let load = work_queries::own_claim_of_letter(request.credential(), id);
    let decide = request.change(load, |person, stored, edit| letter::set((stored, seen), edit, person, request.ctx()));
    decide.await
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
