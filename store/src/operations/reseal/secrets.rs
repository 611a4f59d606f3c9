//! Re-seals all other sealed values of practices under their data keys, one table after the other.

use super::page_result::{PageResult, audit};
use crate::keyring::Keyring;
use crate::keyring::practice::PracticeKeys;
use crate::operations::sealed;
use crate::seal::Nonce;
use crate::statement::{Param, text};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::plan::operations::{ResealedSecret, SealedTable};
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;
use overturn_core::request::open::Open;
use serde::Deserialize;
use std::collections::BTreeSet;
use uuid::Uuid;

/// A table of `sealed::TABLES`, and the row to continue after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    table: SealedTable,
    seen: Option<[Uuid; 3]>,
}

impl Table {
    /// The first row of a table, by its name.
    pub(crate) fn of(table: &str) -> Option<Self> {
        let table = SealedTable::parse(table)?;
        Some(Self { table, seen: None })
    }

    /// Before the first row of the first table.
    pub(crate) fn first() -> Option<Self> {
        let table = *SealedTable::ALL.first()?;
        Some(Self { table, seen: None })
    }

    pub(crate) const fn name(self) -> &'static str {
        self.table.name()
    }

    pub(crate) const fn seen(self) -> Option<[Uuid; 3]> {
        self.seen
    }

    pub(crate) const fn behind(self, row: [Uuid; 3]) -> Self {
        Self { seen: Some(row), ..self }
    }

    /// The first row of the next table.
    fn next(self) -> Option<Self> {
        let mut tables = SealedTable::ALL.into_iter();
        tables.find(|table| *table == self.table)?;
        let table = tables.next()?;
        Some(Self { table, seen: None })
    }

    /// The SQL and the parameters that read the next page.
    pub(crate) fn read(self) -> (&'static str, Vec<Param>) {
        let ids = self.seen.map(|seen| seen.map(text));
        let ids = ids.unwrap_or_else(|| [(); 3].map(|()| text("")));
        (sealed::of(self.table).page, ids.into())
    }

    /// The position after a page.
    pub(crate) fn after(self, rows: &[SealedSecret]) -> Option<Self> {
        let last = rows.last().map(|row| self.behind(row.key));
        last.or_else(|| self.next())
    }
}

/// The parts of a stored row that the re-seal needs.
#[derive(Deserialize)]
pub(crate) struct SealedSecret {
    /// The ids of the practice, the parent record and the row.
    key: [Uuid; 3],
    key_version: KeyVersion,
    sealed: String,
    data_key: Option<StoredDataKey>,
}

/// Seals a page under the data keys.
pub(crate) fn page(
    table: Table,
    rows: &[SealedSecret],
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> PageResult {
    let sealed = sealed::of(table.table);
    let mut result = PageResult::default();
    let mut resealed = Vec::new();
    for row in rows {
        let place = (sealed.place)(row.key);
        let [practice, ..] = row.key;
        let keys = keys.of_practice(PracticeId(practice), row.data_key.as_ref());
        if row.key_version.is_data_key() {
            result.check(&keys, row.key_version, || keys.open(place, row.key_version, &row.sealed).map(drop));
        } else {
            resealed.extend(result.opened(reseal(row, place, &keys, nonce)));
        }
    }
    result.resealed = resealed.len();
    if !resealed.is_empty() {
        let practice = |row: &ResealedSecret| {
            let [practice, ..] = row.key;
            PracticeId(practice)
        };
        let practices: BTreeSet<PracticeId> = resealed.iter().map(practice).collect();
        let trails = practices.into_iter().map(|id| Trail(Some(id)));
        let resealed = OperationsWrite::SecretsResealed { table: table.table, rows: resealed };
        result.writes = vec![Write::Operations(resealed), audit(sealed.event, trails, keys.current(), ctx)];
    }
    result
}

fn reseal(
    row: &SealedSecret,
    place: SealedPlace,
    keys: &PracticeKeys<'_>,
    nonce: &mut dyn FnMut() -> Nonce,
) -> Result<ResealedSecret, RequestError> {
    let secret = keys.open(place, row.key_version, &row.sealed)?;
    let data = keys.data().ok_or(RequestError::KeyUnavailable)?;
    let sealed = data.seal(place, &secret, nonce());
    Ok(ResealedSecret {
        key: row.key,
        was: row.key_version,
        key_version: data.version(),
        sealed: sealed.ok_or(RequestError::KeyUnavailable)?,
    })
}
