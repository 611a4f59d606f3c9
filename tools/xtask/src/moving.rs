//! `cargo xtask operator export` and `import`: moves an installation from Workers into a data folder of the native program,
//! and back.
//!
//! The native program checks the folder in both directions: the schema, the keys and the audit trails.

mod check;

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::backup::{self, Private, Source};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::state::{NATIVE, State};
use crate::{cells, locks, native, operator, run, say};
pub(crate) use check::check;

/// Counts the tables that somebody made.
const TABLES: &str = r"SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND name NOT LIKE '\_cf\_%' ESCAPE '\'";

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// From Workers into a folder.
    Export,
    /// From a folder to Workers.
    Import,
}

impl Direction {
    /// The direction of a command of the operator.
    pub(crate) fn of(word: &OsStr) -> Option<Self> {
        match word.to_str()? {
            "export" => Some(Self::Export),
            "import" => Some(Self::Import),
            _ => None,
        }
    }
}

/// Runs the command line behind the command's name.
pub(crate) fn command(paths: &Paths, direction: Direction, words: impl Iterator<Item = OsString>) -> Result {
    let args = lexopt::Parser::from_args(words);
    let (place, folder) = backup::named(paths, args, "name the folder with the database and the documents")?;
    let moving = Moving::new(paths, place)?;
    say::out(&match direction {
        Direction::Export => moving.export(&folder)?,
        Direction::Import => moving.import(&folder)?,
    });
    Ok(())
}

/// An installation on Workers, here or at Cloudflare.
pub(crate) struct Moving<'a> {
    paths: &'a Paths,
    place: Source,
    keys: String,
    cells: u16,
    private: Private,
    /// Two moves in one clone would use one folder.
    _alone: File,
}

impl<'a> Moving<'a> {
    pub(crate) fn new(paths: &'a Paths, place: Source) -> Result<Self> {
        let place = match place {
            Source::Local(state) => Source::Local(std::path::absolute(state).context(|| "the state".to_owned())?),
            remote @ Source::Remote(_) => remote,
        };
        Ok(Self {
            paths,
            _alone: locks::wait(&paths.root.join("target/moving.lock"))?,
            keys: place.sealing_keys(paths)?,
            cells: place.cells(paths)?,
            place,
            private: Private::new(&paths.root.join("target/moving"))?,
        })
    }

    /// Makes a new folder from the installation. Returns what the folder holds.
    pub(crate) fn export(&self, folder: &Path) -> Result<String> {
        let made = DirBuilder::new().mode(0o700).create(folder);
        made.context(|| format!("cannot make {}", folder.display()))?;
        let filled = self.database_to(folder).and_then(|()| {
            let lacking = self.check(folder)?;
            self.objects("get", folder, missing(&lacking))?;
            self.check(folder)
        });
        if filled.is_err() {
            // The cause is what to report.
            let _removed = fs::remove_dir_all(folder);
        }
        filled
    }

    /// Fills a new installation from a folder. Returns what both hold.
    pub(crate) fn import(&self, folder: &Path) -> Result<String> {
        let held = self.check(folder)?;
        if let Source::Local(state) = &self.place {
            State::open(state, false)?;
        }
        if self.cells != files_of(folder) {
            return Err(
                format!("the folder has {} cells, and the new installation {}", files_of(folder), self.cells).into()
            );
        }
        cells::each(self.cells, |cell| {
            let tables = self.place.query(self.paths, cell, TABLES)?;
            let tables = tables.first().and_then(|rows| rows.first()?.get("n"));
            match tables.and_then(Value::as_u64) {
                Some(0) => Ok(()),
                _ => Err("the database has tables: import into a new one, before any migration".into()),
            }
        })?;
        let sql = self.sql_of(folder)?;
        // The documents come first: after the database, a second try would be refused.
        self.objects("put", folder, files(folder)?.iter().map(String::as_str))?;
        cells::each(self.cells, |cell| {
            let sql = cells::beside(&sql, cell);
            run::output(self.place.execute(self.paths, cell).arg("--file").arg(&sql)).map(drop)
        })?;
        let copy = self.private.file("copy");
        let made = DirBuilder::new().mode(0o700).create(&copy);
        made.context(|| format!("cannot make {}", copy.display()))?;
        self.database_to(&copy)?;
        if rows(&self.check(&copy)?).ne(rows(&held)) {
            return Err(
                "the new database does not hold what the folder does: remove it, and try again with a new one".into()
            );
        }
        Ok(held)
    }

    /// Copies the databases into a folder.
    fn database_to(&self, folder: &Path) -> Result {
        cells::each(self.cells, |cell| {
            let sql = self.private.file("export.sql");
            backup::write_plain(self.paths, (&self.place, cell), &self.private, &sql)?;
            // An empty file is an empty database. The program makes none, because a name may be mistyped.
            let mut new = OpenOptions::new();
            let made = new.write(true).create_new(true).mode(0o600);
            let file = cells::beside(&folder.join(NATIVE), cell);
            made.open(file).context(|| format!("cannot write to {}", folder.display()))?;
            let mut execute = self.server("execute", folder)?;
            run::output(execute.arg(&sql).arg("--cell").arg(cell.to_string()))?;
            fs::remove_file(&sql).context(|| format!("cannot remove {}", sql.display()))
        })
    }

    /// The databases of a folder as SQL, written by wrangler from states that are copies of them. The files of later cells are
    /// beside the first one.
    fn sql_of(&self, folder: &Path) -> Result<PathBuf> {
        let (copies, sql) = (self.private.file("copies.db"), self.private.file("import.sql"));
        run::output(self.server("backup", folder)?.arg(&copies))?;
        cells::each(self.cells, |cell| self.sql_of_cell(&cells::beside(&copies, cell), &cells::beside(&sql, cell)))?;
        Ok(sql)
    }

    fn sql_of_cell(&self, copy: &Path, sql: &Path) -> Result {
        let state = State::open(&self.private.file("state"), true)?;
        state.migrate(self.paths)?;
        let [database] = &state.databases()?[..] else { return Err("a state for one database has several".into()) };
        for end in ["", "-wal", "-shm"] {
            let mut file = database.clone().into_os_string();
            file.push(end);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {error}", file.display()).into());
                }
                _ => {}
            }
        }
        fs::rename(copy, database).context(|| format!("cannot write {}", database.display()))?;
        let copy = Source::Local(state.folder);
        backup::write_plain(self.paths, (&copy, 0), &self.private, sql)
    }

    /// Moves objects between the bucket and a folder.
    fn objects<'n>(&self, action: &str, folder: &Path, names: impl Iterator<Item = &'n str>) -> Result {
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            return Ok(());
        }
        let list = self.private.file("objects");
        fs::write(&list, names.join("\n")).context(|| format!("cannot write {}", list.display()))?;
        let mut node = self.paths.wrangler_command("node");
        node.args(["tools/dev/objects.mjs", action]).arg(folder.join("documents")).arg(&list);
        match &self.place {
            Source::Local(state) => node.arg("--state").arg(state),
            Source::Remote(environment) => node.args(["--env", environment]),
        };
        run::output(&mut node).map(drop)
    }

    /// What a folder holds, as the native program says it.
    pub(crate) fn check(&self, folder: &Path) -> Result<String> {
        run::output(&mut self.server("check", folder)?)
    }

    /// The native program with a command for a folder.
    pub(crate) fn server(&self, action: &str, folder: &Path) -> Result<Command> {
        let mut command = self.paths.command(native::program(self.paths, native::SERVER)?);
        command.args([action, "--data"]).arg(folder);
        command.env(operator::KEYS, &self.keys);
        Ok(command)
    }
}

/// How many cells a folder has.
fn files_of(folder: &Path) -> u16 {
    (1..).find(|cell| !cells::beside(&folder.join(NATIVE), *cell).is_file()).unwrap_or(1)
}

/// The objects that a folder lacks.
fn missing(held: &str) -> impl Iterator<Item = &str> {
    held.lines().filter_map(|line| line.strip_prefix("missing "))
}

/// What is said of the database.
fn rows(held: &str) -> impl Iterator<Item = &str> {
    let of_documents = |line: &&str| line.starts_with("missing ") || line.starts_with("documents: ");
    held.lines().filter(move |line| !of_documents(line))
}

/// The names of the objects in a folder.
fn files(folder: &Path) -> Result<Vec<String>> {
    let below = folder.join("documents/documents");
    let cannot = || format!("cannot read {}", below.display());
    let entries = match fs::read_dir(&below) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.context(cannot)?,
    };
    let name = |entry: fs::DirEntry| format!("documents/{}", entry.file_name().to_string_lossy());
    entries.map(|entry| entry.map(name).context(cannot)).collect()
}
