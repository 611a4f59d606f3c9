//! Everything else that is sealed in a practice, under the current key: one table after the other.

use super::{Done, audit};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use crate::store::json::json;
use crate::store::sql::sealed::{self, Sealed};
use crate::store::{Param, Statement, text};
use overturn_core::ctx::Ctx;
use overturn_core::identity::KeyVersion;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Which table of `sealed::TABLES`, and after which row of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    table: &'static Sealed,
    seen: Option<[Uuid; 3]>,
}

impl Place {
    /// The first row of a table, by its name.
    pub(super) fn of(table: &str) -> Option<Self> {
        let mut tables = sealed::TABLES.iter();
        let table = tables.find(|known| known.name == table)?;
        Some(Self { table, seen: None })
    }

    /// The first row of all.
    pub(super) fn first() -> Option<Self> {
        let table = sealed::TABLES.first()?;
        Some(Self { table, seen: None })
    }

    pub(super) const fn name(self) -> &'static str {
        self.table.name
    }

    pub(super) const fn seen(self) -> Option<[Uuid; 3]> {
        self.seen
    }

    pub(super) const fn behind(self, row: [Uuid; 3]) -> Self {
        Self {
            seen: Some(row),
            ..self
        }
    }

    /// The first row of the next table.
    fn next(self) -> Option<Self> {
        let mut tables = sealed::TABLES.iter();
        tables.find(|table| table.name == self.name())?;
        let table = tables.next()?;
        Some(Self { table, seen: None })
    }

    /// The statement that reads the next page.
    pub(super) fn read(self) -> Statement {
        let ids = self.seen.map(|seen| seen.map(text));
        Statement::new(
            self.table.page,
            ids.unwrap_or_else(|| [(); 3].map(|()| text(""))),
        )
    }

    /// Where to go on behind a page.
    pub(super) fn after(self, rows: &[SealedRow]) -> Option<Self> {
        let last = rows.last().map(|row| self.behind(row.key));
        last.or_else(|| self.next())
    }
}

/// A stored row, as far as re-sealing sees it.
#[derive(Deserialize)]
pub(super) struct SealedRow {
    /// Practice, what it belongs to, and its own id.
    key: [Uuid; 3],
    key_version: KeyVersion,
    sealed: String,
}

#[derive(Serialize)]
struct Resealed {
    key: [Uuid; 3],
    was: KeyVersion,
    sealed: String,
}

impl Resealed {
    const fn practice(&self) -> Uuid {
        let [practice, ..] = self.key;
        practice
    }
}

/// Seals a page under the current key.
pub(super) fn page(
    place: Place,
    rows: &[SealedRow],
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Done {
    let current = keys.identity.current().version();
    let old = rows.iter().filter(|row| row.key_version != current);
    let count = old.clone().count();
    let resealed: Vec<Resealed> = old
        .filter_map(|row| reseal(row, current, keys, nonce))
        .collect();
    let mut done = Done {
        resealed: resealed.len(),
        unreadable: count.saturating_sub(resealed.len()),
        statements: Vec::new(),
    };
    if !resealed.is_empty() {
        let practices: BTreeSet<Uuid> = resealed.iter().map(Resealed::practice).collect();
        let trails = practices.into_iter().map(|id| id.to_string());
        let version = Param::Int(i64::from(current.0));
        done.statements = vec![
            Statement::new(place.table.write, [Param::Text(json(&resealed)), version]),
            audit(place.table.event, trails, current, ctx),
        ];
    }
    done
}

fn reseal(
    row: &SealedRow,
    current: KeyVersion,
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
) -> Option<Resealed> {
    let [practice, _, id] = row.key;
    let place = [practice, id];
    let secret = keys.sealing(row.key_version)?;
    let secret = secret.open(place, &row.sealed).ok()?;
    Some(Resealed {
        key: row.key,
        was: row.key_version,
        sealed: keys.sealing(current)?.seal(place, &secret, nonce())?,
    })
}
