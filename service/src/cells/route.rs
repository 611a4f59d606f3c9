//! Which cell a request goes to.

use super::Cells;
use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use crate::extract::{bearer, cookie};
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

/// The same call in the cell that its credential, or the practice of its credential, has moved to. `None` if it has not, or
/// the call was refused for another reason.
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
        Some(cell) if cell != call.ctx.cell => {
            forwards.remember(hash, cell);
            Some(call.in_cell(cell))
        }
        // It was remembered of an earlier move, or the staff's session is asked about a practice that has just moved.
        _ => {
            forwards.forget(&hash);
            Some(call.in_cell(named)).filter(|again| again.ctx.cell != call.ctx.cell)
        }
    }
}

/// Where what was handed out here lives now.
fn forward(hash: &str) -> Query<Option<Cell>> {
    select!("cells.forward", "SELECT json(cell) AS json FROM forwards WHERE what = {hash}"; hash).optional()
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
