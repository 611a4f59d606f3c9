//! The migrations of the schema, which are those of D1.

use super::cells::{Numbered, claim};
use super::{Sync, connect};
use crate::error::{Context, Result};
use crate::log::tell;
use overturn_native::MIGRATIONS;
use rusqlite::{Connection, TransactionBehavior};
use std::path::PathBuf;

/// The table in which wrangler keeps the migrations that were applied, too.
const APPLIED: &str = "CREATE TABLE IF NOT EXISTS d1_migrations(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)";

/// True if a database has the migrations of this program, and no others.
pub(crate) fn has_all_migrations(db: &Connection) -> Result<bool> {
    Ok(applied(db)?.iter().eq(MIGRATIONS.iter().map(|(name, _)| name)))
}

fn applied(db: &Connection) -> Result<Vec<String>> {
    let mut read = db.prepare("SELECT name FROM d1_migrations ORDER BY id")?;
    let names = read.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

/// Makes or upgrades the database of each cell, also if another one fails. What is done stays done: the next run goes on.
///
/// # Errors
///
/// See [`migrate`], or a database is that of another cell.
pub(crate) fn migrate_all(files: &Numbered<PathBuf>) -> Result<()> {
    files.each(|cell, file| {
        let done = migrate(&mut connect(file, Sync::Full)?)?;
        if !files.others.is_empty() && !done.is_empty() {
            tell(&format!("cell {}: applied {}", cell.0, done.join(", ")));
        }
        Ok(())
    })?;
    claim(files)
}

/// Applies the migrations that are new, and returns their names.
///
/// # Errors
///
/// One failed, or a later version of the program was here before.
pub(crate) fn migrate(db: &mut Connection) -> Result<Vec<&'static str>> {
    db.execute_batch(APPLIED)?;
    let applied = applied(db)?;
    let is_known = |name: &&String| MIGRATIONS.iter().any(|(known, _)| known == name);
    if let Some(later) = applied.iter().find(|name| !is_known(name)) {
        return Err(format!("the database is of a later version, which has {later}").into());
    }
    let mut done = Vec::new();
    for (name, sql) in MIGRATIONS {
        if applied.iter().any(|applied| applied == name) {
            continue;
        }
        let step = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(sql).context(|| format!("the migration {name} failed"))?;
        step.execute("INSERT INTO d1_migrations (name) VALUES (?1)", [name])?;
        step.commit()?;
        done.push(*name);
    }
    Ok(done)
}
