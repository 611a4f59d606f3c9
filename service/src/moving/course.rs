//! The course of a move, from step to step. Every step can be broken off and begun again.

use super::cell::{self, Hand};
use super::record::{self, Move, Step};
use super::tables::{self, Table};
use crate::plan::audit::{Entry, Event};
use crate::plan::{Guard, Write};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::{Done, Queries, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;

/// How long writes may wait. If the last changes take longer, they go on, and the next fence comes later.
const FENCE_MS: i64 = 1_500;
/// How few changes may be left when writes begin to wait.
const FEW: usize = 100;
/// How many rounds of changes are followed until then.
const ROUNDS: usize = 10;
/// How often a row may come before what it refers to.
const EARLY: usize = 5;
/// What many tables refer to by columns without an index: to delete a row, SQLite would read those of all practices.
const STAY: [&str; 2] = ["practices", "users"];
/// How many rows of a table are deleted at once.
const EMPTIED: usize = 500;

/// The databases of a move.
pub(super) trait Places {
    fn now(&self) -> Instant;
    fn ctx(&self) -> Result<Ctx, DatabaseError>;
    async fn batch(&self, cell: Cell, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError>;
    /// Commits a change in the directory.
    async fn commit(&self, ctx: &Ctx, change: (Vec<Guard>, Vec<Write>)) -> Result<Vec<Done>, DatabaseError>;
}

/// A move that is carried on.
pub(super) struct Course<'p, P> {
    pub(super) places: &'p P,
    pub(super) mv: Move,
    pub(super) tables: Vec<Table>,
    /// The practice, and its sandbox behind it.
    pub(super) ids: Vec<String>,
    until: Instant,
}

/// Carries a move on until it is done or the time is over. Somebody else may do so already.
pub(super) async fn carry_on<P: Places>(places: &P, mv: Move, until: Instant) -> Result<(), DatabaseError> {
    let ctx = places.ctx()?;
    let done = places.commit(&ctx, (Vec::new(), vec![record::take(mv.id, mv.epoch, places.now())])).await?;
    if done.first().is_none_or(|done| done.changes == 0) {
        return Ok(());
    }
    let taken = read(places, Cell::FIRST, &record::one(mv.id)).await?;
    let Some(mv) = taken else { return Ok(()) };
    let tables = tables::ordered(read(places, mv.target, &tables::stored()).await?);
    let mut course = Course { places, mv, tables, ids: Vec::new(), until };
    let went = course.go().await;
    course.commit(Vec::new(), vec![course.mv.release()]).await?;
    match went {
        // It was canceled, or somebody else carries it on.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => Ok(()),
        went => went,
    }
}

pub(super) async fn read<P: Places, Q: Queries>(places: &P, cell: Cell, queries: &Q) -> Result<Q::Rows, DatabaseError> {
    let mut statements = Vec::new();
    queries.add_to(&mut statements);
    let done = places.batch(cell, &statements).await?;
    Ok(queries.rows(&mut done.iter())?)
}

impl<P: Places> Course<'_, P> {
    pub(super) fn hand(&self) -> Hand {
        Hand { practice: self.mv.practice, epoch: self.mv.epoch }
    }

    pub(super) async fn read<Q: Queries>(&self, cell: Cell, queries: &Q) -> Result<Q::Rows, DatabaseError> {
        read(self.places, cell, queries).await
    }

    pub(super) fn is_late(&self) -> bool {
        self.places.now() > self.until
    }

    async fn commit(&self, guards: Vec<Guard>, writes: Vec<Write>) -> Result<(), DatabaseError> {
        let ctx = self.places.ctx()?;
        self.places.commit(&ctx, (guards, writes)).await.map(drop)
    }

    /// Notes the place, if the move still goes the same way.
    pub(super) async fn keep(&self) -> Result<(), DatabaseError> {
        self.commit(vec![self.mv.held()], vec![self.mv.keep(self.places.now())]).await
    }

    pub(super) async fn goes_to(&mut self, step: Step) -> Result<(), DatabaseError> {
        self.commit(vec![self.mv.held()], vec![self.mv.keep(self.places.now()), self.mv.goes_to(step)]).await?;
        self.mv.step = step;
        Ok(())
    }

    async fn go(&mut self) -> Result<(), DatabaseError> {
        match self.mv.step {
            Step::Copy | Step::Check | Step::Follow => self.prepare().await?,
            Step::Switched | Step::Back | Step::Done | Step::Cancelled => self.take_cells().await?,
        }
        // Between the switch and its end, nobody may write. So that is done, however late it is.
        while !self.is_late() || matches!(self.mv.step, Step::Switched | Step::Back) {
            match self.mv.step {
                step @ (Step::Copy | Step::Check) => {
                    if !self.in_order().await? {
                        return Ok(());
                    }
                    self.goes_to(if step == Step::Copy { Step::Check } else { Step::Follow }).await?;
                }
                Step::Follow => {
                    if !self.switch().await? {
                        return Ok(());
                    }
                }
                Step::Switched => {
                    self.hand_over().await?;
                    self.commit(Vec::new(), vec![self.mv.end(Step::Done, self.places.now())]).await?;
                    return Ok(());
                }
                Step::Back => {
                    self.undo().await?;
                    self.commit(Vec::new(), vec![self.mv.end(Step::Cancelled, self.places.now())]).await?;
                    return Ok(());
                }
                Step::Done => {
                    if self.empty(self.mv.source, "left").await? {
                        self.commit(Vec::new(), vec![self.mv.emptied(self.places.now())]).await?;
                    }
                    return Ok(());
                }
                Step::Cancelled => return Ok(()),
            }
        }
        Ok(())
    }

    /// [`pass`](Self::pass). A row that came before what it refers to waits for it.
    async fn in_order(&mut self) -> Result<bool, DatabaseError> {
        for _ in 0..EARLY {
            match self.pass().await {
                // There may always be some that are newer.
                Err(DatabaseError::Broken("foreign_key")) => while self.follow().await? == cell::CHANGES {},
                went => return went,
            }
        }
        Ok(false)
    }

    /// Follows the changes until few are left, has writes wait, copies the rest, and switches. False if it took too long.
    async fn switch(&mut self) -> Result<bool, DatabaseError> {
        // With many callers there are always some, so at last it is tried.
        for _ in 0..ROUNDS {
            if self.is_late() {
                return Ok(false);
            }
            if self.follow().await? < FEW {
                break;
            }
        }
        let fenced_at = self.places.now();
        self.mv.fences = self.mv.fences.saturating_add(1);
        let hand = self.hand();
        self.places.batch(self.mv.source, &[hand.guard("leaving"), hand.state("fenced")]).await?;
        let agreed = self.behind_the_fence().await;
        if let Ok(Some(people)) = &agreed
            && self.places.now().since(fenced_at) <= FENCE_MS
        {
            let ctx = self.places.ctx()?;
            let entry = Entry::new(&ctx, 0, None, Event::PracticeMoved, self.mv.practice);
            let cells = serde_json::json!({ "from": self.mv.source, "to": self.mv.target });
            let mut writes = vec![Write::Audit(entry.detail(cells))];
            writes.extend(self.mv.switch(people, self.places.now()));
            self.places.commit(&ctx, (vec![self.mv.held()], writes)).await?;
            self.mv.step = Step::Switched;
            return Ok(true);
        }
        self.places.batch(self.mv.source, &[hand.guard("fenced"), hand.state("leaving")]).await?;
        if agreed?.is_none() {
            self.goes_to(Step::Check).await?;
        }
        Ok(false)
    }

    /// Copies the rest while writes wait. The active people of the practice, if both cells then have the same.
    async fn behind_the_fence(&mut self) -> Result<Option<Vec<(String, String)>>, DatabaseError> {
        while self.follow().await? > 0 {}
        self.beside().await?;
        if !self.ends_agree().await? {
            return Ok(None);
        }
        self.read(self.mv.source, &cell::people(self.mv.practice)).await.map(Some)
    }

    /// Carries on in both cells what another began.
    async fn take_cells(&mut self) -> Result<(), DatabaseError> {
        for cell in [self.mv.source, self.mv.target] {
            self.places.batch(cell, &[self.hand().taken()]).await?;
        }
        Ok(())
    }

    /// The new cell opens, and the old one lets the practice go. In between the old one is fenced, so only the new one is written
    /// to. Who is led to it finds it open.
    async fn hand_over(&mut self) -> Result<(), DatabaseError> {
        let hand = self.hand();
        for (cell, state) in [(self.mv.target, "arriving"), (self.mv.source, "fenced")] {
            let known = self.read(cell, &cell::known(self.mv.practice)).await?;
            if cell == self.mv.source && known.iter().any(|(_, is, _)| is == "leaving") {
                // Writes that nobody copied may have passed.
                return Err(DatabaseError::Broken("not_fenced"));
            }
            let ids: Vec<String> = known.into_iter().filter(|(_, is, _)| is == state).map(|(id, ..)| id).collect();
            if ids.is_empty() {
                continue;
            }
            let batch = match state {
                "arriving" => hand.open(&self.tables, &ids),
                _ => hand.leave(&self.tables, &ids, self.mv.target.0),
            };
            self.places.batch(cell, &batch).await?;
        }
        self.rest(self.mv.target).await
    }

    /// Lets writes pass again, and deletes the copy.
    async fn undo(&mut self) -> Result<(), DatabaseError> {
        self.places.batch(self.mv.source, &self.hand().forget()).await?;
        self.rest(self.mv.source).await?;
        while !self.empty(self.mv.target, "arriving").await? {}
        Ok(())
    }

    /// Deletes the rows in a cell where the practice does not live. True at the end.
    async fn empty(&mut self, cell: Cell, state: &str) -> Result<bool, DatabaseError> {
        let hand = self.hand();
        let known = self.read(cell, &cell::known(self.mv.practice)).await?;
        let ids: Vec<String> = known.iter().filter(|(_, is, ..)| is == state).map(|(id, ..)| id.clone()).collect();
        if !ids.is_empty() {
            let (stay, go): (Vec<&Table>, Vec<&Table>) =
                self.tables.iter().partition(|table| STAY.contains(&&*table.name));
            for table in go.into_iter().rev() {
                for of in &ids {
                    loop {
                        let batch = hand.batch(state, &[table], vec![table.empty(of, EMPTIED)]);
                        let done = self.places.batch(cell, &batch).await?;
                        let deletes = table.triggers.len().saturating_add(2);
                        if done.get(deletes).is_none_or(|done| done.changes < EMPTIED) {
                            break;
                        }
                    }
                }
            }
            self.places.batch(cell, &hand.blank(state, &stay)).await?;
        }
        self.rest(cell).await?;
        Ok(true)
    }

    /// Removes the triggers if nothing else moves there.
    async fn rest(&self, cell: Cell) -> Result<(), DatabaseError> {
        if self.read(cell, &cell::some()).await? > 0 {
            return Ok(());
        }
        match self.places.batch(cell, &cell::at_rest(&self.tables)).await {
            Err(DatabaseError::Conflict(FailedGuard::Record)) => Ok(()),
            done => done.map(drop),
        }
    }
}
