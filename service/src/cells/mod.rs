//! The databases of the service. Each is a cell with the whole schema, and a practice lives in one of them. Everything
//! that the service hands out names the cell that made it, so what a practice asks takes no look-up.

pub(crate) mod moving;
mod route;

use crate::app::App;
use crate::host::QueueMessage;
use crate::jobs::Jobs;
use crate::prelude::*;
use overturn_core::base::cell::Cell;
pub(crate) use route::{forwarded, of_call};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where the practices of messages live. If the directory does not answer, the sweep finds what was not sent.
pub(crate) async fn places(app: &Rc<App>, messages: &[QueueMessage]) -> Vec<Cell> {
    let cells = &app.host.cells;
    let mut moved: BTreeMap<PracticeId, Cell> = BTreeMap::new();
    if cells.are_several() {
        let ids: Vec<_> = messages.iter().map(|message| message.practice_id).collect();
        let read = Jobs::new(Rc::clone(app), Cell::FIRST).db.read(&placed(&ids)).await;
        moved.extend(read.unwrap_or_default());
    }
    let cell = |of: PracticeId| cells.known(moved.get(&of).copied().unwrap_or_else(|| of.cell()));
    messages.iter().map(|message| cell(message.practice_id)).collect()
}

fn placed(practices: &[PracticeId]) -> Query<Vec<(PracticeId, Cell)>> {
    select!(
        "cells.places",
        "SELECT json_group_array(json_array(p.practice_id, p.cell)) AS json
         FROM json_each({practices}) j CROSS JOIN places p WHERE p.practice_id = j.value";
        practices = Json(practices)
    )
    .one()
}
