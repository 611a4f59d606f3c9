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
use crate::lock::{self, Lock};
use holding::Holding;
use overturn_service::store::keyring::{self, Keyring};
use rusqlite::Connection;
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// The folder in which a copy is made.
const ARRIVING: &str = "arriving";

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
    // No server begins on the new folder meanwhile.
    let ours = Lock::take(to)?;
    let arriving = to.join(ARRIVING);
    prepare(to, &arriving)?;
    let copied = fill(from, &arriving).and_then(|()| {
        let held = Holding::of(&open(&arriving)?, &arriving, &keys)?;
        arrive(&arriving, to)?;
        Ok(held.to_string())
    });
    let _removed = fs::remove_dir_all(&arriving);
    if copied.is_err() {
        // The cause is what to report. A folder with anything in it stays.
        let _removed = ours.remove().and_then(|()| fs::remove_dir(to));
    }
    copied
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
    let secret = settings.get(name).ok_or_else(|| format!("{name} is missing"))?;
    Keyring::parse(&secret).map_err(|wrong| format!("{name} {wrong}").into())
}

fn open(folder: &Path) -> Result<Connection> {
    database::connect_to_read(&database::file(folder))
}

/// Makes the folder in which the copy is made. A new folder that has something in it is refused, but not what a copy left that
/// was killed.
fn prepare(to: &Path, arriving: &Path) -> Result<()> {
    let cannot = || format!("cannot use {}", to.display());
    for entry in fs::read_dir(to).context(cannot)? {
        let name = entry.context(cannot)?.file_name();
        if name != ARRIVING && name != lock::NAME {
            return Err(format!("{} is not empty", to.display()).into());
        }
    }
    if arriving.exists() {
        fs::remove_dir_all(arriving).context(cannot)?;
    }
    let mut made = DirBuilder::new();
    made.mode(0o700).create(arriving).context(cannot)
}

/// Puts a whole copy in its place. The database comes last: a folder without one is no installation.
fn arrive(arriving: &Path, to: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", to.display());
    let names =
        [(database::documents(arriving), database::documents(to)), (database::file(arriving), database::file(to))];
    for (made, place) in names {
        fs::rename(made, place).context(cannot)?;
    }
    let folder = File::open(to);
    folder.and_then(|folder| folder.sync_all()).context(cannot)
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
