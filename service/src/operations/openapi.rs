//! The API descriptions, joined from `docs` when the Worker is built.

use crate::error::AppError;
use crate::extract::{IfNoneMatch, PublicRequest};
use crate::pipeline;
use crate::response::Response;

/// `GET /api/v1/openapi.json`: the claims interface.
pub(crate) async fn claims(request: PublicRequest, known: IfNoneMatch) -> Result<Response, AppError> {
    described(&request, &known, "api/openapi.json").await
}

/// `GET /api/v1/openapi/accounts.json`: the wider service.
pub(crate) async fn accounts(request: PublicRequest, known: IfNoneMatch) -> Result<Response, AppError> {
    described(&request, &known, "api/accounts.json").await
}

async fn described(request: &PublicRequest, known: &IfNoneMatch, asset: &str) -> Result<Response, AppError> {
    let description = request.call.app.assets.text(asset).await?;
    Ok(pipeline::tagged(known, description))
}
