//! The batches of a move in a cell.

use super::cell::{names, text};
use super::rows::Side;
use super::tables::Table;
use crate::store::{Param, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use serde_json::Value;
use std::collections::BTreeMap;

/// The move on whose behalf a cell is written to: its practice, the number of who carries it on, and that of the batch. A batch
/// runs once, and never after a later one: it may run long after its answer was given up.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub(super) practice: PracticeId,
    pub(super) epoch: i64,
    pub(super) number: i64,
}

impl Hand {
    fn params(self) -> [Param; 2] {
        [text(self.practice), Param::Int(self.epoch)]
    }

    /// Lets writes in the old cell pass, and has them noted. The answers that are kept for the staff count as changed: they do not say
    /// of which practice they are.
    pub(super) fn leaving(self) -> [Statement; 3] {
        let answers = "INSERT INTO moving_changes (id, name, key, round)
             SELECT p.id, 'answers', json_array(a.user_id, a.place), 0
             FROM practices p CROSS JOIN users u CROSS JOIN answers a
             WHERE p.id = ?1 AND p.sandbox_of IS NULL AND u.practice_id IS NULL AND a.user_id = u.id
               AND NOT EXISTS (SELECT 1 FROM moving WHERE id = ?1 AND state IN ('leaving', 'fenced', 'left'))
             ON CONFLICT DO NOTHING";
        [
            self.first(),
            Statement::new(answers, [text(self.practice)]),
            Statement::new(
                "INSERT INTO moving (id, of, state, epoch)
                 SELECT p.id, ?1, 'leaving', ?2 FROM practices p
                 WHERE p.id IN (SELECT ?1 UNION ALL SELECT s.id FROM practices s WHERE s.sandbox_of = ?1)
                   AND EXISTS (SELECT 1 FROM practices o WHERE o.id = ?1 AND o.sandbox_of IS NULL)
                 ON CONFLICT (id) DO UPDATE SET of = excluded.of, state = 'leaving', epoch = excluded.epoch, batch = 0
                 WHERE excluded.epoch > moving.epoch AND moving.state <> 'left'",
                self.params(),
            ),
        ]
    }

    /// Keeps everybody else from the rows in the new cell.
    pub(super) fn arriving(self, ids: &[String]) -> Statement {
        let [practice, epoch] = self.params();
        Statement::new(
            "INSERT INTO moving (id, of, state, epoch) SELECT j.value, ?1, 'arriving', ?2 FROM json_each(?3) j WHERE true
             ON CONFLICT (id) DO UPDATE SET of = excluded.of, state = 'arriving', epoch = excluded.epoch, batch = 0
             WHERE excluded.epoch > moving.epoch",
            [practice, epoch, text(Value::from(ids.to_vec()))],
        )
    }

    /// Carries the move on in a cell as it is. The batch that began it there may still come. It must then find a row, so one with
    /// this state is added.
    pub(super) fn taken(self, state: &str) -> [Statement; 2] {
        let [practice, epoch] = self.params();
        [
            Statement::new("UPDATE moving SET epoch = ?2, batch = 0 WHERE of = ?1 AND epoch < ?2", self.params()),
            Statement::new(
                "INSERT INTO moving (id, of, state, epoch) VALUES (?1, ?1, ?3, ?2) ON CONFLICT DO NOTHING",
                [practice, epoch, text(state)],
            ),
        ]
    }

    /// The guard of the batch with which somebody begins to carry it on, which has no number: another one ran behind it.
    pub(super) fn first(self) -> Statement {
        Statement::new(
            "INSERT INTO guards (failed) SELECT 'record'
             WHERE EXISTS (SELECT 1 FROM moving WHERE id = ?1 AND (epoch > ?2 OR epoch = ?2 AND batch > 0))",
            self.params(),
        )
    }

    /// The guard of a batch with a number: it ran, or a later one did, somebody else carries the move on, or the state is none
    /// of these.
    fn guard(self, states: &str) -> Statement {
        let [practice, epoch] = self.params();
        Statement::new(
            "INSERT INTO guards (failed)
             SELECT iif(EXISTS (SELECT 1 FROM moving WHERE id = ?1 AND epoch = ?2 AND batch = ?3), 'done', 'record')
             WHERE NOT EXISTS (SELECT 1 FROM moving WHERE id = ?1 AND epoch = ?2 AND batch < ?3
               AND instr(' ' || ?4 || ' ', ' ' || state || ' ') > 0)",
            [practice, epoch, Param::Int(self.number), text(states)],
        )
    }

    /// A batch that changes what the cell knows of the move, in one of these states.
    pub(super) fn notes(self, states: &str, notes: impl IntoIterator<Item = Statement>) -> Vec<Statement> {
        [self.guard(states), self.numbered(0)].into_iter().chain(notes).collect()
    }

    /// Notes the number of the batch, and whether it writes rows of the practice.
    fn numbered(self, writes: i64) -> Statement {
        Statement::new(
            "UPDATE moving SET batch = ?2, writes = ?3 WHERE of = ?1",
            [text(self.practice), Param::Int(self.number), Param::Int(writes)],
        )
    }

    pub(super) fn state(self, state: &str) -> Statement {
        Statement::new("UPDATE moving SET state = ?2 WHERE of = ?1", [text(self.practice), text(state)])
    }

    /// Changes are noted under this number from now on.
    pub(super) fn round(self, round: i64) -> Statement {
        Statement::new("UPDATE moving SET round = ?2 WHERE of = ?1", [text(self.practice), Param::Int(round)])
    }

    /// Forgets the changes up to this one that were noted before a round.
    pub(super) fn copied(self, round: i64, tables: &[Table], (n, id, key): &(usize, String, Value)) -> Statement {
        let mut before = names(tables);
        before.truncate(n.saturating_add(1));
        let name = before.pop().unwrap_or_default();
        Statement::new(
            "DELETE FROM moving_changes WHERE id IN (SELECT m.id FROM moving m WHERE m.of = ?1) AND round < ?2
               AND (name IN (SELECT j.value FROM json_each(?3) j) OR name = ?4 AND (id, key) <= (?5, ?6))",
            [text(self.practice), Param::Int(round), text(Value::from(before)), text(name), text(id), text(key)],
        )
    }

    /// A batch of the move itself: triggers neither note nor refuse its writes, and do not change what it writes.
    pub(super) fn batch(self, state: &str, tables: &[&Table], writes: Vec<Statement>) -> Vec<Statement> {
        // A table may be there for each of its parts.
        let triggers: BTreeMap<&str, &str> =
            tables.iter().flat_map(|table| &table.triggers).map(|(name, made)| (&**name, &**made)).collect();
        let sql = |sql: String| Statement::new(super::tables::text(sql), []);
        let mut batch = vec![self.guard(state), self.numbered(1)];
        batch.extend(triggers.keys().map(|name| sql(format!("DROP TRIGGER IF EXISTS {name}"))));
        batch.extend(writes);
        batch.extend(triggers.values().map(|made| sql((*made).to_owned())));
        batch.push(self.numbered(0));
        batch
    }

    /// Lets calls that find the practice neither in the old cell nor in the new one wait for the new one.
    pub(super) fn expect(self, tables: &[Table], ids: &[String], target: Cell) -> Vec<Statement> {
        self.notes("arriving", leads(Side::Target, tables, ids, target))
    }

    /// Takes the practice out of the old cell: nothing finds it there any more, and calls are led to the new one.
    pub(super) fn leave(self, tables: &[Table], ids: &[String], target: Cell) -> Vec<Statement> {
        let mut writes: Vec<Statement> = leads(Side::Source, tables, ids, target).collect();
        writes.extend(tables.iter().flat_map(|table| ids.iter().filter_map(|of| table.hide(of))));
        writes.extend(self.uncount());
        writes.push(self.state("left"));
        self.batch("fenced", &touched(tables), writes)
    }

    /// Takes the practice's claims out of the counts. Where it lives then, a job counts them anew.
    fn uncount(self) -> [Statement; 4] {
        let of = [text(self.practice)];
        [
            Statement::new(
                "UPDATE claim_counts AS t SET claims = t.claims - p.claims, billed_high = t.billed_high - p.billed_high,
                   billed_low = t.billed_low - p.billed_low, denied_high = t.denied_high - p.denied_high,
                   denied_low = t.denied_low - p.denied_low, recovered_high = t.recovered_high - p.recovered_high,
                   recovered_low = t.recovered_low - p.recovered_low
                 FROM claim_counts p WHERE t.scope = 'all' AND p.scope = ?1 AND p.status = t.status AND p.due = t.due",
                of.clone(),
            ),
            Statement::new("DELETE FROM claim_counts WHERE scope = 'all' AND claims <= 0", []),
            Statement::new("DELETE FROM claim_counts WHERE scope = ?1", of.clone()),
            Statement::new("UPDATE practices SET counted = 0 WHERE id = ?1", of),
        ]
    }

    /// Opens the practice in the new cell.
    pub(super) fn open(self, tables: &[Table], ids: &[String], now: Instant) -> Vec<Statement> {
        let mut writes: Vec<Statement> =
            tables.iter().flat_map(|table| ids.iter().flat_map(|of| table.show(of, now))).collect();
        writes.extend(self.here());
        self.batch("arriving", &touched(tables), writes)
    }

    /// Takes from what stays in a cell what people and the practice are called.
    pub(super) fn blank(self, state: &str, tables: &[&Table]) -> Vec<Statement> {
        let people = Statement::new(
            "UPDATE users SET state = 'removed', email = '', email_key = '', name = '', password_hash = NULL
             WHERE practice_id IN (SELECT m.id FROM moving m WHERE m.of = ?1)",
            [text(self.practice)],
        );
        let practice = Statement::new(
            "UPDATE practices SET name = '', state = 'moved:inactive', address = NULL, npi = NULL, tax_id = NULL, phone = NULL,
               idle_at = NULL WHERE id IN (SELECT m.id FROM moving m WHERE m.of = ?1)",
            [text(self.practice)],
        );
        self.batch(state, tables, vec![people, practice, self.forget(), self.state("gone")])
    }

    /// The practice lives in the cell, and does not move any more. The row stays, so that no late batch moves it again.
    pub(super) fn here(self) -> [Statement; 2] {
        [self.forget(), self.state("here")]
    }

    fn forget(self) -> Statement {
        Statement::new(
            "DELETE FROM moving_changes WHERE id IN (SELECT m.id FROM moving m WHERE m.of = ?1)",
            [text(self.practice)],
        )
    }
}

/// Leads calls with what was handed out to a cell.
fn leads(side: Side, tables: &[Table], ids: &[String], to: Cell) -> impl Iterator<Item = Statement> {
    tables.iter().flat_map(move |table| ids.iter().filter_map(move |of| table.lead(side, of, to)))
}

/// The tables that a switch writes to.
fn touched(tables: &[Table]) -> Vec<&Table> {
    tables.iter().filter(|table| table.hidden().or(table.named()).is_some()).collect()
}
