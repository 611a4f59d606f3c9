//! What a data folder holds, and whether all of it is as it was written.

use crate::database::{documents, has_all_migrations};
use crate::error::{Context, Result};
use overturn_service::operator;
use overturn_service::sqlite::read;
use overturn_service::store::documents::object_name;
use overturn_service::store::keyring::{self, Keyring};
use overturn_service::store::trail as store;
use overturn_service::trail::{Trail, verify_whole};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::Path;

/// The tables, without those that SQLite and the platform make for themselves.
const TABLES: &str = r"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND name NOT LIKE '\_cf\_%' ESCAPE '\' ORDER BY name";
/// The definitions of all of it.
const SCHEMA: &str = r"SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE tbl_name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND tbl_name NOT LIKE '\_cf\_%' ESCAPE '\'";

/// What a folder holds. As text, it is the same for two folders that hold the same.
pub(super) struct Holding {
    /// Each table with its rows and their digest.
    tables: Vec<(String, Rows)>,
    trails: usize,
    linked: usize,
    behind: usize,
    documents: usize,
    /// The names of objects that documents have, and the folder does not.
    missing: Vec<String>,
}

impl Holding {
    /// Reads a folder, whose database is open.
    pub(super) fn of(db: &Connection, folder: &Path, keys: &Keyring) -> Result<Self> {
        let snapshot = db.unchecked_transaction()?;
        judge(&snapshot, keys)?;
        let mut found =
            Self { tables: tables(&snapshot)?, trails: 0, linked: 0, behind: 0, documents: 0, missing: Vec::new() };
        found.verify(&snapshot, keys)?;
        let mut objects = objects(&snapshot)?;
        found.documents = objects.len();
        let files = documents(folder);
        objects.retain(|name| !files.join(name).is_file());
        found.missing = objects;
        Ok(found)
    }

    /// Verifies the trail of each practice and that of the staff.
    fn verify(&mut self, db: &Connection, keys: &Keyring) -> Result<()> {
        let practices = read(db, &operator::practices())?;
        let trails = practices.into_iter().map(|practice| Some(practice.id));
        for trail in trails.chain([None]).map(Trail) {
            let whole = verify_whole(
                trail,
                Some(&keys.trails),
                || read(db, &store::head(trail)),
                |after, most| read(db, &store::rows(trail, after, most)),
            )?;
            if let Some(broken) = whole.checked.broken {
                let from = broken.sequence;
                return Err(format!("the trail {trail} is not as it was written from row {from} on; `verify-trail` of the operator's commands says more").into());
            }
            self.trails = self.trails.saturating_add(1);
            self.linked = self.linked.saturating_add(whole.checked.rows);
            self.behind = self.behind.saturating_add(whole.behind);
        }
        Ok(())
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (table, rows) in &self.tables {
            writeln!(f, "{table:20} {:>10} {:032x}", rows.count, rows.digest)?;
        }
        for name in &self.missing {
            writeln!(f, "missing {name}")?;
        }
        let (linked, trails, behind) = (self.linked, self.trails, self.behind);
        writeln!(f, "audit trails: {trails}, {linked} rows as they were written, {behind} not linked yet")?;
        let (documents, missing) = (self.documents, self.missing.len());
        writeln!(f, "documents: {documents}, {missing} without a file")
    }
}

/// Refuses a database of another schema, or of other keys.
pub(super) fn judge(db: &Connection, keys: &Keyring) -> Result<()> {
    if !has_all_migrations(db)? {
        return Err(
            "the database does not have exactly the migrations of this program: update the older one first".into()
        );
    }
    for (practice, stored) in read(db, &operator::data_keys())? {
        let keys = keys.of_practice(practice, Some(&stored));
        keys.identity()
            .context(|| format!("{} cannot open the data key of the practice {practice}", keyring::SECRET))?;
    }
    Ok(())
}

/// The names of the objects that documents have.
pub(super) fn objects(db: &Connection) -> Result<Vec<String>> {
    let documents = read(db, &operator::documents())?;
    Ok(documents.into_iter().map(object_name).collect())
}

/// The rows of a table, in any order.
#[derive(Default)]
struct Rows {
    count: u64,
    /// The sum of the digests of all rows.
    digest: u128,
}

fn tables(db: &Connection) -> Result<Vec<(String, Rows)>> {
    let mut names = db.prepare(TABLES)?;
    let names = names.query_map([], |row| row.get::<_, String>(0))?;
    let mut tables = vec![("schema".to_owned(), rows(db, SCHEMA)?)];
    for name in names {
        let name = name?;
        let rows = rows(db, &format!(r#"SELECT * FROM "{name}""#))?;
        tables.push((name, rows));
    }
    Ok(tables)
}

fn rows(db: &Connection, query: &str) -> Result<Rows> {
    let mut read = db.prepare(query)?;
    let columns = read.column_count();
    let mut found = read.query([])?;
    let mut all = Rows::default();
    while let Some(row) = found.next()? {
        let mut digest = Sha256::new();
        for column in 0..columns {
            add(&mut digest, row.get_ref(column)?);
        }
        let digest: [u8; 32] = digest.finalize().into();
        let half = digest.first_chunk().copied().unwrap_or_default();
        all.digest = all.digest.wrapping_add(u128::from_be_bytes(half));
        all.count = all.count.saturating_add(1);
    }
    Ok(all)
}

/// Adds a value so that no two rows give the same bytes.
fn add(digest: &mut Sha256, value: ValueRef<'_>) {
    let mut sized = |kind: u8, bytes: &[u8]| {
        digest.update([kind]);
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    };
    match value {
        ValueRef::Null => sized(0, &[]),
        ValueRef::Integer(number) => sized(1, &number.to_be_bytes()),
        ValueRef::Real(number) => sized(2, &number.to_be_bytes()),
        ValueRef::Text(text) => sized(3, text),
        ValueRef::Blob(bytes) => sized(4, bytes),
    }
}
