//! `/api/v1/settings/api_keys`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, Presented};
use crate::pipeline;
use crate::platform;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ApiKeyId;
use overturn_core::settings::api_keys;
use overturn_store::settings::queries;
use std::sync::Arc;

/// `GET`: a page of the practice's keys.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::api_keys(&presented.hash, page);
    let asked = (&presented, &known);
    pipeline::list(
        &call,
        asked,
        Action::ListApiKeys,
        page,
        (load, api_keys::list),
    )
    .await
}

/// `POST`: a new key, whose value is shown in this answer only.
#[worker::send]
pub(crate) async fn create(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let random = platform::bytes()?;
    let asked = (&presented, &once, &body);
    pipeline::change(
        &call,
        asked,
        Action::ManageApiKeys,
        queries::maker(&presented.hash),
        |person, maker, body| {
            let realm = call.app.settings.realm;
            let new = api_keys::parse(body)?;
            let by = (person, maker);
            Ok(api_keys::create(new, by, realm, random, &call.ctx)?)
        },
    )
    .await
}

/// `DELETE …/{id}`: revokes a key, at once.
#[worker::send]
pub(crate) async fn revoke(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = queries::api_key(&presented.hash, ApiKeyId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    pipeline::change(
        &call,
        asked,
        Action::ManageApiKeys,
        load,
        |person, stored, _| Ok(api_keys::revoke(stored, person, &call.ctx)?),
    )
    .await
}
