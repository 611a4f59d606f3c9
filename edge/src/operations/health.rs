//! `GET /health`.

use crate::config::Settings;
use crate::error::AppError;
use crate::extract::PublicRequest;
use crate::response;
use crate::scanner;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::join;
use overturn_store::claims::queries;
use serde_json::json;

/// Checks that the service works: its settings are complete, or this was not reached, and its database answers.
///
/// 1. Query the database for a key that cannot exist. No answer: `503`.
/// 2. `200`. `identity` is `ok` or `away`: the Worker that checks passkeys and what identity providers sign. With a scanner
///    configured, `scanner` is `ok`, `away` or `misconfigured`. The service works without both: people sign in by password,
///    and new documents wait in quarantine.
#[worker::send]
pub(crate) async fn show(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    let read = call.db.read(&queries::credential("")).await;
    read.map_err(|fault| AppError::Unavailable(fault.kind()))?;
    let Settings {
        identity, scanner, ..
    } = &call.app.settings;
    let party = identity
        .passkeys
        .relying_party(&call.app.settings.origin(&call.url));
    let (identity, scanner) = join(call.app.identity.health(party), scanner::health(scanner)).await;
    let mut body = json!({ "status": "ok", "identity": identity });
    if let (Some(scanner), Some(body)) = (scanner, body.as_object_mut()) {
        body.insert("scanner".into(), scanner.into());
    }
    Ok(response::json(StatusCode::OK, &body))
}
