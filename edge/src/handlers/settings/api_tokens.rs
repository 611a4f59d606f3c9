//! `/api/v1/settings/api_tokens`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, Presented};
use crate::pipeline;
use crate::platform;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ApiTokenId;
use overturn_core::settings::api_tokens;
use overturn_store::settings::queries;
use std::sync::Arc;

/// `GET`: a page of the tokens that the person sees.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::api_tokens(&presented.hash, page);
    let asked = (&presented, &known);
    let action = Action::ListApiTokens;
    pipeline::list(&call, asked, action, page, (load, api_tokens::list)).await
}

/// `POST`: a new token, whose value is shown in this answer only.
#[worker::send]
pub(crate) async fn create(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let minting = (call.app.settings.realm, platform::bytes()?);
    let asked = (&presented, &once, &body);
    let action = Action::ManageApiTokens;
    pipeline::change(&call, asked, action, (), |person, _, body| {
        let new = api_tokens::parse(body)?;
        Ok(api_tokens::create(new, person, minting, &call.ctx)?)
    })
    .await
}

/// `POST …/{id}/regenerate`: a new token in the place of an old one, which ends after a while.
#[worker::send]
pub(crate) async fn regenerate(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let minting = (call.app.settings.realm, platform::bytes()?);
    let load = queries::api_token_of(&presented.hash, ApiTokenId(id));
    let asked = (&presented, &once, &body);
    let action = Action::ManageApiTokens;
    pipeline::change(&call, asked, action, load, |person, stored, body| {
        let grace_ms = api_tokens::parse_grace(body)?;
        let old = (stored, grace_ms);
        Ok(api_tokens::regenerate(old, person, minting, &call.ctx)?)
    })
    .await
}

/// `DELETE …/{id}`: revokes a token, at once.
#[worker::send]
pub(crate) async fn revoke(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = queries::api_token_of(&presented.hash, ApiTokenId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::RevokeApiTokens;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        Ok(api_tokens::revoke(stored, person, &call.ctx)?)
    })
    .await
}
