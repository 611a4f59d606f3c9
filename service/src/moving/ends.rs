//! The end of a move: the practice goes from the old cell to the new one, or its copy is undone; and the old rows are deleted.

use super::cell;
use super::course::{Course, Places};
use super::tables::Table;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::cell::Cell;

/// What many tables refer to by columns without an index: to delete a row, SQLite would read those of all practices.
const STAY: [&str; 2] = ["practices", "users"];
/// How many rows of a table are deleted at once.
const EMPTIED: usize = 500;

impl<P: Places> Course<'_, P> {
    /// The practices and sandboxes of the move that have a state in a cell.
    async fn that_are(&self, cell: Cell, state: &str) -> Result<Vec<String>, DatabaseError> {
        let known = self.known(cell).await?;
        Ok(known.into_iter().filter(|(_, is, _)| is == state).map(|(id, ..)| id).collect())
    }

    /// The old cell lets the practice go, and then the new one opens. In between, calls are led to the new one, and wait there. So
    /// the practice is never to be seen in both. Unless the switch `is_fresh`, writes in the old cell may have passed since, and
    /// somebody may have joined: they wait once more. False if it comes later.
    pub(super) async fn hand_over(&mut self, is_fresh: bool) -> Result<bool, DatabaseError> {
        let (source, target) = (self.mv.source, self.mv.target);
        if self.that_are(source, "left").await?.is_empty() {
            let (known, pending) =
                self.read(source, &(cell::known(self.mv.practice), cell::pending(self.mv.practice))).await?;
            if !is_fresh || pending || known.iter().any(|(_, is, _)| is != "fenced") {
                self.expect_sandbox().await?;
                let Some(names) = self.fence().await? else { return Ok(false) };
                if !self.house(&self.places.ctx()?, &names, Vec::new()).await? {
                    return Ok(false);
                }
            }
            self.run(target, &self.hand().expect(&self.tables, &self.ids, target)).await?;
            self.run(source, &self.hand().leave(&self.tables, &self.ids, target)).await?;
        }
        let ids = self.that_are(target, "arriving").await?;
        if !ids.is_empty() {
            self.run(target, &self.hand().open(&self.tables, &ids, self.places.now())).await?;
        }
        self.rest(target).await?;
        Ok(true)
    }

    /// Lets writes pass again, and deletes the copy.
    pub(super) async fn undo(&mut self) -> Result<(), DatabaseError> {
        let hand = self.hand();
        if self.known(self.mv.source).await?.iter().any(|(_, is, _)| is != "here") {
            self.run(self.mv.source, &hand.notes("leaving fenced", hand.here())).await?;
        }
        self.rest(self.mv.source).await?;
        self.empty(self.mv.target, "arriving").await
    }

    /// Deletes the rows in a cell where the practice does not live.
    pub(super) async fn empty(&mut self, cell: Cell, state: &str) -> Result<(), DatabaseError> {
        let ids = self.that_are(cell, state).await?;
        if !ids.is_empty() {
            let (stay, go): (Vec<&Table>, Vec<&Table>) =
                self.tables.iter().partition(|table| STAY.contains(&&*table.name));
            for table in go.into_iter().rev() {
                for of in &ids {
                    loop {
                        let batch = self.hand().batch(state, &[table], vec![table.empty(of, EMPTIED)]);
                        let deletes = table.triggers.len().saturating_add(2);
                        // If it ran before, the next one shows whether something is left.
                        if let Some(done) = self.run(cell, &batch).await?
                            && done.get(deletes).is_none_or(|done| done.changes < EMPTIED)
                        {
                            break;
                        }
                    }
                }
            }
            self.run(cell, &self.hand().blank(state, &stay)).await?;
        }
        self.rest(cell).await
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
