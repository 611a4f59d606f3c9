//! `GET /health`.

use crate::call::Call;
use crate::error::AppError;
use crate::extract::PublicRequest;
use crate::host::CELLS_AT_ONCE;
use crate::pipeline::key;
use crate::response;
use crate::response::Response;
use crate::scanner;
use crate::store::error::DatabaseError;
use crate::store::own_cell::binding;
use futures_util::future::join;
use futures_util::stream::{self, StreamExt as _};
use http::StatusCode;
use overturn_core::base::cell::Cell;
use serde_json::{Map, json};
use std::rc::Rc;

/// Checks that the service works: its settings are complete, or this was not reached, and its database answers.
///
/// 1. Query the database for a key that cannot exist. No answer: `503`. With several cells, each is asked, and the answer
///    names those that failed.
/// 2. `200`. `identity` is `ok` or `away`: the Worker that checks passkeys and what identity providers sign. With a scanner
///    configured, `scanner` is `ok`, `away` or `misconfigured`. The service works without both: people sign in by password,
///    and new documents wait in quarantine.
pub(crate) async fn show(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    let failed = failed(&call).await;
    match failed.first() {
        Some((_, fault)) if !call.app.host.cells.are_several() => return Err(AppError::Unavailable(fault.kind())),
        None => {}
        Some(_) => {
            let cells = failed.into_iter().map(|(cell, fault)| (binding(cell), json!(fault.kind())));
            let body = json!({ "status": "unavailable", "cells": cells.collect::<Map<_, _>>() });
            return Ok(response::json(StatusCode::SERVICE_UNAVAILABLE, &body));
        }
    }
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

/// The cells that do not answer, and why.
async fn failed(call: &Rc<Call>) -> Vec<(Cell, DatabaseError)> {
    let all = stream::iter(call.app.host.cells.all());
    let asked = all.map(async |cell| (cell, call.in_cell(cell).db.read(&key::credential("")).await.err()));
    let asked: Vec<_> = asked.buffered(CELLS_AT_ONCE).collect().await;
    asked.into_iter().filter_map(|(cell, fault)| Some((cell, fault?))).collect()
}
