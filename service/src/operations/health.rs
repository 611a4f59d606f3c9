//! `GET /health`.

use crate::error::AppError;
use crate::extract::PublicRequest;
use crate::pipeline::key;
use crate::response;
use crate::response::Response;
use crate::scanner;
use futures_util::future::join;
use http::StatusCode;
use serde_json::json;

/// Checks that the service works: its settings are complete, or this was not reached, and its database answers.
///
/// 1. Query the database for a key that cannot exist. No answer: `503`.
/// 2. `200`. `identity` is `ok` or `away`: the Worker that checks passkeys and what identity providers sign. With a scanner
///    configured, `scanner` is `ok`, `away` or `misconfigured`. The service works without both: people sign in by password,
///    and new documents wait in quarantine.
pub(crate) async fn show(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    let read = call.db.read(&key::credential("")).await;
    read.map_err(|fault| AppError::Unavailable(fault.kind()))?;
    let settings = &call.app.settings;
    let party = settings.identity.passkeys.relying_party(&settings.origin(&call.url));
    let identity = call.app.identity.health(&call.app.memory.identity, party);
    let (identity, scanner) = join(identity, scanner::health(&call.app)).await;
    let mut body = json!({ "status": "ok", "identity": identity });
    if let (Some(scanner), Some(body)) = (scanner, body.as_object_mut()) {
        body.insert("scanner".into(), scanner.into());
    }
    Ok(response::json(StatusCode::OK, &body))
}
