//! Statements of tests, on a connection of their own, and a database that fails.

use crate::database::Numbered;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_service::host::{Database, Ran, Size, Step};
use overturn_service::store::Statement;
use overturn_service::store::error::DatabaseError;
use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, TransactionBehavior, params_from_iter};
use serde_json::{Map, Value};
use std::cell;
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

    /// Runs `[{"sql", "params"}]` as one transaction in the cell of a `cell` beside the first one, or else of the first id among
    /// the parameters. What names no cell runs in each, and the rows of all are returned. So does a query that finds nothing.
    /// The error is the database's own text.
    pub(super) async fn run(&self, asked: &Value) -> Result<Rows, String> {
        let cells: Vec<_> = self.0.iter().collect();
        let named = named(asked).map(|cell| usize::from(cell.0)).filter(|cell| *cell < cells.len() && cells.len() > 1);
        if let Some(cell) = named.and_then(|cell| cells.get(cell)) {
            let rows = Self::run_in(cell, asked).await?;
            if !reads(asked) || rows.iter().any(|rows| !rows.is_empty()) {
                return Ok(rows);
            }
        }
        let mut all = Rows::new();
        for cell in cells {
            let rows = Self::run_in(cell, asked).await?;
            all.resize_with(rows.len(), Vec::new);
            for (all, rows) in all.iter_mut().zip(rows) {
                all.extend(rows);
            }
        }
        Ok(all)
    }

    async fn run_in(cell: &Arc<Mutex<Connection>>, asked: &Value) -> Result<Rows, String> {
        let (connection, asked) = (Arc::clone(cell), asked.clone());
        let ran = spawn_blocking(move || {
            let mut connection = connection.lock().map_err(|_| "a statement panicked")?;
            batch(&mut connection, &asked).map_err(|error| error.to_string())
        });
        ran.await.map_err(|error| error.to_string())?
    }
}

fn statements(asked: &Value) -> impl Iterator<Item = &Value> {
    asked.as_array().into_iter().flatten()
}

fn reads(asked: &Value) -> bool {
    statements(asked).all(|statement| parts(statement).0.trim_start().starts_with("SELECT"))
}

/// The cell that statements are for.
fn named(asked: &Value) -> Option<Cell> {
    let chosen = statements(asked).find_map(|statement| statement.get("cell")?.as_u64()?.try_into().ok());
    let params = || statements(asked).flat_map(|statement| parts(statement).1).filter_map(Value::as_str);
    let id = || params().find_map(|text| text.parse().ok());
    chosen.map(Cell).or_else(|| Some(PracticeId(id()?).cell()))
}

fn batch(connection: &mut Connection, asked: &Value) -> rusqlite::Result<Rows> {
    let behavior = match reads(asked) {
        true => TransactionBehavior::Deferred,
        false => TransactionBehavior::Immediate,
    };
    let transaction = connection.transaction_with_behavior(behavior)?;
    let ran: Result<Rows, _> =
        statements(asked).map(parts).map(|(sql, params)| rows(&transaction, sql, params)).collect();
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
    pub(super) batches: Rc<cell::Cell<u64>>,
}

impl FaultyDatabase {
    async fn run(&self, statements: &[Statement]) -> Result<Ran, DatabaseError> {
        let number = self.batches.get().saturating_add(1);
        self.batches.set(number);
        let fault = fault(&self.faults, number);
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

/// What happens to a batch: what its own number says, or what `"3+"` says of the third and all behind it.
fn fault(faults: &Value, number: u64) -> Option<&Value> {
    let from = |key: &str| key.strip_suffix('+')?.parse::<u64>().ok();
    let reaches = |(key, _): &(&String, &Value)| from(key).is_some_and(|from| from <= number);
    faults.get(number.to_string()).or_else(|| faults.as_object()?.iter().find(reaches).map(|(_, fault)| fault))
}

impl Database for FaultyDatabase {
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, Result<Ran, DatabaseError>> {
        Box::pin(self.run(statements))
    }

    fn size(&self) -> Option<Size> {
        self.database.size()
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
