//! The folder of a local D1, KV and Durable Objects, with the layout of wrangler's `--persist-to`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{cells, locks, native, run};

mod migrated;

/// What keeps a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Host {
    /// workerd, with the layout of wrangler.
    Workerd,
    /// The native program, with one database.
    Native,
}

impl Host {
    /// Its name for `cargo xtask test --host NAME` and `OVERTURN_HOST`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Workerd => "workerd",
            Self::Native => "native",
        }
    }

    /// The host of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = [Self::Workerd, Self::Native].into_iter();
        all.find(|host| host.name() == name)
    }
}

/// The database of the native program.
pub(crate) const NATIVE: &str = "overturn.db";

/// A state folder that exists.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) host: Host,
    /// Its absolute path.
    pub(crate) folder: PathBuf,
    /// How many cells it has.
    pub(crate) cells: u16,
    /// True if the folder already had a database when it was opened.
    pub(crate) had_database: bool,
}

impl State {
    /// Opens the folder. Creates it if it is missing, and empties it first when `fresh`.
    pub(crate) fn open(folder: &Path, fresh: bool) -> Result<Self> {
        Self::open_on(Host::Workerd, folder, fresh)
    }

    /// [`open`](Self::open) for a host. A folder belongs to one host.
    pub(crate) fn open_on(host: Host, folder: &Path, fresh: bool) -> Result<Self> {
        if fresh {
            if lock_of(folder).is_file() {
                take(folder)?;
            }
            empty(folder)?;
        }
        fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
        let folder = folder.canonicalize().context(|| folder.display().to_string())?;
        let of_native = folder.join(NATIVE).is_file();
        let of_workerd = folder.join("v3/d1").is_dir();
        let (had_database, is_taken) = match host {
            Host::Workerd => (of_workerd, of_native),
            Host::Native => (of_native, of_workerd),
        };
        if is_taken {
            return Err(format!(
                "{} is the state of another host: name another folder with --state DIR, or empty it with --fresh",
                folder.display()
            )
            .into());
        }
        let cells = match host {
            Host::Workerd => cells::configured(&folder),
            Host::Native => (1..).find(|cell| !native_database(&folder, *cell).is_file()).unwrap_or(1),
        };
        Ok(Self { host, folder, cells, had_database })
    }

    /// The same with so many cells. An existing folder keeps those that it has.
    pub(crate) fn with_cells(mut self, paths: &Paths, cells: u16) -> Result<Self> {
        if self.had_database && cells != self.cells {
            let (folder, has) = (self.folder.display(), self.cells);
            return Err(
                format!("{folder} has {has} cells: empty it with --fresh, or name another with --state DIR").into()
            );
        }
        self.cells = cells;
        if self.host == Host::Workerd {
            cells::configure(paths, &self.folder, cells)?;
        }
        Ok(self)
    }

    /// Locks the folder until the lock is dropped: two services on one database would get "database is locked" errors
    /// at random.
    pub(crate) fn lock(&self) -> Result<File> {
        take(&self.folder)
    }

    /// The file with the demo keys.
    pub(crate) fn demo(&self) -> PathBuf {
        self.folder.join("demo.json")
    }

    /// The folder in which tools/dev/serve.mjs keeps mail.
    pub(crate) fn mail(&self) -> PathBuf {
        self.folder.join("mail")
    }

    /// The SQLite databases, which only a migrated folder has, in the order of their cells on the native host. Open them only
    /// while no service uses them.
    pub(crate) fn databases(&self) -> Result<Vec<PathBuf>> {
        if self.host == Host::Native {
            return Ok((0..self.cells).map(|cell| native_database(&self.folder, cell)).collect());
        }
        let folder = self.folder.join("v3/d1/miniflare-D1DatabaseObject");
        let entries = fs::read_dir(&folder).context(|| format!("cannot read {}", folder.display()))?;
        let files = entries.filter_map(std::io::Result::ok);
        let databases = files.map(|entry| entry.path()).filter(|path| {
            path.extension().is_some_and(|end| end == "sqlite")
                && path.file_stem().is_some_and(|name| name != "metadata")
        });
        let databases: Vec<PathBuf> = databases.collect();
        if databases.is_empty() { Err(format!("{} has no database", folder.display()).into()) } else { Ok(databases) }
    }

    /// Applies all migrations. A new folder gets a copy of one that has them, because wrangler takes ten seconds for all of them.
    pub(crate) fn migrate(&self, paths: &Paths) -> Result {
        if self.host == Host::Native {
            let mut server = paths.command(native::program(paths, native::SERVER)?);
            server.args(["migrate", "--data"]).arg(&self.folder).env("CELLS", self.cells.to_string());
            return run::run(&mut server);
        }
        let first = if self.folder.join(migrated::STORED).is_dir() { 0 } else { 1 };
        if first == 1 {
            migrated::copy_to(paths, &self.folder)?;
        }
        let left = self.cells.saturating_sub(first);
        if left == 0 {
            return Ok(());
        }
        cells::each(left, |cell| migrated::apply(paths, &self.folder, cell.saturating_add(first)))
    }

    /// Runs the statements of an SQL file in a cell.
    pub(crate) fn execute(&self, paths: &Paths, cell: u16, file: &Path) -> Result {
        if self.host == Host::Native {
            let mut server = paths.command(native::program(paths, native::SERVER)?);
            let data = server.args(["execute", "--data"]).arg(&self.folder);
            return run::run(data.arg(file).arg("--cell").arg(cell.to_string()));
        }
        let mut command = paths.wrangler_command("wrangler");
        command.args(["d1", "execute", &cells::binding(cell), "--yes"]);
        cells::locally(paths, &mut command, &self.folder);
        run::output(command.arg("--file").arg(file)).map(|_| ())
    }
}

/// The database of a cell in a data folder of the native program.
fn native_database(folder: &Path, cell: u16) -> PathBuf {
    cells::beside(&folder.join(NATIVE), cell)
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.join("dev.lock")
}

fn take(folder: &Path) -> Result<File> {
    locks::if_free(&lock_of(folder))?.ok_or_else(|| {
        format!(
            "another `cargo xtask dev` works on {}: stop it, or choose another folder with --state DIR",
            folder.display()
        )
        .into()
    })
}

/// Empties a state folder. Refuses any other folder: `--state ~ --fresh` is an easy mistake.
fn empty(folder: &Path) -> Result {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    let entries: Vec<_> = entries.filter_map(std::io::Result::ok).map(|entry| entry.path()).collect();
    if entries.is_empty() {
        return Ok(());
    }
    let made = ["v3", NATIVE, "demo.json"];
    if !made.iter().any(|name| folder.join(name).exists()) {
        return Err(format!(
            "{} has neither v3/, overturn.db nor demo.json, so it is no state folder: empty it yourself or name another",
            folder.display()
        )
        .into());
    }
    for path in entries {
        let removed =
            if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::State;

    #[test]
    fn only_a_state_folder_is_emptied() {
        let root = std::env::temp_dir().join(format!("overturn-state-{}", std::process::id()));
        let state = root.join("state");
        fs::create_dir_all(&state).unwrap();
        fs::write(state.join("thesis.txt"), "years of work").unwrap();
        assert!(State::open(&state, true).is_err());
        assert!(state.join("thesis.txt").is_file());

        fs::create_dir(state.join("v3")).unwrap();
        assert!(State::open(&state, true).is_ok());
        assert_eq!(fs::read_dir(&state).unwrap().count(), 0);

        let first = State::open(&state, false).unwrap();
        let alone = first.lock().unwrap();
        assert!(State::open(&state, false).unwrap().lock().is_err());
        assert!(State::open(&state, true).is_err(), "not under another's feet");
        drop(alone);
        fs::write(state.join("demo.json"), "{}").unwrap();
        assert!(State::open(&state, true).is_ok(), "an empty folder");
        assert!(State::open(&root.join("new"), true).is_ok(), "a folder that is not there");
        fs::remove_dir_all(root).unwrap();
    }
}
