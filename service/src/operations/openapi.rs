//! The API descriptions, joined from `docs` when the Worker is built.

use crate::error::AppError;
use crate::extract::{IfNoneMatch, PublicRequest};
use crate::pipeline;
use crate::response::{Gives, Response};

/// An OpenAPI description.
pub(crate) enum Description {}

#[cfg(feature = "schema")]
overturn_core::described! {
    /// An OpenAPI description.
    Description = {
        "type": "object", "required": ["openapi", "info", "paths"], "additionalProperties": true,
        "properties": { "openapi": { "type": "string" }, "info": { "type": "object" }, "paths": { "type": "object" } },
    }
}

/// `describeClaims`: Read the description of the claims interface.
///
/// Open to everyone.
pub(crate) async fn claims(request: PublicRequest, known: IfNoneMatch) -> Result<Gives<Description>, AppError> {
    described(&request, &known, "api/openapi.json").await.map(Gives::from)
}

/// `describeAccounts`: Read this description.
///
/// Open to everyone.
pub(crate) async fn accounts(request: PublicRequest, known: IfNoneMatch) -> Result<Gives<Description>, AppError> {
    described(&request, &known, "api/accounts.json").await.map(Gives::from)
}

async fn described(request: &PublicRequest, known: &IfNoneMatch, asset: &str) -> Result<Response, AppError> {
    let description = request.call.app.assets.text(asset).await?;
    Ok(pipeline::tagged(known, description))
}
