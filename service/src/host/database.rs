//! The databases of a host.

use super::step::Step;
use crate::store::error::DatabaseError;
use crate::store::{Done, Statement};
use overturn_core::base::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The database of the service.
pub trait Database {
    /// Runs statements in one transaction, in one round trip.
    ///
    /// # Errors
    ///
    /// Nothing was committed, unless the error is transient.
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, Result<Ran, DatabaseError>>;

    /// How large it was in the last batch, if the host knows.
    fn size(&self) -> Option<Size> {
        None
    }
}

/// How large a database is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub bytes: u64,
    /// How many bytes it can have, if it has a limit of its own.
    pub most: Option<u64>,
}

/// What a batch did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// The result of each statement.
    pub done: Vec<Done>,
    pub rows_read: usize,
    pub rows_written: usize,
}

/// How many cells the service works in at the same time.
pub const CELLS_AT_ONCE: usize = 4;

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

    /// Things by the cell that each names.
    pub fn sorted<T>(&self, all: impl IntoIterator<Item = T>, named: impl Fn(&T) -> Cell) -> BTreeMap<Cell, Vec<T>> {
        let mut of = BTreeMap::<Cell, Vec<T>>::new();
        for one in all {
            of.entry(self.known(named(&one))).or_default().push(one);
        }
        of
    }

    /// True if there is more than the directory.
    #[must_use]
    pub fn are_several(&self) -> bool {
        !self.others.is_empty()
    }
}
