//! The operator's requests about moves.

use super::record::{self, Move};
use crate::extract::{OperatorRequest, values};
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::response;
use http::StatusCode;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::MoveId;

/// `POST /operations/moves?practice=ID&to=CELL` begins a move, or carries on the open one of the practice for a while; with
/// `cancel` in place of `to`, the open one is undone if it has not switched.
///
/// 1. Without the operator's token `401`; if none is configured, `404`.
/// 2. No practice is named, or a cell that is not there: `409`.
/// 3. `200` with the moves, the newest first. That of an unknown practice is `cancelled`; to its own cell there is none.
pub(crate) async fn begin(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let app = &call.app;
    let refused = |why| AppError::Request(RequestError::Conflict(Reason::MoveNotPossible, why));
    let practice = values(&call.url, "practice").find_map(|id| id.parse().ok()).map(PracticeId);
    let practice = practice.ok_or_else(|| refused("name a practice by its id"))?;
    if values(&call.url, "cancel").next().is_some() {
        let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), vec![record::cancel(practice)]);
        pipeline::run(&call.db, app, &plan).await?;
    } else {
        let to = values(&call.url, "to").find_map(|cell| cell.parse().ok()).map(Cell);
        let to = to.filter(|to| app.host.cells.all().any(|cell| cell == *to)).ok_or_else(|| refused("no such cell"))?;
        let place = call.db.read(&record::place_of(practice)).await?;
        let from = app.host.cells.known(place.unwrap_or_else(|| practice.cell()));
        if from != to {
            let id = MoveId(call.ctx.id(Purpose::Record, 0));
            let begun = record::begin(id, practice, [from, to], call.ctx.now);
            let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), begun.into());
            pipeline::run(&call.db, app, &plan).await?;
        }
    }
    super::sweep(app).await;
    Ok(shown(&call.db.read(&record::newest()).await?))
}

/// `GET /operations/moves`: the newest moves.
pub(crate) async fn list(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    Ok(shown(&call.db.read(&record::newest()).await?))
}

fn shown(moves: &[Move]) -> Response {
    response::json(StatusCode::OK, &json!({ "moves": moves }))
}
