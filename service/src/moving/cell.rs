//! What a cell knows of a move, as statements.

use super::tables::Table;
use super::watch;
use crate::sql::select;
use crate::store::{Param, Query, Statement};
use overturn_core::base::id::PracticeId;
use overturn_core::base::param::Json;
use serde_json::Value;

/// How many changes are followed at once.
pub(super) const CHANGES: usize = 1_000;

pub(super) fn text(value: impl ToString) -> Param {
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

pub(super) fn names(tables: &[Table]) -> Vec<&str> {
    tables.iter().map(|table| table.name.as_str()).collect()
}

/// The names that a practice and its people have in their cell, each with its kind and its holder. The directory leads by them.
pub(super) fn held(practice: PracticeId) -> Query<Vec<(String, String, String)>> {
    select!(
        "moving.held",
        "SELECT json_group_array(json_array(kind, name, holder)) AS json FROM (
           SELECT 'address' AS kind, email_key AS name, id AS holder FROM users
             WHERE practice_id = {practice} AND state = 'active'
           UNION ALL SELECT 'login', json_array(i.provider, i.issuer, i.subject), u.id
             FROM users u JOIN identities i ON i.user_id = u.id WHERE u.practice_id = {practice} AND u.state <> 'removed'
           UNION ALL SELECT 'domain', domain, practice_id FROM practice_domains
             WHERE practice_id = {practice} AND verified_at IS NOT NULL)";
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

/// Removes the triggers of moves from a cell where nothing moves.
pub(super) fn at_rest(tables: &[Table]) -> Vec<Statement> {
    let moves = Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (SELECT 1 FROM moving WHERE state NOT IN ('here', 'gone'))",
        [],
    );
    [moves].into_iter().chain(watch::end(tables)).collect()
}
