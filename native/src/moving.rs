//! Moves an installation: the same folder is what a server serves, what is carried away, and what another host makes.
//!
//! It holds the database and the sealed documents. The secrets are not in it.

mod holding;
#[cfg(test)]
mod tests;

use crate::bucket::FileBucket;
use crate::config::Settings;
use crate::database::{self, found};
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
    found(from).each(|_, file| holding::judge(&open(file)?, &keys))?;
    // No server begins on the new folder meanwhile.
    let ours = Lock::take(to)?;
    let arriving = to.join(ARRIVING);
    prepare(to, &arriving)?;
    let copied = fill(from, &arriving).and_then(|()| {
        let held = held(&arriving, &keys)?;
        arrive(&arriving, to)?;
        Ok(held)
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
    held(data, &keys)
}

/// What a folder holds, for each of several cells behind a line with its number.
fn held(folder: &Path, keys: &Keyring) -> Result<String> {
    let files = found(folder);
    let mut held = String::new();
    files.each(|cell, file| {
        let of_cell = Holding::of(&open(file)?, folder, keys)?;
        if !files.others.is_empty() {
            held.push_str(&format!("cell {}:\n", cell.0));
        }
        held.push_str(&of_cell.to_string());
        Ok(())
    })?;
    Ok(held)
}

fn keys(settings: &Settings) -> Result<Keyring> {
    let name = keyring::SECRET;
    let secret = settings.get(name).ok_or_else(|| format!("{name} is missing"))?;
    Keyring::parse(&secret).map_err(|wrong| format!("{name} {wrong}").into())
}

fn open(file: &Path) -> Result<Connection> {
    database::connect_to_read(file)
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

/// Puts a whole copy in its place. The database of the first cell comes last: a folder without one is no installation.
fn arrive(arriving: &Path, to: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", to.display());
    let cells = found(arriving);
    let documents = (database::documents(arriving), database::documents(to));
    let files = cells.iter().filter_map(|file| Some((file.clone(), to.join(file.file_name()?))));
    for (made, place) in std::iter::once(documents).chain(files.collect::<Vec<_>>().into_iter().rev()) {
        fs::rename(made, place).context(cannot)?;
    }
    let folder = File::open(to);
    folder.and_then(|folder| folder.sync_all()).context(cannot)
}

fn fill(from: &Path, to: &Path) -> Result<()> {
    database::backup_all(&found(from), &database::file(to))?;
    let cannot = || "cannot copy the documents".to_owned();
    let (source, target) = (database::documents(from), database::documents(to));
    let target = FileBucket::open(&target).context(cannot)?;
    found(to).each(|_, file| {
        for name in holding::objects(&open(file)?)? {
            target.take(&name, &source).context(cannot)?;
        }
        Ok(())
    })
}
