//! The databases of a data folder, one for each cell.

use super::{Sync, connect};
use crate::error::{Context, Result};
use overturn_core::base::cell::Cell;
use overturn_service::sqlite::run;
use overturn_service::store::error::DatabaseError;
use overturn_service::store::own_cell;
use std::path::{Path, PathBuf};

/// One thing for each cell.
#[derive(Clone)]
pub(crate) struct Numbered<T> {
    pub(crate) first: T,
    /// Those of the cells from 1 on.
    pub(crate) others: Vec<T>,
}

impl<T> Numbered<T> {
    /// The same with each part made into another.
    ///
    /// # Errors
    ///
    /// One cannot be made.
    pub(crate) fn map<U, E>(
        &self,
        make: impl Fn(&T) -> std::result::Result<U, E>,
    ) -> std::result::Result<Numbered<U>, E> {
        let others = self.others.iter().map(&make).collect::<std::result::Result<_, _>>()?;
        Ok(Numbered { first: make(&self.first)?, others })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Does something for each cell, one after the other, and also for those behind one that fails. With several, errors name
    /// the cell.
    ///
    /// # Errors
    ///
    /// All of them together.
    pub(crate) fn each(&self, mut work: impl FnMut(Cell, &T) -> Result<()>) -> Result<()> {
        let done = (0..).map(Cell).zip(self.iter()).map(|(cell, part)| {
            let done = work(cell, part);
            done.map_err(|error| match self.others.is_empty() {
                true => error,
                false => format!("cell {}: {error}", cell.0).into(),
            })
        });
        let failed: Vec<String> = done.filter_map(|done| done.err().map(|error| error.to_string())).collect();
        if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
    }
}

/// Where the database of a data folder is: that of the first cell.
pub(crate) fn file(data: &Path) -> PathBuf {
    data.join("overturn.db")
}

/// Where that of another cell is, beside the first one.
pub(crate) fn beside(first: &Path, cell: u16) -> PathBuf {
    let (stem, end) = (first.file_stem().unwrap_or_default(), first.extension().unwrap_or_default());
    let mut name = stem.to_owned();
    name.push(format!("-{cell:03}"));
    if !end.is_empty() {
        name.push(".");
        name.push(end);
    }
    first.with_file_name(name)
}

/// The files of so many cells, of which the first one is here.
pub(crate) fn all_beside(first: PathBuf, cells: u16) -> Numbered<PathBuf> {
    let others = (1..cells).map(|cell| beside(&first, cell)).collect();
    Numbered { first, others }
}

/// The databases of a data folder with so many cells.
///
/// # Errors
///
/// The folder has more.
pub(crate) fn files(data: &Path, cells: u16) -> Result<Numbered<PathBuf>> {
    let next = beside(&file(data), cells);
    match next.exists() {
        true => Err(format!("{} is there, so there are more CELLS than {cells}", next.display()).into()),
        false => Ok(all_beside(file(data), cells)),
    }
}

/// The databases that a data folder has.
pub(crate) fn found(data: &Path) -> Numbered<PathBuf> {
    let first = file(data);
    let others = (1..).map(|cell| beside(&first, cell)).take_while(|file| file.exists()).collect();
    Numbered { first, others }
}

/// Gives each of several databases its number, and checks the one that it has.
///
/// # Errors
///
/// A database is that of another cell.
pub(super) fn claim(files: &Numbered<PathBuf>) -> Result<()> {
    files.each(|cell, file| {
        let db = connect(file, Sync::Full)?;
        let transaction = db.unchecked_transaction()?;
        let ran = match files.others.is_empty() {
            true => run(&transaction, &[own_cell::check(cell)]),
            false => run(&transaction, &own_cell::claim(cell)),
        };
        ran.map_err(|fault| match fault {
            DatabaseError::OtherCell => format!("{} is the database of another cell", file.display()),
            other => other.to_string(),
        })?;
        transaction.commit().context(|| format!("cannot write {}", file.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::tests::Folder;
    use crate::database::{Sqlite, backup_all, migrate_all};
    use std::fs;

    fn names(files: &Numbered<PathBuf>) -> Vec<&str> {
        files.iter().map(|file| file.file_name().and_then(|name| name.to_str()).unwrap()).collect()
    }

    #[test]
    fn each_cell_has_a_file_of_its_own_and_none_is_left_out() {
        let folder = Folder::new();
        let three = files(&folder.0, 3).unwrap();
        assert_eq!(names(&three), ["overturn.db", "overturn-001.db", "overturn-002.db"]);
        migrate_all(&three).unwrap();
        assert_eq!(names(&found(&folder.0)), names(&three));
        assert!(files(&folder.0, 4).is_ok(), "another one is added");
        let fewer = files(&folder.0, 2).map(|_| ()).unwrap_err().to_string();
        assert!(fewer.contains("overturn-002.db is there"), "{fewer}");
    }

    #[test]
    fn swapped_files_are_noticed_at_the_start() {
        let folder = Folder::new();
        let two = files(&folder.0, 2).unwrap();
        migrate_all(&two).unwrap();
        let (first, second, aside) = (&two.first, &two.others[0], folder.0.join("aside"));
        for (from, to) in [(first, &aside), (second, first), (&aside, second)] {
            fs::rename(from, to).unwrap();
        }
        let refused = Sqlite::open_all(&two, Sync::Full).map(drop).unwrap_err().to_string();
        let lines: Vec<_> = refused.lines().collect();
        assert!(lines[0].starts_with("cell 0: ") && lines[0].ends_with("overturn.db is the database of another cell"));
        assert!(
            lines[1].starts_with("cell 1: ") && lines[1].ends_with("overturn-001.db is the database of another cell")
        );
        fs::remove_file(second).unwrap();
        let alone = Sqlite::open_all(&files(&folder.0, 1).unwrap(), Sync::Full).map(drop);
        assert!(alone.is_err(), "a later cell alone is not the first");
    }

    #[test]
    fn a_cell_that_fails_stops_no_other() {
        let folder = Folder::new();
        let three = files(&folder.0, 3).unwrap();
        fs::write(
            &three.others[0],
            "this is no database, but a text that is as long as a header of one is: a hundred bytes",
        )
        .unwrap();
        let failed = migrate_all(&three).unwrap_err().to_string();
        assert!(failed.starts_with("cell 1: ") && !failed.contains("cell 2"), "{failed}");
        let copies = folder.0.join("copies.db");
        let failed = backup_all(&three, &copies).unwrap_err().to_string();
        assert!(failed.starts_with("cell 1: "), "{failed}");
        let copies = all_beside(copies, 3);
        let is_there: Vec<bool> = copies.iter().map(|file| file.is_file()).collect();
        assert_eq!(is_there, [true, false, true]);
    }
}
