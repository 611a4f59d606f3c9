//! What a world without faults was asked from outside, and what it answered. One call goes on at a time, so that another host
//! can be asked the same in the same order.

use crate::network::{Reply, Request};
use overturn_core::base::instant::Instant;
use overturn_service::auth::totp::TotpSecret;
use rusqlite::Connection;
use std::cell::RefCell;
use tokio::sync::{Mutex, MutexGuard};

/// Something done from outside.
pub(crate) enum Act {
    Call(Box<Call>),
    /// The jobs of a minute ran.
    Sweep,
}

/// A client's call.
pub(crate) struct Call {
    pub(crate) request: Request,
    pub(crate) reply: Reply,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
}

/// All that was done from outside.
pub(crate) struct Recording {
    /// Statements that make the rows with which the world began.
    pub(crate) rows: Vec<String>,
    pub(crate) acts: Vec<Act>,
    /// The authenticator app of each practice's guest.
    pub(crate) guests: Vec<TotpSecret>,
}

/// The record of a world that goes on.
pub(crate) struct Record {
    rows: Vec<String>,
    turn: Mutex<()>,
    acts: RefCell<Vec<Act>>,
}

impl Record {
    /// A record that begins with the rows of a database.
    pub(crate) fn of(db: &Connection) -> Self {
        Self { rows: rows(db).expect("the rows of the set-up"), turn: Mutex::default(), acts: RefCell::default() }
    }

    /// Waits until nobody else acts. Others wait until this is dropped.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    pub(crate) fn add(&self, act: Act) {
        self.acts.borrow_mut().push(act);
    }

    /// What was recorded so far.
    pub(crate) fn taken(&self, guests: Vec<TotpSecret>) -> Recording {
        Recording { rows: self.rows.clone(), acts: self.acts.take(), guests }
    }
}

/// Statements that insert all rows of a database.
fn rows(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let texts = |sql: &str| -> rusqlite::Result<Vec<String>> {
        let mut found = db.prepare(sql)?;
        found.query_map([], |row| row.get(0))?.collect()
    };
    let mut inserts = Vec::new();
    for table in
        texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")?
    {
        let columns = texts(&format!("SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')"))?;
        let values = columns.join(" || ', ' || ");
        inserts.extend(texts(&format!("SELECT 'INSERT INTO {table} VALUES (' || {values} || ')' FROM {table}"))?);
    }
    Ok(inserts)
}
