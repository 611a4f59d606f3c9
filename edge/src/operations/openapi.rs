//! The API descriptions, joined from `docs` when the Worker is built.

use crate::extract::IfNoneMatch;
use crate::pipeline;
use axum::response::Response;

/// `GET /api/v1/openapi.json`: the claims interface.
pub(crate) async fn claims(known: IfNoneMatch) -> Response {
    let description = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
    pipeline::tagged(&known, description.into())
}

/// `GET /api/v1/openapi/accounts.json`: the wider service.
pub(crate) async fn accounts(known: IfNoneMatch) -> Response {
    let description = include_str!(concat!(env!("OUT_DIR"), "/accounts.json"));
    pipeline::tagged(&known, description.into())
}
