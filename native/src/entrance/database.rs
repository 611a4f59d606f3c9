//! Statements of tests, on a connection of their own, and a database that fails.

use crate::database::Numbered;
use overturn_core::base::id::PracticeId;
use overturn_service::host::{Database, Ran, Step};
use overturn_service::store::Statement;
use overturn_service::store::error::DatabaseError;
use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, TransactionBehavior, params_from_iter};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// How long a statement waits for the service's own ones.
const BUSY: Duration = Duration::from_secs(20);
/// The whole numbers that a double holds exactly are below this.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The rows of several statements.
type Rows = Vec<Vec<Map<String, Value>>>;

/// Connections that run any statements.
#[derive(Clone)]
pub(super) struct Statements(Numbered<Arc<Mutex<Connection>>>);

impl Statements {
    pub(super) fn open(cells: &Numbered<PathBuf>) -> rusqlite::Result<Self> {
        cells.map(|file| Self::connect(file)).map(Self)
    }

    fn connect(file: &Path) -> rusqlite::Result<Arc<Mutex<Connection>>> {
        let connection = Connection::open(file)?;
        connection.busy_timeout(BUSY)?;
        // As in D1.
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "off")?;
        Ok(Arc::new(Mutex::new(connection)))
    }

    /// Runs `[{"sql", "params"}]` as one transaction, in the cell that the first id among the parameters names. The error is
    /// the database's own text.
    pub(super) async fn run(&self, asked: &Value) -> Result<Rows, String> {
        let cell = usize::from(named(asked).0).checked_sub(1);
        let connection = cell.and_then(|at| self.0.others.get(at)).unwrap_or(&self.0.first);
        let (connection, asked) = (Arc::clone(connection), asked.clone());
        let ran = spawn_blocking(move || {
            let mut connection = connection.lock().map_err(|_| "a statement panicked")?;
            batch(&mut connection, &asked).map_err(|error| error.to_string())
        });
        ran.await.map_err(|error| error.to_string())?
    }
}

/// The cell of the first id in the parameters.
fn named(asked: &Value) -> overturn_core::base::cell::Cell {
    let params = asked.as_array().into_iter().flatten().flat_map(|statement| parts(statement).1);
    let id = params.filter_map(Value::as_str).find_map(|text| text.parse().ok());
    id.map_or(overturn_core::base::cell::Cell::FIRST, |id| PracticeId(id).cell())
}

fn batch(connection: &mut Connection, asked: &Value) -> rusqlite::Result<Rows> {
    let asked: Vec<(&str, &[Value])> = asked.as_array().into_iter().flatten().map(parts).collect();
    let reads = asked.iter().all(|(sql, _)| sql.trim_start().starts_with("SELECT"));
    let behavior = match reads {
        true => TransactionBehavior::Deferred,
        false => TransactionBehavior::Immediate,
    };
    let transaction = connection.transaction_with_behavior(behavior)?;
    let ran: Result<Rows, _> = asked.into_iter().map(|(sql, params)| rows(&transaction, sql, params)).collect();
    let ran = ran?;
    transaction.commit()?;
    Ok(ran)
}

fn parts(statement: &Value) -> (&str, &[Value]) {
    let sql = statement.get("sql").and_then(Value::as_str);
    let params = statement.get("params").and_then(Value::as_array);
    (sql.unwrap_or_default(), params.map_or(&[], Vec::as_slice))
}

fn rows(on: &Connection, sql: &str, params: &[Value]) -> rusqlite::Result<Vec<Map<String, Value>>> {
    let mut statement = on.prepare(sql)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query(params_from_iter(params.iter().map(bound)))?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let values = names.iter().enumerate();
        let values = values.map(|(n, name)| Ok((name.clone(), json(row.get_ref(n)?))));
        all.push(values.collect::<rusqlite::Result<_>>()?);
    }
    Ok(all)
}

/// A parameter as D1 binds it: every number is a double.
fn bound(value: &Value) -> SqlValue {
    match value {
        Value::Null => SqlValue::Null,
        Value::Number(number) => SqlValue::Real(number.as_f64().unwrap_or_default()),
        Value::String(text) => SqlValue::Text(text.clone()),
        other => SqlValue::Text(other.to_string()),
    }
}

/// A value as D1 returns it. JavaScript does not tell `1.0` from `1`.
fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        ValueRef::Real(number) if number.fract() == 0.0 && number.abs() < EXACT => (number as i64).into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Blob(bytes) => bytes.into(),
    }
}

/// A database that fails in some of its batches, by their number from 1 on.
pub(super) struct FaultyDatabase {
    pub(super) database: Rc<dyn Database>,
    pub(super) statements: Statements,
    pub(super) faults: Value,
    pub(super) batches: Rc<Cell<u64>>,
}

impl FaultyDatabase {
    async fn run(&self, statements: &[Statement]) -> Result<Ran, DatabaseError> {
        let number = self.batches.get().saturating_add(1);
        self.batches.set(number);
        let fault = self.faults.get(number.to_string());
        let fault = fault.or_else(|| self.faults.get("*"));
        let of = |name: &str| fault.and_then(|fault| fault.get(name));
        let failure = |name: &str| of(name).and_then(Value::as_str).map(DatabaseError::classify);
        if let Some(before) = of("before") {
            let ran = self.statements.run(before).await;
            ran.map_err(|text| DatabaseError::classify(&text))?;
        }
        if let Some(failed) = failure("fails") {
            return Err(failed);
        }
        let ran = self.database.batch(statements).await?;
        failure("loses").map_or(Ok(ran), Err)
    }
}

impl Database for FaultyDatabase {
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, Result<Ran, DatabaseError>> {
        Box::pin(self.run(statements))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_batch_is_one_transaction_and_reads_as_d1_does() {
        let mut connection = Connection::open_in_memory().unwrap();
        let asked = json!([
            { "sql": "CREATE TABLE t (a, b INTEGER, c)", "params": [] },
            { "sql": "INSERT INTO t VALUES (?1, ?2, ?3)", "params": [1, 2, "x"] },
            { "sql": "SELECT a, b, c, a / 2 AS half, NULL AS none, x'01ff' AS bytes FROM t", "params": [] },
        ]);
        let ran = batch(&mut connection, &asked).unwrap();
        let row = json!({ "a": 1, "b": 2, "c": "x", "half": 0.5, "none": null, "bytes": [1, 255] });
        assert_eq!(json!(ran), json!([[], [], [row]]));
        let asked = json!([
            { "sql": "DELETE FROM t", "params": [] },
            { "sql": "SELECT missing FROM t", "params": [] },
        ]);
        let failed = batch(&mut connection, &asked).unwrap_err().to_string();
        assert!(failed.contains("no such column"), "{failed}");
        let asked = json!([{ "sql": "SELECT count(*) AS n FROM t", "params": [] }]);
        assert_eq!(json!(batch(&mut connection, &asked).unwrap()), json!([[{ "n": 1 }]]));
    }
}
