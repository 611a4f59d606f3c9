//! The database of a running server, through the server's own binding (see server/main.mjs).

use crate::client::Client;
use overturn_service::store::{Param, Statement};
use serde_json::{Value, json};

#[derive(Debug)]
pub struct Database {
    client: Client,
}

impl Database {
    pub(crate) fn new(port: u16) -> Self {
        Self { client: Client::new(port) }
    }

    /// Runs statements as one batch and returns the rows of each.
    pub fn batch(&self, statements: &[Value]) -> Vec<Vec<Value>> {
        let body = Value::from(statements).to_string();
        let raw = self.client.exchange("POST", "/.tests/database", Some(body.as_bytes()));
        let text = String::from_utf8_lossy(&raw.body);
        assert_eq!(raw.status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Runs one statement and returns its rows.
    pub fn rows(&self, sql: &str, params: &[&str]) -> Vec<Value> {
        self.batch(&[statement(sql, params)]).remove(0)
    }

    /// Runs a statement that changes rows.
    pub fn change(&self, sql: &str, params: &[&str]) {
        let _none = self.rows(sql, params);
    }

    /// Runs a statement that changes rows of the directory.
    pub fn change_directory(&self, sql: &str, params: &[&str]) {
        let _none = self.batch(&[json!({ "sql": sql, "params": params, "cell": 0 })]);
    }

    /// The number that a query `SELECT … AS n` returns.
    pub fn number(&self, sql: &str, params: &[&str]) -> i64 {
        // Each cell has a row if the query names none.
        self.rows(sql, params).iter().map(|row| row["n"].as_i64().unwrap()).sum()
    }
}

/// A statement for the test entrance.
pub fn statement(sql: &str, params: &[&str]) -> Value {
    json!({ "sql": sql, "params": params })
}

/// A statement of the store, for the test entrance.
pub fn lowered(statement: &Statement) -> Value {
    let params = statement.params.iter().map(|param| match param {
        Param::Text(text) => Value::from(text.as_str()),
        Param::Int(number) => Value::from(*number),
        Param::Null => Value::Null,
    });
    json!({ "sql": statement.sql, "params": params.collect::<Vec<_>>() })
}
