//! The state of a limiter: its log in memory, stored one second behind its answers.
//!
//! The log in memory decides. The stored log survives a move or hibernation of the object, and no caller waits for a
//! disk. A crash forgets the calls of one second. After the last call has left its window, an alarm deletes the
//! storage.

use crate::clock::PlatformClock;
use overturn_core::base::instant::Instant;
use overturn_service::host::Clock as _;
use overturn_service::request::limit::{Ahead, Held, RateLimit, SlidingLog, Unused, Verdict};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use worker::{Delay, Result, SqlStorageValue, Storage};

/// How long calls may be only in memory. The calls of that time become one write.
const BEHIND: Duration = Duration::from_secs(1);

/// Stores the unwritten calls after the delay.
pub(super) async fn write_down(counters: Rc<Counters>) {
    Delay::from(BEHIND).await;
    if counters.write_down().await.is_err() {
        log::error!("{}", serde_json::json!({ "event": "limit_not_written" }));
    }
}

/// The calls of one principal, in memory and in storage.
pub(super) struct Counters {
    storage: Storage,
    logs: RefCell<HashMap<String, SlidingLog>>,
    unwritten: RefCell<Vec<CountedCall>>,
    has_table: Cell<bool>,
    has_alarm: Cell<bool>,
}

/// An allowed call, and when it leaves its window.
struct CountedCall {
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

impl Counters {
    pub(super) fn new(storage: Storage) -> Self {
        Self {
            storage,
            logs: RefCell::default(),
            unwritten: RefCell::default(),
            has_table: Cell::new(false),
            has_alarm: Cell::new(false),
        }
    }

    /// Checks the log without awaiting anything. Also returns the counted instant, if any, and whether this is the
    /// first unwritten call.
    pub(super) fn ask(&self, group: &str, rule: RateLimit, now: Instant) -> Result<(Verdict, Option<Instant>, bool)> {
        self.with(group, now, |log| {
            let verdict = log.ask(rule, now);
            let at = log.last().filter(|_| verdict.allowed);
            (verdict, at, at.is_some_and(|at| self.note(group, rule, at, 1)))
        })
    }

    /// Counts calls ahead. Also returns whether they are the first unwritten calls.
    pub(super) fn hold(&self, group: &str, rule: RateLimit, ahead: Ahead, now: Instant) -> Result<(Held, bool)> {
        let held = self.with(group, now, |log| log.hold(rule, ahead, now))?;
        self.erase(group, ahead.unused)?;
        Ok((held, self.note(group, rule, held.until, held.calls)))
    }

    /// Removes calls that were counted at an instant, from memory and storage.
    pub(super) fn give_back(&self, group: &str, unused: Unused, now: Instant) -> Result<()> {
        self.with(group, now, |log| log.give_back_unused(unused))?;
        self.erase(group, unused)
    }

    fn with<T>(&self, group: &str, now: Instant, act: impl FnOnce(&mut SlidingLog) -> T) -> Result<T> {
        let mut logs = self.logs.borrow_mut();
        if !logs.contains_key(group) {
            logs.insert(group.into(), self.restore(group, now)?);
        }
        Ok(act(logs.entry(group.into()).or_default()))
    }

    /// Notes calls to write down later. True if they are the first ones.
    fn note(&self, group: &str, rule: RateLimit, at: Instant, calls: u32) -> bool {
        let mut unwritten = self.unwritten.borrow_mut();
        let is_first = unwritten.is_empty() && calls > 0;
        let call = || CountedCall { group: group.into(), at, until: at.plus(rule.window_ms) };
        unwritten.extend((0..calls).map(|_| call()));
        is_first
    }

    /// Removes calls that are noted or stored.
    fn erase(&self, group: &str, unused: Unused) -> Result<()> {
        let Some((at, mut calls)) = unused else { return Ok(()) };
        self.unwritten.borrow_mut().retain(|call| {
            let is_one = calls > 0 && call.group == group && call.at == at;
            calls = calls.saturating_sub(u32::from(is_one));
            !is_one
        });
        if calls == 0 {
            return Ok(());
        }
        self.table()?;
        let delete = "DELETE FROM calls WHERE rowid IN (SELECT rowid FROM calls WHERE bucket = ? AND at = ? LIMIT ?)";
        self.storage.sql().exec(delete, vec![group.into(), number(at), i64::from(calls).into()])?;
        Ok(())
    }

    fn restore(&self, group: &str, now: Instant) -> Result<SlidingLog> {
        self.table()?;
        let rows: Vec<CallRow> = self
            .storage
            .sql()
            .exec("SELECT at FROM calls WHERE bucket = ? ORDER BY at", vec![group.into()])?
            .to_array()?;
        Ok(SlidingLog::restore(rows.into_iter().map(|row| Instant(row.at)), now))
    }

    /// Stores the calls since the last time, and sets an alarm for the end of their windows.
    async fn write_down(&self) -> Result<()> {
        let calls = self.unwritten.take();
        let Some(last) = calls.iter().map(|call| call.until).max() else {
            // The storage was deleted in between.
            return Ok(());
        };
        self.table()?;
        // One statement for all of them: each costs a crossing into SQLite.
        let rows: Vec<_> = calls.iter().map(|call| (&call.group, call.at.0, call.until.0)).collect();
        let insert =
            "INSERT INTO calls (bucket, at, until) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)";
        let rows = serde_json::to_string(&rows)?;
        self.storage.sql().exec(insert, vec![rows.into()])?;
        self.wake_after(last.since(PlatformClock.now())).await
    }

    fn table(&self) -> Result<()> {
        if !self.has_table.replace(true) {
            let create =
                "CREATE TABLE IF NOT EXISTS calls (bucket TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL)";
            self.storage.sql().exec(create, None)?;
        }
        Ok(())
    }

    /// Deletes the calls that have left their windows, and the whole storage after the last one.
    pub(super) async fn tidy(&self, now: Instant) -> Result<()> {
        self.has_alarm.set(false);
        self.table()?;
        let sql = self.storage.sql();
        sql.exec("DELETE FROM calls WHERE until <= ?", vec![number(now)])?;
        let last: Vec<Last> = sql.exec("SELECT max(until) AS until FROM calls", None)?.to_array()?;
        match last.into_iter().find_map(|row| row.until) {
            Some(until) => self.wake_after(Instant(until).since(now)).await,
            // The unwritten calls will set their own alarm.
            None if !self.unwritten.borrow().is_empty() => Ok(()),
            None => self.clear().await,
        }
    }

    /// Sets an alarm for the end of the window, unless there is one.
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
