//! Reads and writes the database of an installation: the file of the native program, or D1 through wrangler.
//!
//! wrangler's reads go on wrangler's command line, which holds only what the operator typed. Writes hold hashes and addresses, so
//! they go through a file that only its owner can read. wrangler runs the whole file or no part of it.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use data_encoding::HEXLOWER;
use overturn_core::base::cell::Cell;
use overturn_service::host::Size;
use overturn_service::operator::D1_BYTES;
use overturn_service::store::Query;
use overturn_service::store::error::{DatabaseError, FailedGuard};
use overturn_service::store::own_cell::binding;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};
use serde_json::Value;

use crate::cells::CONFIGURATION;
use crate::options::Place;
use crate::sql;

/// The database in a data folder of the native program.
const NATIVE: &str = "overturn.db";
/// How long a write waits for that program.
const TIME_OUT: Duration = Duration::from_secs(30);

/// The folder of wrangler.toml. `cargo xtask` names the clone that it is called in; otherwise it is the current folder.
pub(crate) fn root() -> PathBuf {
    env::var_os("OVERTURN_CLONE").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

#[derive(Debug)]
pub(crate) enum Database {
    /// That of a cell, through wrangler.
    Wrangler(Place, Cell),
    /// The file of a data folder, also while the native program serves it.
    Native(PathBuf),
}

impl Database {
    /// The database of a cell of a place.
    pub(crate) fn of(place: Place, cell: Cell) -> Result<Self, Box<dyn Error>> {
        let place = match place {
            Place::Local(state) if state.join(NATIVE).is_file() => {
                return Ok(Self::Native(state.join(NATIVE)));
            }
            // wrangler would create a new database for a mistyped name.
            Place::Local(state) if !state.join("v3/d1").is_dir() => {
                return Err(
                    format!("{} has no database: `cargo xtask dev --state` makes one there", state.display()).into()
                );
            }
            Place::Local(state) => Place::Local(std::path::absolute(state)?),
            remote @ Place::Remote(_) => remote,
        };
        Ok(Self::Wrangler(place, cell))
    }

    /// Runs a query of the store.
    pub(crate) fn read<T>(&self, query: &Query<T>) -> Result<T, Box<dyn Error>> {
        self.measured(query).map(|(row, _)| row)
    }

    /// The same, and how large the database is.
    pub(crate) fn measured<T>(&self, query: &Query<T>) -> Result<(T, Option<Size>), Box<dyn Error>> {
        let statement = sql::render(query.statement())?;
        let (json, size) = match self {
            Self::Native(file) => {
                let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
                let read = db.query_row(&statement, [], |row| row.get::<_, String>(0));
                let json = read.optional().map_err(|error| explain(&error.to_string()))?;
                (json, Some(Size { bytes: fs::metadata(file)?.len(), most: None }))
            }
            Self::Wrangler(place, cell) => {
                let answer = execute(place, *cell, "--command", statement.into())?;
                let json = answer.pointer("/0/results/0/json").and_then(Value::as_str);
                let bytes = answer.pointer("/0/meta/size_after").and_then(Value::as_u64);
                (json.map(str::to_owned), bytes.map(|bytes| Size { bytes, most: Some(D1_BYTES) }))
            }
        };
        match query.row(json.as_deref()) {
            Ok(row) => Ok((row, size)),
            Err(error) => Err(format!("the database holds a row that this program does not know: {error}").into()),
        }
    }

    /// Runs statements, all or none.
    pub(crate) fn write(&self, statements: &str) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Native(file) => {
                let mut db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                db.pragma_update(None, "foreign_keys", true)?;
                // As the server does.
                db.pragma_update(None, "secure_delete", true)?;
                // A running server may be busy with writes.
                db.busy_timeout(TIME_OUT)?;
                let all = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let ran = all.execute_batch(statements).and_then(|()| all.commit());
                ran.map_err(|error| explain(&error.to_string()).into())
            }
            Self::Wrangler(place, cell) => {
                let file = Temporary::new(statements)?;
                execute(place, *cell, "--file", file.0.clone().into()).map(|_| ())
            }
        }
    }
}

fn execute(place: &Place, cell: Cell, option: &str, value: OsString) -> Result<Value, Box<dyn Error>> {
    let mut wrangler = Command::new("wrangler");
    wrangler.current_dir(root()).args(arguments(place, cell));
    let done = wrangler.arg(option).arg(value).output();
    let done = done.map_err(|error| format!("cannot run wrangler: {error}"))?;
    let said = String::from_utf8_lossy(&done.stdout);
    if done.status.success() {
        return Ok(serde_json::from_str(&said)?);
    }
    let failed: Option<Value> = serde_json::from_str(&said).ok();
    let failed = failed.as_ref().and_then(|said| said.pointer("/error/text")?.as_str());
    let complaint = String::from_utf8_lossy(&done.stderr);
    Err(explain(failed.unwrap_or(&complaint)).into())
}

/// The options of wrangler that come before the statements.
fn arguments(place: &Place, cell: Cell) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["d1", "execute", &binding(cell), "--json", "--yes"].map(OsString::from).into();
    match place {
        Place::Local(state) => {
            arguments.extend(["--local", "--persist-to"].map(OsString::from));
            arguments.push(state.into());
            let configuration = state.join(CONFIGURATION);
            if configuration.is_file() {
                arguments.extend(["--config".into(), configuration.into()]);
            }
        }
        Place::Remote(environment) => {
            arguments.extend(["--remote", "--env", environment].map(OsString::from));
        }
    }
    arguments
}

/// Explains a failure to the operator.
fn explain(failed: &str) -> String {
    match DatabaseError::classify(failed) {
        DatabaseError::Conflict(FailedGuard::Owner) => {
            "the practice must keep an owner: have another accept an invitation first (invite-owner)".to_owned()
        }
        DatabaseError::Conflict(FailedGuard::Address) => "the address has an account here".to_owned(),
        DatabaseError::OtherCell => "this is the database of another cell: two were swapped".to_owned(),
        DatabaseError::Conflict(_) => "the record has changed: nothing was done, try again".to_owned(),
        DatabaseError::Broken("not_migrated") => {
            "the database does not have the newest tables: apply the migrations".to_owned()
        }
        _ => format!("the database: {}", failed.trim()),
    }
}

/// A file that only its owner can read. Dropping this removes it.
struct Temporary(PathBuf);

impl Temporary {
    fn new(text: &str) -> Result<Self, Box<dyn Error>> {
        let name = format!("overturn-operator-{}.sql", HEXLOWER.encode(&crate::random::<8>()?));
        let path = std::env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&path)?;
        let temporary = Self(path);
        file.write_all(text.as_bytes())?;
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let path: &Path = &self.0;
        // The process that made the file can remove it.
        let _gone = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use overturn_core::base::cell::Cell;
    use overturn_service::operator;
    use rusqlite::Connection;

    use super::{Database, NATIVE, Place, Temporary, explain};

    #[test]
    fn a_folder_without_a_database_is_left_as_it_is() {
        let folder = std::env::temp_dir().join("overturn-no-such-state");
        let refused = Database::of(Place::Local(folder.clone()), Cell::FIRST).unwrap_err();
        assert!(refused.to_string().contains("has no database"));
        assert!(!folder.exists());
    }

    #[test]
    fn a_data_folder_of_the_native_program_is_used_without_wrangler() {
        let folder = std::env::temp_dir().join(format!("overturn-data-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let table = "CREATE TABLE practices (id PRIMARY KEY, name, state, created_at, sandbox_of);";
        let made = Connection::open(folder.join(NATIVE)).unwrap();
        made.execute_batch(table).unwrap();
        let database = Database::of(Place::Local(folder.clone()), Cell::FIRST).unwrap();
        let insert = |id: u128| {
            let id = uuid::Uuid::from_u128(id);
            format!("INSERT INTO practices (id, name, state, created_at) VALUES ('{id}', 'Cedar', 'active', 1);")
        };
        let count = || database.read(&operator::practices()).unwrap().len();
        database.write(&insert(1)).unwrap();
        assert_eq!(count(), 1);
        // All or none.
        let failed = database.write(&(insert(2) + &insert(1))).unwrap_err();
        assert!(failed.to_string().starts_with("the database: UNIQUE"));
        assert_eq!(count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failure_is_said_in_words_of_the_order() {
        for (failed, said) in [
            ("CHECK constraint failed: last_owner: SQLITE_CONSTRAINT", "the practice must keep an owner"),
            ("CHECK constraint failed: rights_changed: SQLITE_CONSTRAINT", "the record has changed"),
            ("no such table: users: SQLITE_ERROR", "the database does not have the newest tables"),
            ("Authentication error [code: 10000]", "the database: Authentication error"),
        ] {
            assert!(explain(failed).starts_with(said), "{failed}");
        }
    }

    #[test]
    fn writes_use_a_private_file_that_is_removed_afterward() {
        let file = Temporary::new("SELECT 1").unwrap();
        let path = file.0.clone();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_to_string(&path).unwrap(), "SELECT 1");
        drop(file);
        assert!(!path.exists());
    }
}
