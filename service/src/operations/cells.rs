//! `GET /operations/cells`: how full each database is.

use crate::call::Call;
use crate::extract::OperatorRequest;
use crate::host::CELLS_AT_ONCE;
use crate::operator::{CellReport, cell_figures};
use crate::prelude::*;
use crate::response;
use crate::store::own_cell::binding;
use futures_util::stream::{self, StreamExt as _};
use http::StatusCode;
use overturn_core::base::cell::Cell;
use serde_json::Value;

/// Without the operator's token `401`; if none is configured, `404`. `200` with `cells`, in the order of their numbers. A cell
/// that does not answer has `failure` in place of its figures.
pub(crate) async fn show(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let all = stream::iter(call.app.host.cells.all());
    let told = all.map(async |cell| told(&call.in_cell(cell), cell).await);
    let cells: Vec<Value> = told.buffered(CELLS_AT_ONCE).collect().await;
    Ok(response::json(StatusCode::OK, &json!({ "cells": cells })))
}

async fn told(call: &Call, cell: Cell) -> Value {
    match call.db.read(&cell_figures(call.ctx.now)).await {
        Ok(figures) => json!(CellReport::of(cell, figures, call.db.size())),
        Err(fault) => json!({ "cell": cell, "binding": binding(cell), "failure": fault.kind() }),
    }
}
