//! Remembers the records that this instance has reported.

use overturn_core::base::sealed::SealedPlace;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The first audit row number that no decision uses.
const FIRST_ROW: usize = 1_000_000;

/// The most records that an instance remembers to have audited. Then it forgets them all, so that a record is audited
/// twice rather than never.
const SEEN_MAX: usize = 10_000;

/// The reported records, so that a record that is read every second leaves one audit row, not one per second.
#[derive(Default)]
pub(crate) struct Reported(Mutex<ReportedRecords>);

#[derive(Default)]
struct ReportedRecords {
    records: BTreeSet<String>,
    /// How many row numbers were given out.
    rows: usize,
}

impl Reported {
    /// The number of the record's audit row, if it has none yet. Each place gets its own number, so one request can
    /// report several.
    pub(crate) fn row(&self, place: SealedPlace) -> Option<usize> {
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
