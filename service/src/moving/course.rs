//! The course of a move, from step to step. Every step can be broken off and begun again.

use super::cell;
use super::hand::Hand;
use super::record::{self, Move, Step};
use super::tables::{self, Table};
use crate::plan::audit::{Entry, Event};
use crate::plan::{Guard, Write};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::{Done, Queries, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::cell::Cell as Counter;
use std::rc::Rc;

/// How long writes may wait. If the last changes take longer, they go on, and the next fence comes later. Who waits for longer than
/// [`Patience`](crate::db::Patience) lets writes pass as well.
const FENCE_MS: i64 = 1_500;
/// How few changes may be left when writes begin to wait.
const FEW: usize = 100;
/// How many rounds of changes are followed until then.
const ROUNDS: usize = 10;
/// How often a row may come before what it refers to.
const EARLY: usize = 5;
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
    pub(super) tables: Rc<[Table]>,
    /// The practice, and its sandbox behind it.
    pub(super) ids: Vec<String>,
    /// The table that a pass is at. Behind all of them while there is no pass.
    pub(super) reached: usize,
    /// How many batches of this taker had a number.
    number: Counter<i64>,
    until: Instant,
}

/// The names of a practice and its people.
type Names = Vec<(String, String, String)>;

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
    let (tables, number) = (tables.into(), Counter::default());
    let mut course = Course { places, mv, tables, ids: Vec::new(), reached: usize::MAX, number, until };
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
    /// For the next batch.
    pub(super) fn hand(&self) -> Hand {
        self.number.set(self.number.get().saturating_add(1));
        Hand { practice: self.mv.practice, epoch: self.mv.epoch, number: self.number.get() }
    }

    /// Runs a batch with a number. `None` if it ran before, and its answer was lost.
    pub(super) async fn run(&self, cell: Cell, batch: &[Statement]) -> Result<Option<Vec<Done>>, DatabaseError> {
        match self.places.batch(cell, batch).await {
            Err(DatabaseError::Conflict(FailedGuard::Done)) => Ok(None),
            done => done.map(Some),
        }
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
            Step::Switched | Step::Back => self.take_cells(&[self.mv.source, self.mv.target]).await?,
            // The practice may be on its way from the other one.
            Step::Done | Step::Cancelled => self.take_cells(&[self.mv.source]).await?,
        }
        let mut is_fresh = false;
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
                    let Some(names) = self.fence().await? else { return Ok(()) };
                    is_fresh = self.switch(&names).await?;
                    if !is_fresh {
                        return Ok(());
                    }
                }
                Step::Switched => {
                    if !self.hand_over(is_fresh).await? {
                        return Ok(());
                    }
                    let now = self.places.now();
                    let writes = vec![self.mv.end(Step::Done, now), self.mv.returned(now)];
                    return self.commit(vec![self.mv.held()], writes).await;
                }
                Step::Back => {
                    self.undo().await?;
                    return self.commit(Vec::new(), vec![self.mv.end(Step::Cancelled, self.places.now())]).await;
                }
                Step::Done => {
                    self.empty(self.mv.source, "left").await?;
                    return self.commit(Vec::new(), vec![self.mv.emptied(self.places.now())]).await;
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
                Err(DatabaseError::Broken("foreign_key")) => {
                    while self.follow().await? == cell::CHANGES {}
                    self.delete_strays().await?;
                }
                went => return went,
            }
        }
        Ok(false)
    }

    /// Follows the changes until few are left, has writes wait, and copies the rest. The names of the practice then. `None` if it
    /// took too long, or the cells differ: writes go on.
    pub(super) async fn fence(&mut self) -> Result<Option<Names>, DatabaseError> {
        if self.mv.step == Step::Follow && !self.pass_trails().await? {
            return Ok(None);
        }
        // With many callers there are always some, so at last it is tried.
        for _ in 0..ROUNDS {
            if self.is_late() {
                return Ok(None);
            }
            if self.follow().await? < FEW {
                break;
            }
        }
        let fenced_at = self.places.now();
        self.mv.fences = self.mv.fences.saturating_add(1);
        let hand = self.hand();
        self.run(self.mv.source, &hand.notes("leaving fenced", [hand.state("fenced")])).await?;
        let agreed = self.behind_the_fence().await;
        if let Ok(Some(_)) = &agreed
            && self.places.now().since(fenced_at) <= FENCE_MS
        {
            return agreed;
        }
        self.lift().await?;
        if agreed?.is_none() {
            if self.mv.step == Step::Follow {
                self.goes_to(Step::Check).await?;
            } else if self.in_order().await? {
                // Whoever carries on begins at the first table again.
                self.keep().await?;
            }
        }
        Ok(None)
    }

    /// Lets writes pass again.
    async fn lift(&self) -> Result<(), DatabaseError> {
        let hand = self.hand();
        self.run(self.mv.source, &hand.notes("leaving fenced", [hand.state("leaving")])).await.map(drop)
    }

    /// The one decision, in the directory. False if it comes later, because somebody else is about to take a name.
    async fn switch(&mut self, names: &Names) -> Result<bool, DatabaseError> {
        let ctx = self.places.ctx()?;
        let entry = Entry::new(&ctx, 0, None, Event::PracticeMoved, self.mv.practice);
        let cells = serde_json::json!({ "from": self.mv.source, "to": self.mv.target });
        let writes = vec![Write::Audit(entry.detail(cells)), self.mv.switch(self.places.now())];
        let is_decided = self.house(&ctx, names, writes).await?;
        if is_decided {
            self.mv.step = Step::Switched;
        }
        Ok(is_decided)
    }

    /// Leads the names to the new cell. False if somebody else is about to take one of them: the index of the old cell refuses
    /// that only as long as its holder is there. Writes pass again.
    pub(super) async fn house(&self, ctx: &Ctx, names: &Names, mut writes: Vec<Write>) -> Result<bool, DatabaseError> {
        writes.extend(self.mv.housed(names));
        let guards = vec![self.mv.held(), self.mv.undisputed(names, self.places.now())];
        match self.places.commit(ctx, (guards, writes)).await {
            Err(DatabaseError::Conflict(FailedGuard::Request)) => self.lift().await.map(|()| false),
            done => done.map(|_| true),
        }
    }

    /// Copies the rest while writes wait. The names of the practice, if both cells then have the same.
    async fn behind_the_fence(&mut self) -> Result<Option<Names>, DatabaseError> {
        while self.follow().await? > 0 {}
        self.beside().await?;
        if !self.ends_agree().await? {
            return Ok(None);
        }
        if self.mv.step == Step::Follow {
            self.end_trails().await?;
        }
        self.read(self.mv.source, &cell::held(self.mv.practice)).await.map(Some)
    }

    /// Carries on in these cells what another began.
    async fn take_cells(&mut self, cells: &[Cell]) -> Result<(), DatabaseError> {
        for cell in cells {
            let hand = self.hand();
            let [epoch, row] = hand.taken(if *cell == self.mv.source { "here" } else { "gone" });
            self.places.batch(*cell, &[hand.first(), epoch, row]).await?;
        }
        self.ids = self.known(self.mv.source).await?.into_iter().map(|(id, ..)| id).collect();
        Ok(())
    }

    pub(super) async fn known(&self, cell: Cell) -> Result<Vec<(String, String, i64)>, DatabaseError> {
        self.read(cell, &cell::known(self.mv.practice)).await
    }
}
