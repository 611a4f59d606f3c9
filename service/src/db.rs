//! Access to the database: one batch, one round trip, one transaction. It runs the statements of the store.

use crate::app::App;
use crate::host::{EntropyError, Host, Size};
use crate::store::error::{DatabaseError, FENCED, persist};
use crate::store::own_cell;
use crate::store::{Done, Queries, Statement};
use crate::trace::Trace;
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use serde_json::json;
use std::borrow::Cow;
use std::rc::Rc;
use std::time::Duration;

/// After this long a batch is given up. It may or may not have been committed.
const TIME_OUT: Duration = Duration::from_secs(8);

/// How long work waits while its practice moves to another cell, in milliseconds, and how long before it is tried again.
const MOVE_MS: i64 = 2_000;
const MOVE_PAUSE: Duration = Duration::from_millis(40);

/// How long work waits while its practice moves.
#[derive(Default)]
pub(crate) struct Patience {
    until: Option<Instant>,
    is_over: bool,
}

impl Patience {
    /// Waits for a moment. False if it is over.
    pub(crate) async fn lasts(&mut self, host: &Host) -> bool {
        let now = host.now();
        self.is_over = now > *self.until.get_or_insert(now.plus(MOVE_MS));
        if !self.is_over {
            host.sleep(MOVE_PAUSE).await;
        }
        !self.is_over
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.is_over
    }
}

/// A cell, with the trace of the request that uses it.
pub(crate) struct Db {
    app: Rc<App>,
    cell: Cell,
    trace: Rc<Trace>,
}

impl Db {
    pub(crate) fn new(app: Rc<App>, cell: Cell, trace: Rc<Trace>) -> Self {
        Self { app, cell, trace }
    }

    /// The same in another cell.
    pub(crate) fn in_cell(&self, cell: Cell) -> Self {
        Self::new(Rc::clone(&self.app), cell, Rc::clone(&self.trace))
    }

    /// The context of work outside of requests: its records live in this cell.
    pub(crate) fn ctx(&self) -> Result<Ctx, EntropyError> {
        Ok(self.app.host.ctx()?.in_cell(self.cell))
    }

    /// Runs a batch that may run twice, and returns the result of each statement.
    pub(crate) async fn batch(&self, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        let host = &self.app.host;
        let pause = async |attempt: u32| {
            let longest = 50_u64.saturating_mul(2_u64.saturating_pow(attempt));
            host.sleep(Duration::from_millis(host.below(longest))).await;
        };
        let (mut patience, mut is_lifted) = (Patience::default(), false);
        loop {
            match persist(async || self.once(statements).await, pause).await {
                Err(DatabaseError::Transient(FENCED)) if patience.lasts(host).await => {}
                Err(DatabaseError::Transient(FENCED)) if !std::mem::replace(&mut is_lifted, true) => {
                    self.once(&[own_cell::lifted()]).await?;
                }
                done => return done,
            }
        }
    }

    /// Reads queries in one batch.
    pub(crate) async fn read<Q: Queries>(&self, queries: &Q) -> Result<Q::Rows, DatabaseError> {
        let done = self.batch(&statements(queries)).await?;
        Ok(queries.rows(&mut done.iter())?)
    }

    async fn once(&self, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        let host = &self.app.host;
        let own_cells = &self.app.memory.own_cells;
        let is_own = !host.cells.are_several() || own_cells.borrow().contains(&self.cell);
        let sent = match is_own {
            true => Cow::Borrowed(statements),
            false => own_cell::claim(self.cell).into_iter().chain(statements.iter().cloned()).collect(),
        };
        self.trace.round_trip();
        let ran = host.within(TIME_OUT, host.cells.database(self.cell).batch(&sent)).await;
        let ran = ran.ok_or(DatabaseError::Transient("time_out"))?.inspect_err(|fault| self.say_if_swapped(*fault))?;
        self.trace.rows(ran.rows_read, ran.rows_written);
        if is_own {
            return Ok(ran.done);
        }
        own_cells.borrow_mut().insert(self.cell);
        Ok(own_cell::behind(self.cell, ran.done))
    }

    fn say_if_swapped(&self, fault: DatabaseError) {
        if fault == DatabaseError::OtherCell {
            let problem = "is the database of another cell";
            log::error!(
                "{}",
                json!({ "event": "misconfigured", "name": own_cell::binding(self.cell), "problem": problem })
            );
        }
    }

    /// How many bytes the database had in the last batch of this instance, if the host says so, and how many it can have.
    pub(crate) fn size(&self) -> Option<Size> {
        self.app.host.cells.database(self.cell).size()
    }

    /// Logs that a job failed, and in which cell, unless what it was about is in another one.
    pub(crate) fn failed(&self, event: &str, fault: DatabaseError) {
        if fault.has_left() {
            return;
        }
        let mut said = json!({ "event": event, "reason": fault.to_string() });
        if let (true, Some(said)) = (self.app.host.cells.are_several(), said.as_object_mut()) {
            said.insert("cell".into(), self.cell.0.into());
        }
        log::error!("{said}");
    }
}

pub(crate) fn statements(queries: &impl Queries) -> Vec<Statement> {
    let mut statements = Vec::new();
    queries.add_to(&mut statements);
    statements
}
