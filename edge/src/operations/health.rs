//! `GET /health`.

use crate::error::Refusal;
use crate::extract::PublicRequest;
use crate::response;
use axum::http::StatusCode;
use axum::response::Response;
use overturn_store::claims::queries;
use serde_json::json;

/// Checks that the service works: its settings are complete, or this was not reached, and its database answers.
///
/// 1. Query the database for a key that cannot exist. No answer: `503`.
/// 2. `200`.
#[worker::send]
pub(crate) async fn show(PublicRequest { call }: PublicRequest) -> Result<Response, Refusal> {
    let read = call.db.read(&queries::credential("")).await;
    read.map_err(|fault| Refusal::Unavailable(fault.kind()))?;
    Ok(response::json(StatusCode::OK, &json!({ "status": "ok" })))
}
