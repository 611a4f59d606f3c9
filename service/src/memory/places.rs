//! Where practices, and what was handed out of them, were found that do not live in the cell that they name. It only leads a
//! call: the cell and the directory decide.

use overturn_core::base::cell::Cell;
use std::cell::RefCell;
use std::collections::HashMap;

/// How many are remembered before all are forgotten.
const MOST: usize = 10_000;

/// The cells of what has moved, by ids and hashes.
#[derive(Default)]
pub(crate) struct Places(RefCell<HashMap<String, Cell>>);

impl Places {
    /// Where something lives that names this cell, as far as this instance knows.
    pub(crate) fn of(&self, what: &str, named: Cell) -> Cell {
        self.0.borrow().get(what).copied().unwrap_or(named)
    }

    /// Notes where it lives.
    pub(crate) fn note(&self, what: &str, named: Cell, lives: Cell) {
        let mut places = self.0.borrow_mut();
        if lives == named {
            places.remove(what);
            return;
        }
        if places.len() >= MOST {
            places.clear();
        }
        places.insert(what.to_owned(), lives);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_practice_is_where_its_id_says_until_the_directory_says_otherwise() {
        let places = Places::default();
        assert_eq!(places.of("practice", Cell(3)), Cell(3));
        places.note("practice", Cell(3), Cell(1));
        assert_eq!(places.of("practice", Cell(3)), Cell(1));
        places.note("practice", Cell(3), Cell(3));
        assert_eq!(places.of("practice", Cell(3)), Cell(3));
    }
}
