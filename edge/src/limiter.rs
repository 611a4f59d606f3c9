//! Exact limits: one Durable Object a principal, with a sliding log in its SQLite storage.
//!
//! The object runs one request at a time and asks its log without waiting for anything in between, so of thirty calls
//! that arrive together exactly as many pass as there is room for. The log is kept in memory and written through, so
//! it survives the object being moved or put to sleep. When the last call has left its window an alarm empties the
//! storage. A principal that turns out not to exist is forgotten at once.

use crate::ambient;
use crate::error::Refusal;
use overturn_core::ctx::Instant;
use overturn_core::limit::{Rule, SlidingLog, Verdict};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;
use worker::{
    DurableObject, Env, ObjectNamespace, Request, Response, Result, SqlStorageValue, State,
    durable_object, wasm_bindgen,
};

/// A group of calls that is counted by itself.
#[derive(Clone, Copy)]
pub(crate) enum Group {
    Reads,
    Sends,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Sends => "sends",
        }
    }
}

/// The limiters, as callers see them.
pub(crate) struct Limiters(ObjectNamespace);

impl Limiters {
    pub(crate) fn new(namespace: ObjectNamespace) -> Self {
        Self(namespace)
    }

    /// Asks for one call of a principal.
    pub(crate) async fn ask(
        &self,
        principal: &str,
        group: Group,
        rule: Rule,
    ) -> std::result::Result<Verdict, Refusal> {
        let url = format!(
            "https://limiter/ask/{}/{}/{}",
            group.name(),
            rule.limit,
            rule.window_ms
        );
        let answer = self
            .fetch(principal, &url)
            .await
            .ok_or(Refusal::Unavailable("limiter"))?;
        serde_json::from_str(&answer).map_err(|_| Refusal::Unavailable("limiter"))
    }

    /// Forgets a principal that does not exist.
    pub(crate) async fn forget(&self, principal: &str) -> std::result::Result<(), Refusal> {
        let done = self.fetch(principal, "https://limiter/forget").await;
        done.map(|_| ()).ok_or(Refusal::Unavailable("limiter"))
    }

    async fn fetch(&self, principal: &str, url: &str) -> Option<String> {
        let stub = self.0.get_by_name(principal).ok()?;
        let mut response = stub.fetch_with_str(url).await.ok()?;
        if response.status_code() == 200 {
            response.text().await.ok()
        } else {
            None
        }
    }
}

/// The Durable Object of one principal.
#[durable_object]
pub struct Limiter {
    state: State,
    logs: RefCell<HashMap<String, SlidingLog>>,
    has_table: Cell<bool>,
    has_alarm: Cell<bool>,
}

impl DurableObject for Limiter {
    fn new(state: State, _env: Env) -> Self {
        Self {
            state,
            logs: RefCell::default(),
            has_table: Cell::new(false),
            has_alarm: Cell::new(false),
        }
    }

    async fn fetch(&self, request: Request) -> Result<Response> {
        let path = request.path();
        let mut parts = path.trim_start_matches('/').split('/');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("ask"), Some(group), Some(limit), Some(window)) => {
                let bad = |_| worker::Error::RustError("bad rule".into());
                let rule = Rule {
                    limit: limit.parse().map_err(bad)?,
                    window_ms: window.parse().map_err(bad)?,
                };
                let verdict = self.ask(group, rule, ambient::now())?;
                if verdict.allowed {
                    self.wake_after(rule.window_ms).await?;
                }
                Response::from_json(&verdict)
            }
            (Some("forget"), ..) => {
                self.clear().await?;
                Response::ok("")
            }
            _ => Response::error("", 404),
        }
    }

    async fn alarm(&self) -> Result<Response> {
        self.has_alarm.set(false);
        let now = ambient::now();
        self.table()?;
        let sql = self.state.storage().sql();
        sql.exec("DELETE FROM calls WHERE until <= ?", vec![number(now)])?;
        let last: Vec<Last> = sql
            .exec("SELECT max(until) AS until FROM calls", None)?
            .to_array()?;
        match last.into_iter().find_map(|row| row.until) {
            Some(until) => self.wake_after(Instant(until).since(now)).await?,
            None => self.clear().await?,
        }
        Response::ok("")
    }
}

#[derive(Deserialize)]
struct CallRow {
    at: i64,
}

#[derive(Deserialize)]
struct Last {
    until: Option<i64>,
}

impl Limiter {
    /// Asks the log and writes the call down, with nothing awaited in between.
    fn ask(&self, group: &str, rule: Rule, now: Instant) -> Result<Verdict> {
        self.table()?;
        let mut logs = self.logs.borrow_mut();
        if !logs.contains_key(group) {
            logs.insert(group.into(), self.restore(group)?);
        }
        let log = logs.entry(group.into()).or_default();
        let verdict = log.ask(rule, now);
        if let Some(at) = log.last().filter(|_| verdict.allowed) {
            let values = vec![group.into(), number(at), number(at.plus(rule.window_ms))];
            self.state.storage().sql().exec(
                "INSERT INTO calls (bucket, at, until) VALUES (?, ?, ?)",
                values,
            )?;
        }
        Ok(verdict)
    }

    fn restore(&self, group: &str) -> Result<SlidingLog> {
        let sql = self.state.storage().sql();
        let rows: Vec<CallRow> = sql
            .exec(
                "SELECT at FROM calls WHERE bucket = ? ORDER BY at",
                vec![group.into()],
            )?
            .to_array()?;
        Ok(SlidingLog::restore(
            rows.into_iter().map(|row| Instant(row.at)),
        ))
    }

    fn table(&self) -> Result<()> {
        if !self.has_table.replace(true) {
            let create = "CREATE TABLE IF NOT EXISTS calls (bucket TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL)";
            self.state.storage().sql().exec(create, None)?;
        }
        Ok(())
    }

    /// Has the storage looked at again when the window is over, unless that is already arranged.
    async fn wake_after(&self, ms: i64) -> Result<()> {
        if !self.has_alarm.replace(true) {
            let after = u64::try_from(ms).unwrap_or(0).saturating_add(1_000);
            self.state
                .storage()
                .set_alarm(Duration::from_millis(after))
                .await?;
        }
        Ok(())
    }

    async fn clear(&self) -> Result<()> {
        self.logs.borrow_mut().clear();
        self.has_table.set(false);
        self.has_alarm.set(false);
        let storage = self.state.storage();
        storage.delete_alarm().await?;
        storage.delete_all().await
    }
}

fn number(instant: Instant) -> SqlStorageValue {
    SqlStorageValue::try_from_i64(instant.0).unwrap_or(SqlStorageValue::Null)
}
