//! Which cell what was handed out has moved to. It only leads a call: the cell decides whether it is valid there.

use overturn_core::base::cell::Cell;
use std::cell::RefCell;
use std::collections::HashMap;

/// How many are remembered before all are forgotten.
const MOST: usize = 10_000;

/// The cells of moved keys, tokens and sessions, by their hashes.
#[derive(Default)]
pub(crate) struct Forwards(RefCell<HashMap<String, Cell>>);

impl Forwards {
    pub(crate) fn to(&self, hash: &str) -> Option<Cell> {
        self.0.borrow().get(hash).copied()
    }

    pub(crate) fn remember(&self, hash: String, cell: Cell) {
        let mut forwards = self.0.borrow_mut();
        if forwards.len() >= MOST && !forwards.contains_key(&hash) {
            forwards.clear();
        }
        forwards.insert(hash, cell);
    }

    pub(crate) fn forget(&self, hash: &str) {
        self.0.borrow_mut().remove(hash);
    }
}
