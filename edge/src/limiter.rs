//! Exact limits: one Durable Object a principal, with a sliding log in its SQLite storage.
//!
//! The object runs one request at a time and asks its log without waiting for anything in between, so of thirty calls
//! that arrive together exactly as many pass as there is room for. The log is kept in memory and written down a second
//! behind the answer, so it survives the object being moved or put to sleep, and no caller waits for a disk. A crash
//! forgives the calls of that second. When the last call has left its window an alarm empties the storage. A principal
//! that turns out not to exist is forgotten at once.

use crate::ambient;
use crate::error::Refusal;
use overturn_core::ctx::Instant;
use overturn_core::limit::{Rule, SlidingLog, Verdict};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use worker::{
    Delay, DurableObject, Env, Headers, ObjectNamespace, Request, Response, Result,
    SqlStorageValue, State, Storage, durable_object, wasm_bindgen,
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
        let answer = self.fetch(principal, &url).await;
        answer
            .and_then(|headers| answer::read(&headers))
            .ok_or(Refusal::Unavailable("limiter"))
    }

    /// Forgets a principal that does not exist.
    pub(crate) async fn forget(&self, principal: &str) -> std::result::Result<(), Refusal> {
        let done = self.fetch(principal, "https://limiter/forget").await;
        done.map(|_| ()).ok_or(Refusal::Unavailable("limiter"))
    }

    async fn fetch(&self, principal: &str, url: &str) -> Option<Headers> {
        let stub = self.0.get_by_name(principal).ok()?;
        let response = stub.fetch_with_str(url).await.ok()?;
        (response.status_code() == 200).then(|| response.headers().clone())
    }
}

/// How a verdict travels: in a header, because a body would come as a stream, which costs more than the limiter.
mod answer {
    use super::{Headers, Response, Result, Verdict};

    const VERDICT: &str = "verdict";

    pub(super) fn write(verdict: &Verdict) -> Result<Response> {
        let headers = Headers::new();
        headers.set(VERDICT, &serde_json::to_string(verdict)?)?;
        Ok(Response::empty()?.with_headers(headers))
    }

    pub(super) fn read(headers: &Headers) -> Option<Verdict> {
        serde_json::from_str(&headers.get(VERDICT).ok()??).ok()
    }
}

/// The Durable Object of one principal.
#[durable_object]
pub struct Limiter {
    state: State,
    book: Rc<Book>,
}

impl DurableObject for Limiter {
    fn new(state: State, _env: Env) -> Self {
        let book = Rc::new(Book::new(state.storage()));
        Self { state, book }
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
                let (verdict, unwritten) = self.book.ask(group, rule, ambient::now())?;
                if unwritten {
                    self.state.wait_until(write_down(Rc::clone(&self.book)));
                }
                answer::write(&verdict)
            }
            (Some("forget"), ..) => {
                self.book.clear().await?;
                Response::empty()
            }
            _ => Response::error("", 404),
        }
    }

    async fn alarm(&self) -> Result<Response> {
        self.book.tidy(ambient::now()).await?;
        Response::empty()
    }
}

/// How long calls may be known to memory only. The calls of that time become one write.
const BEHIND: Duration = Duration::from_secs(1);

async fn write_down(book: Rc<Book>) {
    Delay::from(BEHIND).await;
    if book.write_down().await.is_err() {
        worker::console_error!("{}", serde_json::json!({ "event": "limit_not_written" }));
    }
}

/// The calls of one principal, in memory and in the object's storage.
struct Book {
    storage: Storage,
    logs: RefCell<HashMap<String, SlidingLog>>,
    unwritten: RefCell<Vec<Call>>,
    has_table: Cell<bool>,
    has_alarm: Cell<bool>,
}

/// A call that was let through, and when it leaves its window.
struct Call {
    group: String,
    at: Instant,
    until: Instant,
}

#[derive(Deserialize)]
struct CallRow {
    at: i64,
}

#[derive(Deserialize)]
struct Last {
    until: Option<i64>,
}

impl Book {
    fn new(storage: Storage) -> Self {
        Self {
            storage,
            logs: RefCell::default(),
            unwritten: RefCell::default(),
            has_table: Cell::new(false),
            has_alarm: Cell::new(false),
        }
    }

    /// Asks the log, with nothing awaited in between. Says as well whether this call is the first that waits to be
    /// written down.
    fn ask(&self, group: &str, rule: Rule, now: Instant) -> Result<(Verdict, bool)> {
        let mut logs = self.logs.borrow_mut();
        if !logs.contains_key(group) {
            logs.insert(group.into(), self.restore(group)?);
        }
        let log = logs.entry(group.into()).or_default();
        let verdict = log.ask(rule, now);
        let Some(at) = log.last().filter(|_| verdict.allowed) else {
            return Ok((verdict, false));
        };
        let mut unwritten = self.unwritten.borrow_mut();
        unwritten.push(Call {
            group: group.into(),
            at,
            until: at.plus(rule.window_ms),
        });
        Ok((verdict, unwritten.len() == 1))
    }

    fn restore(&self, group: &str) -> Result<SlidingLog> {
        self.table()?;
        let rows: Vec<CallRow> = self
            .storage
            .sql()
            .exec(
                "SELECT at FROM calls WHERE bucket = ? ORDER BY at",
                vec![group.into()],
            )?
            .to_array()?;
        Ok(SlidingLog::restore(
            rows.into_iter().map(|row| Instant(row.at)),
        ))
    }

    /// Writes the calls since the last time, and has the storage looked at again when their windows are over.
    async fn write_down(&self) -> Result<()> {
        let calls = self.unwritten.take();
        let Some(last) = calls.iter().map(|call| call.until).max() else {
            // Forgotten meanwhile.
            return Ok(());
        };
        self.table()?;
        for call in calls {
            let values = vec![call.group.into(), number(call.at), number(call.until)];
            self.storage.sql().exec(
                "INSERT INTO calls (bucket, at, until) VALUES (?, ?, ?)",
                values,
            )?;
        }
        self.wake_after(last.since(ambient::now())).await
    }

    fn table(&self) -> Result<()> {
        if !self.has_table.replace(true) {
            let create = "CREATE TABLE IF NOT EXISTS calls (bucket TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL)";
            self.storage.sql().exec(create, None)?;
        }
        Ok(())
    }

    /// Drops the calls that have left their windows, and everything with the last of them.
    async fn tidy(&self, now: Instant) -> Result<()> {
        self.has_alarm.set(false);
        self.table()?;
        let sql = self.storage.sql();
        sql.exec("DELETE FROM calls WHERE until <= ?", vec![number(now)])?;
        let last: Vec<Last> = sql
            .exec("SELECT max(until) AS until FROM calls", None)?
            .to_array()?;
        match last.into_iter().find_map(|row| row.until) {
            Some(until) => self.wake_after(Instant(until).since(now)).await,
            // What is about to be written arranges for its own end.
            None if !self.unwritten.borrow().is_empty() => Ok(()),
            None => self.clear().await,
        }
    }

    /// Has the storage looked at again when the window is over, unless that is already arranged.
    async fn wake_after(&self, ms: i64) -> Result<()> {
        if !self.has_alarm.replace(true) {
            let after = u64::try_from(ms).unwrap_or(0).saturating_add(1_000);
            self.storage.set_alarm(Duration::from_millis(after)).await?;
        }
        Ok(())
    }

    async fn clear(&self) -> Result<()> {
        self.logs.borrow_mut().clear();
        self.unwritten.borrow_mut().clear();
        self.has_table.set(false);
        self.has_alarm.set(false);
        self.storage.delete_alarm().await?;
        self.storage.delete_all().await
    }
}

fn number(instant: Instant) -> SqlStorageValue {
    SqlStorageValue::try_from_i64(instant.0).unwrap_or(SqlStorageValue::Null)
}
