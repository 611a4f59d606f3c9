//! The databases of the service. Each is a cell with the whole schema, and a practice lives in one of them. Everything
//! that the service hands out names the cell that made it, so what a practice asks takes no look-up.

pub(crate) mod moving;
mod route;

use crate::app::App;
use crate::host::{Database, QueueMessage};
use crate::jobs::Jobs;
use crate::prelude::*;
use overturn_core::base::cell::Cell;
pub(crate) use route::{forwarded, of_call};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The databases by number. The first one is also the directory.
#[derive(Clone)]
pub struct Cells {
    first: Rc<dyn Database>,
    others: Rc<[Rc<dyn Database>]>,
}

impl Cells {
    /// All cells, in the order of their numbers.
    pub fn new(first: Rc<dyn Database>, others: impl IntoIterator<Item = Rc<dyn Database>>) -> Self {
        Self { first, others: others.into_iter().collect() }
    }

    /// The same cells with each database inside of another.
    #[must_use]
    pub fn map(&self, wrap: impl Fn(Rc<dyn Database>) -> Rc<dyn Database>) -> Self {
        Self::new(wrap(Rc::clone(&self.first)), self.others.iter().map(|cell| wrap(Rc::clone(cell))))
    }

    /// The database of a cell; the first one for a number that no cell has.
    #[must_use]
    pub fn database(&self, cell: Cell) -> &Rc<dyn Database> {
        let others = usize::from(cell.0).checked_sub(1);
        others.and_then(|at| self.others.get(at)).unwrap_or(&self.first)
    }

    /// The numbers of the cells.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Cell> + use<> {
        (0..=u16::try_from(self.others.len()).unwrap_or(u16::MAX)).map(Cell)
    }

    /// A number that was read from an id or a secret. One that no cell has becomes the first, where nothing is found by it.
    #[must_use]
    pub fn known(&self, named: Cell) -> Cell {
        if usize::from(named.0) <= self.others.len() { named } else { Cell::FIRST }
    }

    /// True if there is more than the directory.
    #[must_use]
    pub fn are_several(&self) -> bool {
        !self.others.is_empty()
    }
}

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
