//! A cell that is slow, refuses, or does not answer for a while, as the others work.

use crate::clock::SECOND;
use crate::dice::Dice;
use crate::faults::{Fault, Faults};
use crate::scheduler::Scheduler;
use std::cell::Cell;
use std::rc::Rc;

/// How long an outage lasts, at most.
const LONGEST: u64 = 60 * SECOND;

/// What is wrong with a cell, and until when.
#[derive(Clone, Copy)]
struct Outage {
    cell: u16,
    fault: Fault,
    until: u64,
}

/// The outages of a world with several cells, one at a time.
pub(crate) struct Outages {
    last: Cell<Option<Outage>>,
    are_several: bool,
    scheduler: Rc<Scheduler>,
    faults: Rc<Faults>,
    dice: Dice,
}

impl Outages {
    pub(crate) fn new(seed: u64, are_several: bool, scheduler: &Rc<Scheduler>, faults: &Rc<Faults>) -> Self {
        Self {
            last: Cell::new(None),
            are_several,
            scheduler: Rc::clone(scheduler),
            faults: Rc::clone(faults),
            dice: Dice::new(seed, "outages"),
        }
    }

    /// What is wrong with a cell that a batch comes to.
    pub(crate) fn of(&self, cell: u16) -> Option<Fault> {
        let now = self.scheduler.now();
        if let Some(last) = self.last.get().filter(|last| last.until > now && self.faults.may_strike(last.fault)) {
            return (last.cell == cell).then_some(last.fault);
        }
        let kinds = [Fault::CellSlow, Fault::CellRefuses, Fault::CellSilent];
        let fault = kinds.into_iter().find(|fault| self.are_several && self.faults.strike(*fault))?;
        self.last.set(Some(Outage { cell, fault, until: now + self.dice.between(SECOND, LONGEST) }));
        Some(fault)
    }
}
