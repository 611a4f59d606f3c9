//! Runs the statements of a batch on SQLite, for the hosts that have it.

use crate::host::Ran;
use crate::store::error::DatabaseError;
use crate::store::{Done, Param, Query, Statement};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Params, ToSql, params_from_iter};

/// How many prepared statements a connection keeps: more than the store has.
const STATEMENTS: usize = 1024;

/// Lets a connection prepare each statement of the store only once.
///
/// # Errors
///
/// SQLite refuses the setting.
pub fn keep_statements(db: &Connection) -> rusqlite::Result<()> {
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    // SQLite lets a plan depend on a parameter that is 0, 1 or the like, and forgets it whenever the parameters are cleared. No
    // plan of the store depends on one: every number is a double.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Classifies an error. Its text goes no further, because it can quote values.
#[must_use]
pub fn fault(error: rusqlite::Error) -> DatabaseError {
    DatabaseError::classify(&error.to_string())
}

/// Runs statements one after the other. The caller has begun a transaction.
///
/// # Errors
///
/// A statement failed. The caller rolls back.
pub fn run(db: &Connection, statements: &[Statement]) -> Result<Ran, DatabaseError> {
    let mut ran = Ran::default();
    for statement in statements {
        let done = one(db, statement)?;
        ran.rows_written = ran.rows_written.saturating_add(done.changes);
        ran.done.push(done);
    }
    Ok(ran)
}

/// Runs a query of the store.
///
/// # Errors
///
/// The statement failed, or a row does not fit its type.
pub fn read<T>(db: &Connection, query: &Query<T>) -> Result<T, DatabaseError> {
    let done = one(db, query.statement())?;
    Ok(query.row(done.json.as_deref())?)
}

fn one(db: &Connection, statement: &Statement) -> Result<Done, DatabaseError> {
    let mut prepared = db.prepare_cached(statement.sql).map_err(fault)?;
    let reads = prepared.readonly();
    let mut rows = prepared.query(params(statement)).map_err(fault)?;
    let json = match rows.next().map_err(fault)? {
        None => None,
        Some(row) => match row.get_ref(0).map_err(fault)? {
            ValueRef::Text(text) => {
                let text = str::from_utf8(text).map_err(|_| DatabaseError::Broken("row"))?;
                Some(text.to_owned())
            }
            _ => return Err(DatabaseError::Broken("row")),
        },
    };
    // A statement has done all of its work only at its end.
    while rows.next().map_err(fault)?.is_some() {}
    drop(rows);
    let changes = if reads { 0 } else { db.changes() };
    Ok(Done { json, changes: usize::try_from(changes).unwrap_or(usize::MAX) })
}

/// The parameters of a statement.
pub(crate) fn params(statement: &Statement) -> impl Params {
    params_from_iter(statement.params.iter().map(Bound))
}

/// A parameter, bound as D1 does: every number is a double.
struct Bound<'a>(&'a Param);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Param::Text(text) => text.as_str().into(),
            #[expect(clippy::cast_precision_loss, reason = "what D1 does")]
            Param::Int(number) => ToSqlOutput::Owned(Value::Real(*number as f64)),
            Param::Null => ToSqlOutput::Owned(Value::Null),
        })
    }
}
