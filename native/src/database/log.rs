//! The write-ahead log, which keeps what was deleted until later writes take its place.

use crate::error::Result;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long to wait for those who read the log. Nobody writes meanwhile. A program that replicates it may never end.
const WAIT: Duration = Duration::from_millis(50);

/// Writes the log into the database and empties its file. If somebody reads the log, the next run tries again.
///
/// # Errors
///
/// The disk failed.
pub(super) fn empty(file: &Path) -> Result<()> {
    if fs::metadata(file.with_extension("db-wal")).map_or(0, |log| log.len()) == 0 {
        return Ok(());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(WAIT)?;
    // Others write while the first one runs, and it leaves little to the second.
    for mode in ["PASSIVE", "TRUNCATE"] {
        db.query_row(&format!("PRAGMA wal_checkpoint ({mode})"), [], |_| Ok(()))?;
    }
    Ok(())
}
