//! Which cell a request goes to, before anything is read. Each database is a cell with the whole schema, and a practice lives
//! in one of them. Everything that the service hands out names the cell that made it, so what a practice asks takes no look-up.

use crate::call::Call;
use crate::cookies;
use crate::extract::{bearer, cookie};
use crate::host::Cells;
use crate::request::secret::SessionToken;
use overturn_core::base::cell::Cell;
use overturn_core::base::token::{ApiKey, ApiToken};
use std::str::FromStr;

/// The cell that the credential of a call names. A call without one begins at the directory.
pub(crate) fn of_call(cells: &Cells, call: &Call) -> Cell {
    if !cells.are_several() {
        return Cell::FIRST;
    }
    let named = match bearer(call) {
        Some(text) => parsed(text, ApiKey::cell).or_else(|| parsed(text, ApiToken::cell)),
        None => cookie(call, cookies::SESSION).and_then(|text| parsed(text, SessionToken::cell)),
    };
    cells.known(named.unwrap_or_default())
}

fn parsed<T: FromStr>(text: &str, cell: impl FnOnce(&T) -> Cell) -> Option<Cell> {
    text.parse().ok().as_ref().map(cell)
}
