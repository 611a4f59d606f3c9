//! A practice moves to another cell while it works.
//!
//! 1. Its rows are copied page by page, and compared once more. Triggers note what changes meanwhile ([`watch`]).
//! 2. The chains of the trails are verified, and the changed rows are copied until few are left. Then writes wait, the rest is
//!    copied and verified, and the ends are compared.
//! 3. One commit of the directory decides. Until then the move can be canceled; from then on it only goes on.
//! 4. The old cell lets it go and leads calls to the new one, where they wait until that opens.
//! 5. After a day the rows in the old cell are deleted.
//!
//! The job of each minute carries a move on. Who takes it gets a number that is higher than those before, and so does each of its
//! batches, which checks both: whoever was slow changes nothing any more, and neither does a batch that runs late.

mod cell;
mod copy;
mod course;
mod ends;
mod hand;
pub(crate) mod operation;
pub(crate) mod record;
mod rows;
mod tables;
#[cfg(test)]
mod tests;
mod trails;
mod watch;

use crate::app::App;
use crate::db::Db;
use crate::error::AppError;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::{Actor, Guard, Write};
use crate::store::error::DatabaseError;
use crate::store::{Done, Statement};
use course::Places;
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::rc::Rc;

/// How long the rows stay in the old cell, in milliseconds.
const KEPT_MS: i64 = 24 * 3_600_000;
/// How long a run carries moves on, in milliseconds.
const LONGEST_MS: i64 = 25_000;
/// How long a call does so for others, in milliseconds, and how often.
const FINISH_MS: i64 = 3_000;
const FINISHES: usize = 3;

/// The databases of the service.
struct Live {
    cells: Vec<Db>,
    app: Rc<App>,
}

impl Live {
    fn new(app: &Rc<App>) -> Self {
        let cells = app.host.cells.all().map(|cell| Jobs::new(Rc::clone(app), cell).db).collect();
        Self { cells, app: Rc::clone(app) }
    }

    fn db(&self, cell: Cell) -> Result<&Db, DatabaseError> {
        self.cells.get(usize::from(cell.0)).ok_or(DatabaseError::Broken("no such cell"))
    }
}

impl Places for Live {
    fn now(&self) -> Instant {
        self.app.host.now()
    }

    fn ctx(&self) -> Result<Ctx, DatabaseError> {
        Ok(self.app.host.ctx()?)
    }

    async fn batch(&self, cell: Cell, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        self.db(cell)?.batch(statements).await
    }

    async fn commit(&self, ctx: &Ctx, (guards, writes): (Vec<Guard>, Vec<Write>)) -> Result<Vec<Done>, DatabaseError> {
        let plan = pipeline::plan(ctx, Actor::Operator, guards, writes);
        pipeline::run(self.db(Cell::FIRST)?, &self.app, &plan).await
    }
}

/// Carries the open moves on, and deletes what has left long enough ago.
pub(crate) async fn sweep(app: &Rc<App>) {
    if let Err(fault) = carry_on(app).await {
        log::error!("{}", serde_json::json!({ "event": "move_not_carried_on", "reason": fault.to_string() }));
    }
}

/// Ends the switches that somebody broke off, for a call that has waited as long as calls wait.
#[derive(Default)]
pub(crate) struct Finish(usize);

impl Finish {
    /// # Errors
    ///
    /// [`AppError::STILL_MOVING`] if the call did so often enough.
    pub(crate) async fn of(&mut self, app: &Rc<App>) -> Result<(), AppError> {
        self.0 = self.0.saturating_add(1);
        if self.0 > FINISHES {
            return Err(AppError::STILL_MOVING);
        }
        finish(app).await;
        Ok(())
    }
}

async fn finish(app: &Rc<App>) {
    let (live, now) = (Live::new(app), app.host.now());
    let broken_off = course::read(&live, Cell::FIRST, &record::switched(now)).await;
    for mv in broken_off.unwrap_or_default() {
        // The job of each minute says why one cannot.
        let _ended = course::carry_on(&live, mv, now.plus(FINISH_MS)).await;
    }
}

async fn carry_on(app: &Rc<App>) -> Result<(), DatabaseError> {
    if !app.host.cells.are_several() {
        return Ok(());
    }
    let (live, now) = (Live::new(app), app.host.now());
    let mut failed = Ok(());
    for mv in course::read(&live, Cell::FIRST, &record::open(now.plus(-KEPT_MS))).await? {
        if live.db(mv.target).is_err() {
            log::error!("{}", serde_json::json!({ "event": "move_to_no_cell" }));
            live.commit(&live.ctx()?, (Vec::new(), vec![mv.end(record::Step::Cancelled, now)])).await?;
            continue;
        }
        // One that cannot go on keeps no other from it.
        if let Err(fault) = course::carry_on(&live, mv, now.plus(LONGEST_MS)).await {
            failed = Err(fault);
        }
    }
    failed
}
