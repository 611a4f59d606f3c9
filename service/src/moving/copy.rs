//! Copies rows, compares them, and follows those that change.

use super::course::{Course, Places};
use super::record::Step;
use super::rows::{Range, Row, Side};
use super::tables::{self, Table};
use super::{cell, watch};
use crate::store::error::DatabaseError;
use crate::store::{Queries, Query, Statement};
use overturn_core::base::cell::Cell;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The rows of a page.
const PAGE: usize = 200;
/// The most text that a statement gets, in bytes. D1 takes two million.
const BYTES: usize = 600_000;
/// How many tables are copied together that have fewer rows than [`SMALL`]: most practices move in a few batches.
const TOGETHER: usize = 16;
const SMALL: usize = 50;
/// How many rows at the end of a table are compared.
const END: usize = 50;
/// How many batches may be copied until the place is noted. What is copied again is compared, and stays.
const STEPS: usize = 4;

const TOO_LARGE: DatabaseError = DatabaseError::Broken("too_large");

/// Half as many rows, if one was still too large.
fn fewer(most: usize) -> Result<usize, DatabaseError> {
    if most > 1 { Ok(most.div_euclid(2)) } else { Err(TOO_LARGE) }
}

/// The difference between what is in the old cell and what is in the new one.
struct Difference<'t> {
    table: &'t Table,
    gone: Vec<Value>,
    new: Vec<Value>,
    expected: Vec<Row>,
}

impl<'t> Difference<'t> {
    fn of(table: &'t Table, source: Vec<Row>, target: &[Row]) -> Self {
        let there: BTreeMap<String, &Value> = target.iter().map(|(key, row)| (key.to_string(), row)).collect();
        let here: BTreeMap<String, ()> = source.iter().map(|(key, _)| (key.to_string(), ())).collect();
        let gone = target.iter().filter(|(key, _)| !here.contains_key(&key.to_string())).map(|(key, _)| key.clone());
        let new = source.iter().filter(|(key, row)| there.get(&key.to_string()) != Some(&row));
        Self { table, gone: gone.collect(), new: new.map(|(_, row)| row.clone()).collect(), expected: source }
    }

    fn is_none(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }

    fn deletes(&self) -> Option<Statement> {
        (!self.gone.is_empty()).then(|| self.table.delete(&self.gone))
    }

    fn writes(&self) -> impl Iterator<Item = Statement> {
        let mut parts: Vec<Vec<Value>> = Vec::new();
        let mut bytes = BYTES;
        for row in &self.new {
            let size = row.to_string().len();
            bytes = bytes.saturating_add(size);
            match parts.last_mut() {
                Some(part) if bytes < BYTES => part.push(row.clone()),
                _ => {
                    parts.push(vec![row.clone()]);
                    bytes = size;
                }
            }
        }
        parts.into_iter().flat_map(|part| self.table.renumber(&part).into_iter().chain([self.table.write(&part)]))
    }
}

impl<P: Places> Course<'_, P> {
    /// Makes both cells ready, and learns of the sandbox. While a release changes the schema of one cell after the other, a move
    /// waits: what one of them has no column for would be lost.
    pub(super) async fn prepare(&mut self) -> Result<(), DatabaseError> {
        let here = tables::ordered(self.read(self.mv.source, &tables::stored()).await?);
        if !here.iter().map(Table::columns).eq(self.tables.iter().map(Table::columns)) {
            return Err(DatabaseError::Broken("cells_differ"));
        }
        let hand = self.hand();
        let watched = |writes: Vec<Statement>| watch::begin(&self.tables).into_iter().chain(writes).collect::<Vec<_>>();
        self.places.batch(self.mv.source, &watched(hand.leaving().into())).await?;
        self.ids = self.known(self.mv.source).await?.into_iter().map(|(id, ..)| id).collect();
        if self.ids.is_empty() {
            // No practice of the old cell has the id, or a sandbox, which moves with its practice.
            return self.goes_to(Step::Back).await;
        }
        self.places.batch(self.mv.target, &watched(vec![hand.first(), hand.arriving(&self.ids)])).await?;
        self.beside().await
    }

    /// Copies what rows of the practice refer to beside.
    pub(super) async fn beside(&self) -> Result<(), DatabaseError> {
        let beside = self.read(self.mv.source, &cell::beside()).await?;
        self.places.batch(self.mv.target, &cell::with_beside(beside)).await.map(drop)
    }

    /// Goes through all rows of all tables, from the noted place on. True at the end.
    pub(super) async fn pass(&mut self) -> Result<bool, DatabaseError> {
        let (table, of, mut after): (String, String, Option<Value>) =
            serde_json::from_str(&self.mv.position).unwrap_or_default();
        let names = self.tables.iter().enumerate().flat_map(|(n, _)| self.ids.iter().map(move |of| (n, of.clone())));
        let parts: Vec<(usize, String)> = names.collect();
        let is_there =
            |(n, part): &(usize, String)| self.tables.get(*n).is_some_and(|t| t.name == table) && *part == of;
        let first = parts.iter().position(is_there).unwrap_or(0);
        let mut rest = parts.get(first..).unwrap_or_default();
        let mut steps = 0_usize;
        while let Some((n, of)) = rest.first() {
            self.reached = *n;
            let mut done = if after.is_none() { self.small(rest).await? } else { 0 };
            if done == 0 {
                after = self.page(*n, of, after).await?;
                done = usize::from(after.is_none());
            }
            rest = rest.get(done..).unwrap_or_default();
            steps = steps.saturating_add(1);
            if let Some((n, of)) = rest.first()
                && steps.is_multiple_of(STEPS)
            {
                let name = self.tables.get(*n).map(|table| table.name.as_str());
                self.mv.position = json!([name, of, after]).to_string();
                self.keep().await?;
                if self.is_late() {
                    return Ok(false);
                }
            }
        }
        self.mv.position.clear();
        self.reached = usize::MAX;
        Ok(true)
    }

    /// Makes the next tables in the new cell equal to those in the old one, as many as are small. Returns how many.
    async fn small(&mut self, parts: &[(usize, String)]) -> Result<usize, DatabaseError> {
        let tables = Rc::clone(&self.tables);
        let parts = parts.get(..TOGETHER).unwrap_or(parts).iter().filter_map(|(n, of)| Some((*n, tables.get(*n)?, of)));
        let range = |of| Range { of, after: None, until: None, most: SMALL };
        let mut parts: Vec<_> = parts.map(|(n, table, of)| (n, table, range(of))).collect();
        while !parts.is_empty() {
            let read = |side, parts: &[(usize, &Table, Range<'_>)]| {
                parts.iter().map(|(_, table, range)| table.read(side, range)).collect::<Vec<_>>()
            };
            let half = |parts: &mut Vec<_>| parts.truncate(parts.len().div_euclid(2));
            let Some(source) = self.fitting(self.mv.source, &read(Side::Source, &parts)).await? else {
                half(&mut parts);
                continue;
            };
            parts.truncate(source.iter().take_while(|rows| rows.len() < SMALL).count());
            if parts.is_empty() {
                break;
            }
            let Some(target) = self.fitting(self.mv.target, &read(Side::Target, &parts)).await? else {
                half(&mut parts);
                continue;
            };
            let done = target.iter().take(parts.len()).take_while(|rows| rows.len() < SMALL).count();
            let rows = parts.into_iter().zip(source.into_iter().zip(target)).take(done);
            let rows =
                rows.map(|((n, table, range), (source, target))| (n, range, Difference::of(table, source, &target)));
            self.copy(rows.collect()).await?;
            return Ok(done);
        }
        Ok(0)
    }

    /// Reads rows. `None` if they are too many for an answer of the database.
    async fn fitting<Q: Queries>(&self, cell: Cell, queries: &Q) -> Result<Option<Q::Rows>, DatabaseError> {
        match self.read(cell, queries).await {
            Err(TOO_LARGE) => Ok(None),
            rows => rows.map(Some),
        }
    }

    /// Reads the same in both cells. `None` if it is too large in one.
    async fn both<Q: Queries>(&self, read: impl Fn(Side) -> Q) -> Result<Option<(Q::Rows, Q::Rows)>, DatabaseError> {
        let Some(source) = self.fitting(self.mv.source, &read(Side::Source)).await? else { return Ok(None) };
        let target = self.fitting(self.mv.target, &read(Side::Target)).await?;
        Ok(target.map(|target| (source, target)))
    }

    /// Makes a page in the new cell equal to that in the old one. Returns its last key, `None` at the end of the table.
    async fn page(&mut self, n: usize, of: &str, after: Option<Value>) -> Result<Option<Value>, DatabaseError> {
        let tables = Rc::clone(&self.tables);
        let Some(table) = tables.get(n) else { return Ok(None) };
        let mut most = PAGE;
        let (last, difference) = loop {
            let range = Range { of, after: after.as_ref(), until: None, most };
            let Some(source) = self.fitting(self.mv.source, &table.read(Side::Source, &range)).await? else {
                most = fewer(most)?;
                continue;
            };
            let last = (source.len() == most).then(|| source.last().map(|(key, _)| key.clone())).flatten();
            // Rows that are only in the new cell: an earlier move left them, or they were deleted here.
            let range = Range { until: last.as_ref(), most: PAGE.saturating_mul(2), ..range };
            let Some(target) = self.fitting(self.mv.target, &table.read(Side::Target, &range)).await? else {
                most = fewer(most)?;
                continue;
            };
            let is_all = target.len() < range.most;
            let difference = Difference::of(table, source, &target);
            if is_all {
                break (last, difference);
            }
            self.delete_gone(&difference).await?;
        };
        let range = Range { of, after: after.as_ref(), until: last.as_ref(), most };
        self.copy(vec![(n, range, difference)]).await?;
        Ok(last)
    }

    /// Writes differences, and compares the rows of their ranges.
    async fn copy(&mut self, mut all: Vec<(usize, Range<'_>, Difference<'_>)>) -> Result<(), DatabaseError> {
        all.retain(|(.., difference)| !difference.is_none());
        if all.is_empty() {
            return Ok(());
        }
        let keys = all.iter().flat_map(|(n, range, one)| {
            let rows = one.expected.iter().map(|(key, _)| key).chain(&one.gone);
            rows.map(|key| (*n, range.of.to_owned(), key.clone()))
        });
        let keys: Vec<_> = keys.collect();
        let again = all.into_iter().map(|(_, range, one)| {
            let read = one.table.read(Side::Target, &Range { most: usize::MAX >> 12, ..range });
            (one, read)
        });
        match self.apply(again.collect()).await {
            // What these rows refer to is newer than the pass of its table, or than the copies of staff. Rows that are newer
            // still are not among them, nor are changes of tables that the pass has not reached: what those refer to may not
            // be there.
            Err(DatabaseError::Broken("foreign_key")) => {
                self.beside().await?;
                while self.follow().await? == cell::CHANGES {}
                self.changed(&keys).await
            }
            written => written,
        }
    }

    /// Deletes the rows of a difference that are only in the new cell.
    async fn delete_gone(&self, difference: &Difference<'_>) -> Result<(), DatabaseError> {
        let Some(delete) = difference.deletes() else { return Ok(()) };
        let batch = self.hand().batch("arriving", &[difference.table], vec![delete]);
        self.run(self.mv.target, &batch).await.map(drop)
    }

    /// Deletes the rows that are only in the new cell, those that refer to others before them. An earlier move left them, and
    /// since then what they are about was destroyed.
    pub(super) async fn delete_strays(&self) -> Result<(), DatabaseError> {
        for (table, of) in self.tables.iter().rev().flat_map(|table| self.ids.iter().map(move |of| (table, of))) {
            let table = &table.only_keys();
            let mut after = None;
            loop {
                let range = Range { of, after: after.as_ref(), until: None, most: PAGE };
                let there = self.read(self.mv.target, &table.read(Side::Target, &range)).await?;
                let keys: Vec<Value> = there.iter().map(|(key, _)| key.clone()).collect();
                let here = self.read(self.mv.source, &table.read_keys(Side::Source, &keys)).await?;
                self.delete_gone(&Difference::of(table, here, &there)).await?;
                after = keys.last().filter(|_| keys.len() == PAGE).cloned();
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Writes differences in one batch, which reads the rows of each again at its end, and compares them.
    async fn apply(&mut self, all: Vec<(Difference<'_>, Query<Vec<Row>>)>) -> Result<(), DatabaseError> {
        let (all, read): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let tables: Vec<&Table> = all.iter().map(|one| one.table).collect();
        let mut writes: Vec<Statement> = all.iter().rev().filter_map(Difference::deletes).collect();
        writes.extend(all.iter().flat_map(Difference::writes));
        let mut batch = self.hand().batch("arriving", &tables, writes);
        let behind = batch.len();
        batch.extend(read.iter().map(|query| query.statement().clone()));
        let is_there = match self.run(self.mv.target, &batch).await? {
            Some(done) => read.rows(&mut done.get(behind..).unwrap_or_default().iter())?,
            None => self.read(self.mv.target, &read).await?,
        };
        for (difference, mut rows) in all.iter().zip(is_there) {
            let mut expected = difference.expected.clone();
            for rows in [&mut rows, &mut expected] {
                rows.sort_by_cached_key(|(key, _)| key.to_string());
            }
            if rows != expected {
                let name = &difference.table.name;
                return Err(DatabaseError::Broken(tables::text(format!("a copied row of {name} is another one"))));
            }
        }
        let rows: usize = all.iter().map(|one| one.new.len().saturating_add(one.gone.len())).sum();
        self.mv.written = self.mv.written.saturating_add(i64::try_from(rows).unwrap_or(i64::MAX));
        Ok(())
    }

    /// Keeps everybody else from the rows of the sandbox in the new cell, also if it was made after the practice's rows began to come.
    pub(super) async fn expect_sandbox(&self) -> Result<(), DatabaseError> {
        let hand = self.hand();
        self.run(self.mv.target, &hand.notes("arriving", [hand.arriving(&self.ids)])).await.map(drop)
    }

    /// Copies some of the rows that changed in tables that a pass went through. Returns how many changes were noted, at most a page
    /// of them.
    pub(super) async fn follow(&mut self) -> Result<usize, DatabaseError> {
        let known = self.known(self.mv.source).await?;
        let (ids, rounds): (Vec<_>, Vec<_>) = known.into_iter().map(|(id, _, round)| (id, round)).unzip();
        if ids.len() > self.ids.len() {
            self.ids = ids;
            self.expect_sandbox().await?;
        }
        let round = rounds.into_iter().max().unwrap_or_default().saturating_add(1);
        // A write that ran before this batch is noted under an earlier number, every later one under this.
        let hand = self.hand();
        self.run(self.mv.source, &hand.notes("leaving fenced", [hand.round(round)])).await?;
        let tables = self.tables.get(..self.reached).unwrap_or(&self.tables);
        let changes = self.read(self.mv.source, &cell::changes(self.mv.practice, round, tables)).await?;
        let Some(last) = changes.last() else { return Ok(0) };
        self.beside().await?;
        const REFERRED_TO: Result<(), DatabaseError> = Err(DatabaseError::Broken("foreign_key"));
        let mut went = self.changed(&changes).await;
        if went == REFERRED_TO {
            // Something is gone, and what referred to it is behind these changes.
            self.bury().await?;
            went = self.changed(&changes).await;
        }
        if went == REFERRED_TO {
            // It went before changes were noted, and is only in the new cell.
            self.delete_strays().await?;
            went = self.changed(&changes).await;
        }
        went?;
        let hand = self.hand();
        self.run(self.mv.source, &hand.notes("leaving fenced", [hand.copied(round, &self.tables, last)])).await?;
        Ok(changes.len())
    }

    /// Deletes what is gone of all rows that changed, those that refer to others before them.
    async fn bury(&self) -> Result<(), DatabaseError> {
        for table in self.tables.iter().rev() {
            let table = &table.only_keys();
            let mut after = Value::Null;
            loop {
                let keys = self.read(self.mv.source, &cell::noted(self.mv.practice, table, &after)).await?;
                let Some(last) = keys.last() else { break };
                after = last.clone();
                let source = self.read(self.mv.source, &table.read_keys(Side::Source, &keys)).await?;
                let target = self.read(self.mv.target, &table.read_keys(Side::Target, &keys)).await?;
                self.delete_gone(&Difference::of(table, source, &target)).await?;
            }
        }
        Ok(())
    }

    /// Copies the rows with these keys: first what is gone is deleted, those that refer to others before them.
    async fn changed(&mut self, changes: &[(usize, String, Value)]) -> Result<(), DatabaseError> {
        let tables = Rc::clone(&self.tables);
        let of_table = |n: usize| -> Vec<Value> {
            changes.iter().filter(|(of, ..)| *of == n).map(|(.., key)| key.clone()).collect()
        };
        let parts: Vec<(&Table, Vec<Value>)> =
            tables.iter().enumerate().map(|(n, table)| (table, of_table(n))).collect();
        let mut most = PAGE;
        // In one batch, so that a row comes with what it refers to.
        let (parts, source, target) = loop {
            let parts: Vec<(&Table, &[Value])> =
                parts.iter().flat_map(|(table, keys)| keys.chunks(most).map(|keys| (*table, keys))).collect();
            let read = |side| parts.iter().map(|(table, keys)| table.read_keys(side, keys)).collect::<Vec<_>>();
            match self.both(read).await? {
                Some((source, target)) => break (parts, source, target),
                None => most = fewer(most)?,
            }
        };
        let rows = parts.iter().zip(source.into_iter().zip(target));
        let all = rows.map(|((table, keys), (here, there))| {
            (Difference::of(table, here, &there), table.read_keys(Side::Target, keys))
        });
        let all: Vec<_> = all.filter(|(one, _)| !one.is_none()).collect();
        if all.is_empty() { Ok(()) } else { self.apply(all).await }
    }

    /// Whether every table has as many rows in both cells, and the same ones at its end. All rows were compared when they were
    /// checked or copied last.
    pub(super) async fn ends_agree(&self) -> Result<bool, DatabaseError> {
        let parts: Vec<_> = self.ids.iter().flat_map(|of| self.tables.iter().map(move |table| (table, of))).collect();
        let mut most = END;
        loop {
            let read = |side| parts.iter().map(|(table, of)| table.end(side, of, most)).collect::<Vec<_>>();
            match self.both(read).await? {
                Some((source, target)) => return Ok(source == target),
                None => most = fewer(most)?,
            }
        }
    }
}
