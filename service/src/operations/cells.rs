//! `GET /operations/cells` and `GET /api/v1/staff/cells`: how full each database is.

use crate::call::Call;
use crate::extract::OperatorRequest;
use crate::host::CELLS_AT_ONCE;
use crate::operator::{CellReport, cell_figures};
use crate::pipeline::CELL_DEADLINE;
use crate::prelude::*;
use crate::request::query::NoQuery;
use crate::response;
use crate::store::error::DatabaseError;
use crate::store::own_cell::binding;
use futures_util::stream::{self, StreamExt as _};
use http::StatusCode;
use overturn_core::base::cell::Cell;
use serde_json::Value;
use std::rc::Rc;

/// The databases, in the order of their numbers.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::request::page::of_all))]
pub(crate) struct CellReports {
    cells: Vec<CellReport>,
}

/// Without the operator's token `401`; if none is configured, `404`. `200` with `cells`, in the order of their numbers. A cell
/// that does not answer has `failure` in place of its figures.
pub(crate) async fn show(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let told = told(&call).await.into_iter().map(|(cell, report)| match report {
        Ok(report) => json!(report),
        Err(fault) => json!({ "cell": cell, "binding": binding(cell), "failure": fault.kind() }),
    });
    Ok(response::json(StatusCode::OK, &json!({ "cells": told.collect::<Vec<Value>>() })))
}

/// `listCells`: List the databases.
///
/// Staff only. How full each database of the service is, and for how long it lasts.
pub(crate) async fn list(request: ReadRequest<NoQuery>) -> Result<Gives<CellReports>, AppError> {
    request.authorize().await?;
    request.page.clone()?;
    let mut cells = Vec::new();
    for (cell, report) in told(&request.call).await {
        match report {
            Ok(report) => cells.push(report),
            Err(_) => request.missing.borrow_mut().push(cell),
        }
    }
    Ok(request.respond(&CellReports { cells }).into())
}

async fn told(call: &Rc<Call>) -> Vec<(Cell, Result<CellReport, DatabaseError>)> {
    let all = stream::iter(call.app.host.cells.all()).map(async |cell| {
        let there = call.in_cell(cell);
        let figures = cell_figures(call.ctx.now);
        let figures = call.app.host.within(CELL_DEADLINE, there.db.read(&figures)).await;
        let figures = figures.unwrap_or(Err(DatabaseError::Transient("deadline")));
        (cell, figures.map(|figures| CellReport::of(cell, figures, there.db.size())))
    });
    all.buffered(CELLS_AT_ONCE).collect().await
}
