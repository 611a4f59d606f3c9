//! `GET /health`.

use crate::error::AppError;
use crate::extract::PublicRequest;
use crate::response;
use crate::scanner;
use axum::http::StatusCode;
use axum::response::Response;
use overturn_store::claims::queries;
use serde_json::json;

/// Checks that the service works: its settings are complete, or this was not reached, and its database answers.
///
/// 1. Query the database for a key that cannot exist. No answer: `503`.
/// 2. `200`. With a scanner configured, `scanner` is `ok` or `away`. Without its scanner the service works, and new
///    documents wait in quarantine.
#[worker::send]
pub(crate) async fn show(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    let read = call.db.read(&queries::credential("")).await;
    read.map_err(|fault| AppError::Unavailable(fault.kind()))?;
    let body = match scanner::health(&call.app.settings.scanner).await {
        Some(scanner) => json!({ "status": "ok", "scanner": scanner }),
        None => json!({ "status": "ok" }),
    };
    Ok(response::json(StatusCode::OK, &body))
}
