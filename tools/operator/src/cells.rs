//! The databases of an installation, one for each cell.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_service::host::Size;
use overturn_service::operator::{self, CellReport, Load};
use overturn_service::store::Query;
use overturn_service::store::own_cell;
use serde_json::Value;

use crate::database::{self, Database};
use crate::options::Place;
use crate::sql;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The configuration of the bindings of a state folder with several cells, which `cargo xtask dev --cells` writes there.
pub(crate) const CONFIGURATION: &str = "cells.toml";

/// About how many bytes a change takes, where the size of a database is not known: wrangler does not tell that of a local one.
const BYTES_OF_CHANGE: u64 = 1_000;

/// All databases, in the order of their cells.
pub(crate) struct Cells(Vec<Database>);

impl Cells {
    /// The databases of a place.
    pub(crate) fn of(place: &Place) -> Result<Self> {
        let first = Database::of(place.clone(), Cell::FIRST)?;
        let others = match &first {
            Database::Native(file) => (1..)
                .map(|cell| file.with_file_name(format!("overturn-{cell:03}.db")))
                .take_while(|file| file.is_file())
                .map(Database::Native)
                .collect(),
            Database::Wrangler(place, _) => {
                let others = (1..bindings(place)?).map(Cell);
                others.map(|cell| Database::Wrangler(place.clone(), cell)).collect::<Vec<_>>()
            }
        };
        Ok(Self(std::iter::once(first).chain(others).collect()))
    }

    pub(crate) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// The database of the first cell, which is also the directory.
    pub(crate) fn first(&self) -> Result<&Database> {
        self.database(Cell::FIRST)
    }

    pub(crate) fn database(&self, cell: Cell) -> Result<&Database> {
        self.0.get(usize::from(cell.0)).ok_or_else(|| format!("there is no cell {}", cell.0).into())
    }

    fn all(&self) -> impl Iterator<Item = (Cell, &Database)> {
        (0..).map(Cell).zip(&self.0)
    }

    /// What all cells have.
    pub(crate) fn read_all<T>(&self, query: &Query<Vec<T>>) -> Result<Vec<(Cell, T)>> {
        let mut found = Vec::new();
        for (cell, database) in self.all() {
            let rows = database.read(query).map_err(|error| self.named(cell, &*error))?;
            found.extend(rows.into_iter().map(|row| (cell, row)));
        }
        Ok(found)
    }

    fn named(&self, cell: Cell, error: &dyn Error) -> String {
        if self.are_several() { format!("cell {}: {error}", cell.0) } else { error.to_string() }
    }

    /// The cell that a practice lives in.
    pub(crate) fn of_practice(&self, practice: PracticeId) -> Result<Cell> {
        if !self.are_several() {
            return Ok(Cell::FIRST);
        }
        let placed = self.first()?.read(&operator::place_of(practice))?.unwrap_or_else(|| practice.cell());
        let is_there = usize::from(placed.0) < self.0.len();
        Ok(if is_there { placed } else { Cell::FIRST })
    }

    /// Runs statements in a cell, all or none. One of several databases is checked to be that cell before.
    pub(crate) fn write(&self, cell: Cell, statements: &str) -> Result<()> {
        let database = self.database(cell)?;
        if !self.are_several() {
            return database.write(statements);
        }
        let mut checked = String::new();
        for statement in own_cell::claim(cell) {
            checked.push_str(&sql::render(&statement)?);
            checked.push_str(";\n");
        }
        database.write(&(checked + statements)).map_err(|error| self.named(cell, &*error).into())
    }

    /// The cell of a new practice.
    pub(crate) fn for_new(&self, now: Instant) -> Result<Cell> {
        if !self.are_several() {
            return Ok(Cell::FIRST);
        }
        let mut loads = Vec::new();
        for (cell, database) in self.all() {
            let (figures, size) =
                database.measured(&operator::cell_figures(now)).map_err(|error| self.named(cell, &*error))?;
            let estimate = figures.changes.saturating_mul(BYTES_OF_CHANGE);
            let size = size.unwrap_or(Size { bytes: estimate, most: None });
            loads.push(Load { cell, practices: figures.practices, size });
        }
        Ok(operator::place(&loads, self.first()?.read(&operator::last_place())?))
    }

    /// A line for each cell, also behind one that does not answer.
    pub(crate) fn report(&self, now: Instant) -> Result<String> {
        let mut lines =
            vec!["cell  database        practices      claims   changes/min         bytes  full in".to_owned()];
        let mut failed = Vec::new();
        for (cell, database) in self.all() {
            match database.measured(&operator::cell_figures(now)) {
                Ok((figures, size)) => lines.push(line(&CellReport::of(cell, figures, size))),
                Err(error) => failed.push(format!("cell {}: {error}", cell.0)),
            }
        }
        if failed.is_empty() { Ok(lines.join("\n")) } else { Err([lines, failed].concat().join("\n").into()) }
    }
}

fn line(of: &CellReport) -> String {
    let bytes = of.bytes.map_or_else(|| "?".to_owned(), |bytes| bytes.to_string());
    let left = of.days_left.map_or_else(|| "-".to_owned(), |days| format!("{days} days"));
    let (cell, binding, practices) = (of.cell.0, &of.binding, of.practices);
    let (claims, changes) = (of.claims, of.changes_a_minute);
    format!("{cell:>4}  {binding:<14}  {practices:>9}  {claims:>10}  {changes:>12.1}  {bytes:>12}  {left}")
}

/// How many databases the configuration of a place has.
fn bindings(place: &Place) -> Result<u16> {
    match place {
        Place::Local(state) => {
            let text = fs::read_to_string(state.join(CONFIGURATION)).unwrap_or_default();
            let count = text.lines().filter(|line| line.starts_with("binding = ")).count();
            Ok(u16::try_from(count)?.max(1))
        }
        Place::Remote(environment) => {
            let settings = configured(environment, &database::root())?;
            let databases = settings.pointer(&format!("/{environment}/d1_databases")).and_then(Value::as_array);
            Ok(u16::try_from(databases.map_or(1, Vec::len))?)
        }
    }
}

/// wrangler.toml, as wrangler reads it.
fn configured(environment: &str, root: &Path) -> Result<Value> {
    let mut node = Command::new("node");
    let printed = node.current_dir(root).args(["tools/dev/configuration.mjs", environment]).output();
    let printed = printed.map_err(|error| format!("cannot run node: {error}"))?;
    Ok(serde_json::from_slice(&printed.stdout).map_err(|_| "cannot read wrangler.toml")?)
}

#[cfg(test)]
mod tests {
    use overturn_core::base::ctx::{Ctx, Purpose};
    use rusqlite::Connection;

    use super::*;

    const TABLES: &str = include_str!("../../../edge/migrations/0001_schema.sql");

    #[test]
    fn an_installation_with_several_files_has_several_cells() {
        let folder = std::env::temp_dir().join(format!("overturn-cells-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["overturn.db", "overturn-001.db", "overturn-002.db"] {
            Connection::open(folder.join(name)).unwrap().execute_batch(TABLES).unwrap();
        }
        let cells = Cells::of(&Place::Local(folder.clone())).unwrap();
        assert!(cells.are_several());

        // Of three empty cells, the first one is chosen. Then a practice lives in the second one.
        let ctx = Ctx::new(Instant(1_800_000_000_000), [7; 32]).in_cell(Cell(1));
        assert_eq!(cells.for_new(ctx.now).unwrap(), Cell(0));
        let practice = PracticeId(ctx.id(Purpose::Record, 0));
        let row =
            format!("INSERT INTO practices (id, name, state, created_at) VALUES ('{practice}', 'Cedar', 'active', 1);");
        cells.write(Cell(1), &row).unwrap();
        assert_eq!(cells.of_practice(practice).unwrap(), Cell(1), "by its id");
        let found = cells.read_all(&operator::practices()).unwrap();
        assert_eq!(found.iter().map(|(cell, row)| (*cell, row.id)).collect::<Vec<_>>(), [(Cell(1), practice)]);
        let moved = format!("INSERT INTO places (practice_id, cell) VALUES ('{practice}', 2);");
        cells.write(Cell(0), &moved).unwrap();
        assert_eq!(cells.of_practice(practice).unwrap(), Cell(2), "by the directory");
        assert_eq!(cells.report(ctx.now).unwrap().lines().count(), 4);

        let (first, second) = (folder.join("overturn.db"), folder.join("overturn-001.db"));
        for (from, to) in [(&first, "aside"), (&second, "overturn.db")] {
            fs::rename(from, folder.join(to)).unwrap();
        }
        fs::rename(folder.join("aside"), &second).unwrap();
        let refused = cells.write(Cell(0), "DELETE FROM places;").unwrap_err().to_string();
        assert_eq!(refused, "cell 0: this is the database of another cell: two were swapped");
        fs::remove_dir_all(folder).unwrap();
    }
}
