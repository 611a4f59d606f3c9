//! Moves an installation: the same folder is what a server serves, what is carried away, and what another host makes.
//!
//! It holds the database and the sealed documents. The secrets are not in it.

mod holding;
#[cfg(test)]
mod tests;

use crate::bucket::FileBucket;
use crate::config::Settings;
use crate::database::{self, backup};
use crate::error::{Context, Result};
use holding::Holding;
use overturn_store::keyring::{self, Keyring};
use rusqlite::Connection;
use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// Copies what a data folder holds into a new one, and returns what the copy holds. The server may run meanwhile: the copy of
/// the database is that of one instant.
///
/// # Errors
///
/// The keys, the schema or the audit trail are not those of this installation and program, or a disk failed. Then nothing is
/// left in the new folder.
pub(crate) fn copy(from: &Path, to: &Path, settings: &Settings) -> Result<String> {
    let keys = keys(settings)?;
    holding::judge(&open(from)?, &keys)?;
    prepare(to)?;
    let copied = fill(from, to).and_then(|()| Holding::of(&open(to)?, to, &keys));
    if copied.is_err() {
        // The cause is what to report. The folder was empty before.
        let _removed = fs::remove_dir_all(to);
    }
    Ok(copied?.to_string())
}

/// Checks a data folder, and returns what it holds.
///
/// # Errors
///
/// See [`copy`].
pub(crate) fn check(data: &Path, settings: &Settings) -> Result<String> {
    let keys = keys(settings)?;
    Ok(Holding::of(&open(data)?, data, &keys)?.to_string())
}

fn keys(settings: &Settings) -> Result<Keyring> {
    let name = keyring::SECRET;
    let secret = settings
        .get(name)
        .ok_or_else(|| format!("{name} is missing"))?;
    Keyring::parse(&secret).map_err(|wrong| format!("{name} {wrong}").into())
}

fn open(folder: &Path) -> Result<Connection> {
    database::connect_to_read(&database::file(folder))
}

/// Makes the new folder. One that has something in it is refused.
fn prepare(to: &Path) -> Result<()> {
    let cannot = || format!("cannot make {}", to.display());
    let is_empty = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(error).context(cannot),
    };
    if !is_empty {
        return Err(format!("{} is not empty", to.display()).into());
    }
    let mut made = DirBuilder::new();
    made.recursive(true).mode(0o700).create(to).context(cannot)
}

fn fill(from: &Path, to: &Path) -> Result<()> {
    backup(&database::file(from), &database::file(to))?;
    let cannot = || "cannot copy the documents".to_owned();
    let (source, target) = (database::documents(from), database::documents(to));
    let target = FileBucket::open(&target).context(cannot)?;
    for name in holding::objects(&open(to)?)? {
        target.take(&name, &source).context(cannot)?;
    }
    Ok(())
}
