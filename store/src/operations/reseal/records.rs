//! Opens all sealed records of practices, one table after the other. They stay as they are: a rotation of the service's key
//! wraps their data keys again.

use super::page_result::PageResult;
use crate::keyring::Keyring;
use crate::operations::sealed::{Sealed, TABLES};
use crate::statement::{Param, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, StoredDataKey};
use overturn_core::request::open::Open;
use serde::Deserialize;
use uuid::Uuid;

/// A table with sealed values, and the row to continue after.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    table: &'static Sealed,
    seen: Option<[Uuid; 3]>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.seen) == (other.name(), other.seen)
    }
}

impl Eq for Table {}

impl Table {
    /// The first row of a table, by its name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let table = TABLES.iter().find(|table| table.name == name)?;
        Some(Self { table, seen: None })
    }

    /// Before the first row of the first table.
    pub(crate) fn first() -> Option<Self> {
        let table = TABLES.first()?;
        Some(Self { table, seen: None })
    }

    pub(crate) const fn name(self) -> &'static str {
        self.table.name
    }

    pub(crate) const fn seen(self) -> Option<[Uuid; 3]> {
        self.seen
    }

    pub(crate) const fn behind(self, row: [Uuid; 3]) -> Self {
        Self { seen: Some(row), ..self }
    }

    /// The first row of the next table.
    fn next(self) -> Option<Self> {
        let mut tables = TABLES.iter();
        tables.find(|table| table.name == self.name())?;
        let table = tables.next()?;
        Some(Self { table, seen: None })
    }

    /// The SQL and the parameters that read the next page.
    pub(crate) fn read(self) -> (&'static str, Vec<Param>) {
        let ids = self.seen.map(|seen| seen.map(text));
        let ids = ids.unwrap_or_else(|| [(); 3].map(|()| text("")));
        (self.table.page, ids.into())
    }

    /// The position after a page.
    pub(crate) fn after(self, rows: &[SealedRecord]) -> Option<Self> {
        let last = rows.last().map(|row| self.behind(row.key));
        last.or_else(|| self.next())
    }
}

/// The parts of a stored row that are needed to open it.
#[derive(Deserialize)]
pub(crate) struct SealedRecord {
    /// The ids of the practice, the parent record and the row.
    key: [Uuid; 3],
    key_version: KeyVersion,
    sealed: String,
    data_key: Option<StoredDataKey>,
}

/// Opens a page. A row whose data key was destroyed is skipped.
pub(crate) fn page(table: Table, rows: &[SealedRecord], keys: &Keyring) -> PageResult {
    let mut result = PageResult::default();
    for row in rows {
        let place = (table.table.place)(row.key);
        let [practice, ..] = row.key;
        let keys = keys.of_practice(PracticeId(practice), row.data_key.as_ref());
        if !keys.is_destroyed(row.key_version)
            && result.opened(keys.open(place, row.key_version, &row.sealed)).is_some()
        {
            result.intact = result.intact.saturating_add(1);
        }
    }
    result
}
