//! What a cell knows of a move, as statements.

use super::rows::Side;
use super::tables::Table;
use super::watch;
use crate::sql::select;
use crate::store::{Param, Query, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::param::Json;
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

/// How many changes are followed at once.
pub(super) const CHANGES: usize = 1_000;

fn text(value: impl ToString) -> Param {
    Param::Text(value.to_string())
}

/// The practice and its sandbox, each with its state and its round.
pub(super) fn known(practice: PracticeId) -> Query<Vec<(String, String, i64)>> {
    select!(
        "moving.known",
        "SELECT json_group_array(json_array(id, state, round)) AS json FROM (
           SELECT * FROM moving WHERE of = {practice} ORDER BY id = of DESC)";
        practice
    )
    .one()
}

/// Whether changes are noted that nobody copied yet.
pub(super) fn pending(practice: PracticeId) -> Query<bool> {
    select!(
        "moving.pending",
        "SELECT iif(EXISTS (SELECT 1 FROM moving m CROSS JOIN moving_changes c WHERE m.of = {practice} AND c.id = m.id),
           'true', 'false') AS json";
        practice
    )
    .one()
}

/// How many practices and sandboxes move or have left.
pub(super) fn some() -> Query<i64> {
    select!("moving.some", "SELECT json(count(*)) AS json FROM moving WHERE state NOT IN ('here', 'gone')").one()
}

/// The next changes that were noted before a round, table by table: in which table, of which practice or sandbox, and the key.
pub(super) fn changes(practice: PracticeId, round: i64, tables: &[Table]) -> Query<Vec<(usize, String, Value)>> {
    select!(
        "moving.changes",
        "SELECT json_group_array(json_array(n, id, json(key))) AS json FROM (
           SELECT t.key AS n, c.id, c.key FROM json_each({names}) t CROSS JOIN moving m CROSS JOIN moving_changes c
           WHERE m.of = {practice} AND c.id = m.id AND c.name = t.value AND c.round < {round} GROUP BY 1, 2, 3
           ORDER BY 1, 2, 3 LIMIT CAST({most} AS INTEGER))";
        practice, round, names = Json(names(tables)), most = CHANGES
    )
    .one()
}

/// The next keys of a table that were noted, after one of them.
pub(super) fn noted(practice: PracticeId, table: &Table, after: &Value) -> Query<Vec<Value>> {
    select!(
        "moving.noted",
        "SELECT json_group_array(json(key)) AS json FROM (
           SELECT c.key FROM moving m CROSS JOIN moving_changes c
           WHERE m.of = {practice} AND c.id = m.id AND c.name = {name} AND c.key > {after} GROUP BY 1 ORDER BY 1
           LIMIT CAST({most} AS INTEGER))";
        practice, name = &table.name, after = after.to_string(), most = CHANGES
    )
    .one()
}

fn names(tables: &[Table]) -> Vec<&str> {
    tables.iter().map(|table| table.name.as_str()).collect()
}

/// The active people of a practice by address.
pub(super) fn people(practice: PracticeId) -> Query<Vec<(String, String)>> {
    select!(
        "moving.people",
        "SELECT json_group_array(json_array(email_key, id)) AS json FROM users WHERE practice_id = {practice}";
        practice
    )
    .one()
}

/// What rows of practices and their sign-ins refer to beside: the staff in a cell, and the proofs that are spent.
pub(super) type Beside = (Query<Vec<Value>>, Query<Vec<Value>>);
pub(super) fn beside() -> Beside {
    let staff = select!(
        "moving.staff",
        "SELECT json_group_array(json_array(id, role, state, email, name, epoch, version, created_at)) AS json
         FROM users WHERE practice_id IS NULL"
    );
    let proofs =
        select!("moving.proofs", "SELECT json_group_array(json_array(hash, expires_at)) AS json FROM spent_proofs");
    (staff.one(), proofs.one())
}

/// Adds those that the new cell does not have: of the staff, copies as those of `crate::pipeline::visit`.
pub(super) fn with_beside((staff, proofs): (Vec<Value>, Vec<Value>)) -> [Statement; 2] {
    [
        Statement::new(
            "INSERT INTO users (id, role, state, email, email_key, name, epoch, version, created_at)
             SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 0, j.value ->> 4, j.value ->> 5,
               j.value ->> 6, j.value ->> 7 FROM json_each(?1) j WHERE true ON CONFLICT DO NOTHING",
            [text(Value::from(staff))],
        ),
        Statement::new(
            "INSERT INTO spent_proofs (hash, expires_at) SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?1) j WHERE true
             ON CONFLICT DO NOTHING",
            [text(Value::from(proofs))],
        ),
    ]
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
                 ON CONFLICT (id) DO UPDATE SET state = 'leaving', epoch = excluded.epoch, batch = 0
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

    /// Carries the move on in a cell as it is.
    pub(super) fn taken(self) -> Statement {
        Statement::new("UPDATE moving SET epoch = ?2, batch = 0 WHERE of = ?1 AND epoch < ?2", self.params())
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
    tables.iter().filter(|table| table.hidden().is_some()).collect()
}

/// Removes the triggers of moves from a cell where nothing moves.
pub(super) fn at_rest(tables: &[Table]) -> Vec<Statement> {
    let moves = Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (SELECT 1 FROM moving WHERE state NOT IN ('here', 'gone'))",
        [],
    );
    [moves].into_iter().chain(watch::end(tables)).collect()
}
