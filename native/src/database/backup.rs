//! A copy of the database while the server runs.

use super::TIME_OUT;
use super::cells::{Numbered, beside};
use crate::error::{Context, Result};
use crate::log::tell;
use overturn_core::base::cell::Cell;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Copies the database of each cell, also if another one fails. That of the first goes to this file, and those of the others
/// beside it.
///
/// # Errors
///
/// See [`backup`]. The copies of the other cells are whole.
pub(crate) fn backup_all(from: &Numbered<PathBuf>, to: &Path) -> Result<()> {
    from.each(|cell, from_file| {
        let to = match cell {
            Cell::FIRST => to.to_owned(),
            Cell(number) => beside(to, number),
        };
        backup(from_file, &to)?;
        if !from.others.is_empty() {
            tell(&format!("cell {}: copied to {}", cell.0, to.display()));
        }
        Ok(())
    })
}

/// Copies a database into a new file, in one snapshot. The server goes on meanwhile.
///
/// # Errors
///
/// The file exists, or a disk failed.
pub(crate) fn backup(from: &Path, to: &Path) -> Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(from, flags).context(|| format!("cannot open {}", from.display()))?;
    source.busy_timeout(TIME_OUT)?;
    let cannot = || format!("cannot write {}", to.display());
    let mut new = OpenOptions::new();
    let new = new.write(true).create_new(true).mode(0o600);
    new.open(to).context(cannot)?;
    let copied = copy(&source, to).and_then(|()| {
        File::open(to).and_then(|file| file.sync_all()).context(cannot)?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or_else(|| Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).context(cannot)
    });
    if copied.is_err() {
        // What was written is no backup.
        let _removed = fs::remove_file(to);
    }
    copied
}

fn copy(source: &Connection, to: &Path) -> Result<()> {
    let name = to.to_str().ok_or("the name of the file is not UTF-8")?;
    // Row by row: what `secure_delete` leaves of deleted rows, in the free space of pages that were split, is not copied.
    source.execute("VACUUM INTO ?1", [name])?;
    let copy = Connection::open(to)?;
    // One file alone, which needs no log beside it.
    copy.pragma_update(None, "journal_mode", "delete")?;
    let checked: String = copy.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
    match checked.as_str() {
        "ok" => Ok(()),
        _ => Err("the copy is damaged, and so may be the database".into()),
    }
}
