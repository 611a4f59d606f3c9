//! Which cell a request goes to.

use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use crate::extract::{bearer, cookie};
use crate::host::Cells;
use crate::request::error::RequestError;
use crate::request::secret::SessionToken;
use crate::sql::select;
use crate::store::Query;
use crate::store::error::{DatabaseError, LEFT};
use overturn_core::base::cell::Cell;
use overturn_core::base::token::{ApiKey, ApiToken};
use std::rc::Rc;
use std::str::FromStr;

/// The cell that the credential of a call names, before anything is read. A call without one begins at the directory.
pub(crate) fn of_call(cells: &Cells, call: &Call) -> Cell {
    if !cells.are_several() {
        return Cell::FIRST;
    }
    let moved = || presented(call, |hash, _| call.app.memory.forwards.to(&hash)).flatten();
    let named = moved().or_else(|| presented(call, |_, cell| cell));
    cells.known(named.unwrap_or_default())
}

/// The same call in the cell that its credential has moved to, or in its own if the credential is there by now. `None` if
/// there is none, or the call was refused for another reason.
pub(crate) async fn forwarded(call: &Rc<Call>, why: &AppError) -> Option<Rc<Call>> {
    let may_have_moved = matches!(
        why,
        AppError::Request(RequestError::NotAuthenticated | RequestError::NotSignedIn)
            | AppError::Database(DatabaseError::Transient(LEFT))
    );
    if !may_have_moved || !call.app.host.cells.are_several() {
        return None;
    }
    let (hash, named) = presented(call, |hash, cell| (hash, cell))?;
    let forwards = &call.app.memory.forwards;
    // Without an answer, the caller is refused for the reason that there was.
    match call.db.read(&forward(&hash)).await.ok()? {
        // It is refused here for another reason, or the practice opened after the call looked for it.
        (_, 1) => Some(Rc::clone(call)),
        (Some(cell), _) if cell != call.ctx.cell => {
            forwards.remember(hash, cell);
            Some(call.in_cell(cell))
        }
        // It was remembered of an earlier move, or the new cell is about to open.
        _ => {
            forwards.forget(&hash);
            Some(call.in_cell(named)).filter(|again| again.ctx.cell != call.ctx.cell)
        }
    }
}

/// Where what was handed out lives now, if it has moved from here, and 1 if it is here.
fn forward(hash: &str) -> Query<(Option<Cell>, u8)> {
    select!(
        "cells.forward",
        "SELECT json_array((SELECT cell FROM forwards WHERE what = {hash}),
           EXISTS (SELECT 1 FROM api_keys WHERE hash = {hash}) OR EXISTS (SELECT 1 FROM api_tokens WHERE hash = {hash})
             OR EXISTS (SELECT 1 FROM sessions WHERE hash = {hash})) AS json";
        hash
    )
    .one()
}

/// What a call presents: its hash, and the cell that made it.
fn presented<T>(call: &Call, of: impl FnOnce(String, Cell) -> T) -> Option<T> {
    let found = match bearer(call) {
        Some(text) => parsed(text, |key: &ApiKey| (key.hash(), key.cell()))
            .or_else(|| parsed(text, |token: &ApiToken| (token.hash(), token.cell()))),
        None => cookie(call, cookies::SESSION)
            .and_then(|text| parsed(text, |session: &SessionToken| (session.hash(), session.cell()))),
    };
    found.map(|(hash, cell)| of(hash, cell))
}

fn parsed<T: FromStr, U>(text: &str, of: impl FnOnce(&T) -> U) -> Option<U> {
    text.parse().ok().as_ref().map(of)
}
