//! The records that an instance has reported already.

use overturn_core::base::sealed::Place;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The first number of an audit row that no decision uses.
const FIRST_ROW: usize = 1_000_000;

/// Most records that an instance remembers to have written into a trail. Then it forgets them all, so that a record is written
/// once more rather than never.
const SEEN_MAX: usize = 10_000;

/// What was found, so that a record that is read every second leaves one row in the trail and not one a second.
#[derive(Default)]
pub(crate) struct Reported(Mutex<Found>);

#[derive(Default)]
struct Found {
    records: BTreeSet<String>,
    /// How many rows were handed out.
    rows: usize,
}

impl Reported {
    /// The number of its audit row, where it has none yet. Each place has another, so one request can report several.
    pub(crate) fn row(&self, place: Place) -> Option<usize> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.records.len() >= SEEN_MAX {
            found.records.clear();
        }
        let record = format!("{} {}", place.column(), place.record());
        let is_new = found.records.insert(record);
        found.rows = found.rows.saturating_add(usize::from(is_new));
        is_new.then_some(FIRST_ROW.saturating_add(found.rows))
    }
}
