//! A copy of the database while the server runs.

use super::TIME_OUT;
use crate::error::{Context, Result};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

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
    let mut copy = Connection::open(to)?;
    // All pages in one step: otherwise each write of the server would begin it anew.
    let done = Backup::new(source, &mut copy)?.step(-1)?;
    if done != StepResult::Done {
        return Err("another program holds the database".into());
    }
    // One file alone, which needs no log beside it.
    copy.pragma_update(None, "journal_mode", "delete")?;
    let checked: String = copy.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
    match checked.as_str() {
        "ok" => Ok(()),
        _ => Err("the copy is damaged, and so may be the database".into()),
    }
}
