//! The triggers by which a cell looks at every write to the rows of a practice that moves.
//!
//! They are made when a move begins and go with the last one, so they cost nothing while nobody moves. A guard in the
//! batches would cost a statement in every one, and would have to know whose rows it touches: jobs write rows of many
//! practices at once, and the operator's SQL has no guards. A trigger holds for all of them, and it also notes what
//! changes while rows are copied.

use super::tables::{Table, text};
use crate::store::Statement;
use crate::store::error::{FENCED, LEFT};

/// Makes the triggers.
pub(super) fn begin(tables: &[Table]) -> Vec<Statement> {
    let made = tables.iter().flat_map(|table| OPERATIONS.map(|(operation, row)| trigger(table, operation, row)));
    made.chain([with_sandbox(), with_answers()]).map(|sql| Statement::new(text(sql), [])).collect()
}

/// Removes them.
pub(super) fn end(tables: &[Table]) -> Vec<Statement> {
    let names = tables.iter().flat_map(|table| OPERATIONS.map(|(operation, _)| name(table, operation)));
    let names = names.chain(["moving_with_sandbox", "moving_with_answers"].map(String::from));
    names.map(|name| Statement::new(text(format!("DROP TRIGGER IF EXISTS {name}")), [])).collect()
}

const OPERATIONS: [(&str, &str); 3] = [("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")];

fn name(table: &Table, operation: &str) -> String {
    format!("moving_{}_{}", table.name, operation.to_lowercase())
}

fn trigger(table: &Table, operation: &str, row: &str) -> String {
    let moves = match table.practice {
        Some(column) => format!("FROM moving m WHERE m.id = {row}.{column}"),
        None => format!("FROM users u CROSS JOIN moving m WHERE u.id = {row}.user_id AND m.id = u.practice_id"),
    };
    let key: Vec<_> = table.key.iter().map(|column| format!("{row}.{column}")).collect();
    format!(
        "CREATE TRIGGER IF NOT EXISTS {} BEFORE {operation} ON {} WHEN EXISTS (SELECT 1 {moves} AND m.writes = 0 AND m.state <> 'here')
         BEGIN
           SELECT RAISE (ABORT, '{LEFT}') {moves} AND m.state = 'left';
           SELECT RAISE (ABORT, '{FENCED}') {moves} AND m.state <> 'leaving';
           INSERT INTO moving_changes (id, name, key, round) SELECT m.id, '{}', json_array({}), m.round {moves}
             ON CONFLICT DO NOTHING;
         END",
        name(table, operation),
        table.name,
        table.name,
        key.join(", ")
    )
}

/// A sandbox that is made meanwhile moves along.
fn with_sandbox() -> String {
    "CREATE TRIGGER IF NOT EXISTS moving_with_sandbox AFTER INSERT ON practices
     WHEN new.sandbox_of IN (SELECT id FROM moving WHERE state = 'leaving')
     BEGIN
       INSERT INTO moving (id, of, state, epoch, round)
         SELECT new.id, m.of, m.state, m.epoch, m.round FROM moving m WHERE m.id = new.sandbox_of ON CONFLICT DO NOTHING;
       INSERT INTO moving_changes (id, name, key, round)
         SELECT m.id, 'practices', json_array(m.id), m.round FROM moving m WHERE m.id = new.id ON CONFLICT DO NOTHING;
     END"
    .into()
}

/// The answers that are kept for the staff are copied along, because nobody can tell which are of the practice. So a write that is
/// repeated after the switch is not done twice.
fn with_answers() -> String {
    "CREATE TRIGGER IF NOT EXISTS moving_with_answers AFTER INSERT ON answers
     WHEN EXISTS (SELECT 1 FROM users WHERE id = new.user_id AND practice_id IS NULL)
     BEGIN
       INSERT INTO moving_changes (id, name, key, round)
         SELECT m.id, 'answers', json_array(new.user_id, new.place), m.round FROM moving m
         WHERE m.id = m.of AND m.state = 'leaving' ON CONFLICT DO NOTHING;
     END"
    .into()
}
