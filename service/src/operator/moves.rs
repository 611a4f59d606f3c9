//! The operator moves a practice to another cell. The service's job does it.

use crate::moving::record;
use crate::plan::Plan;
use crate::prelude::*;
use overturn_core::base::cell::Cell;

pub use crate::moving::record::{Move, newest as moves, place_of};

/// Begins a move from one cell to another. One that is open goes on.
#[must_use]
pub fn move_practice(practice: PracticeId, cells: [Cell; 2], ctx: &Ctx) -> Plan {
    Plan::of_operator(ctx, vec![record::begin(ctx, practice, cells)])
}

/// Undoes the open move of a practice, if it has not switched.
#[must_use]
pub fn cancel_move(practice: PracticeId, ctx: &Ctx) -> Plan {
    Plan::of_operator(ctx, vec![record::cancel(practice)])
}
