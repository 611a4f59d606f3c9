//! Where practices were found that do not live in the cell that their id names.

use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use std::cell::RefCell;
use std::collections::HashMap;

/// How many practices are remembered before all are forgotten.
const MOST: usize = 2_000;

/// The cells of practices that have moved.
#[derive(Default)]
pub(crate) struct Places(RefCell<HashMap<PracticeId, Cell>>);

impl Places {
    /// Where a practice lives, as far as this instance knows.
    pub(crate) fn of(&self, practice: PracticeId) -> Cell {
        self.0.borrow().get(&practice).copied().unwrap_or(practice.cell())
    }

    /// Notes where the directory says that a practice lives.
    pub(crate) fn note(&self, practice: PracticeId, cell: Cell) {
        let mut places = self.0.borrow_mut();
        if cell == practice.cell() {
            places.remove(&practice);
            return;
        }
        if places.len() >= MOST {
            places.clear();
        }
        places.insert(practice, cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_practice_is_where_its_id_says_until_the_directory_says_otherwise() {
        let places = Places::default();
        let practice = PracticeId(Uuid::from_u128(3));
        assert_eq!(places.of(practice), Cell(3));
        places.note(practice, Cell(1));
        assert_eq!(places.of(practice), Cell(1));
        places.note(practice, Cell(3));
        assert_eq!(places.of(practice), Cell(3));
    }
}
