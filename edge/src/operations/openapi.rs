//! The API descriptions, joined from `docs` when the Worker is built.

use crate::call::Call;
use crate::error::Refusal;
use crate::extract::IfNoneMatch;
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use std::sync::Arc;

/// `GET /api/v1/openapi.json`: the claims interface.
#[worker::send]
pub(crate) async fn claims(
    Extension(call): Extension<Arc<Call>>,
    known: IfNoneMatch,
) -> Result<Response, Refusal> {
    let description = call.app.assets.text("openapi.json").await?;
    Ok(pipeline::tagged(&known, description))
}

/// `GET /api/v1/openapi/accounts.json`: the wider service.
#[worker::send]
pub(crate) async fn accounts(
    Extension(call): Extension<Arc<Call>>,
    known: IfNoneMatch,
) -> Result<Response, Refusal> {
    let description = call.app.assets.text("accounts.json").await?;
    Ok(pipeline::tagged(&known, description))
}
