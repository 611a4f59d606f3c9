//! The operator's requests about moves.

use super::record::{self, Move};
use crate::call::Call;
use crate::extract::{OperatorRequest, values};
use crate::pipeline;
use crate::plan::{Actor, Write};
use crate::prelude::*;
use crate::response;
use http::StatusCode;
use overturn_core::base::cell::Cell;

/// `POST /operations/moves?practice=ID&to=CELL` begins a move, or carries on the open one of the practice for a while; with
/// `cancel` in place of `to`, the open one is undone if it has not switched.
///
/// 1. Without the operator's token `401`; if none is configured, `404`.
/// 2. No practice is named, or a cell that is not there: `409`.
/// 3. `200` with the open moves, and then the newest ended ones. That of an unknown practice is `cancelled`; to its own cell there is none.
pub(crate) async fn begin(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let practice = values(&call.url, "practice").find_map(|id| id.parse().ok()).map(PracticeId);
    let practice = practice.ok_or_else(|| refused("name a practice by its id"))?;
    let writes = match values(&call.url, "cancel").next() {
        Some(_) => vec![record::cancel(practice)],
        None => begun(&call, practice).await?,
    };
    if !writes.is_empty() {
        let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), writes);
        pipeline::run(&call.db, &call.app, &plan).await?;
    }
    super::sweep(&call.app).await;
    Ok(shown(&call.db.read(&record::newest()).await?))
}

/// What begins the move to the cell that a call names. Nothing, if the practice lives there.
async fn begun(call: &Call, practice: PracticeId) -> Result<Vec<Write>, AppError> {
    let cells = &call.app.host.cells;
    let to = values(&call.url, "to").find_map(|cell| cell.parse().ok()).map(Cell);
    let to = to.filter(|to| cells.all().any(|cell| cell == *to)).ok_or_else(|| refused("no such cell"))?;
    let place = call.db.read(&record::place_of(practice)).await?;
    let from = cells.known(place.unwrap_or_else(|| practice.cell()));
    Ok(if from == to { Vec::new() } else { vec![record::begin(&call.ctx, practice, [from, to])] })
}

const fn refused(why: &'static str) -> AppError {
    AppError::Request(RequestError::Conflict(Reason::MoveNotPossible, why))
}

/// `GET /operations/moves`: the open moves, and then the newest ended ones, at most 100.
pub(crate) async fn list(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    Ok(shown(&call.db.read(&record::newest()).await?))
}

fn shown(moves: &[Move]) -> Response {
    response::json(StatusCode::OK, &json!({ "moves": moves }))
}
