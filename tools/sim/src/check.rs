//! What must always hold, checked at the end of a run against what callers were told and against the rows.

pub(crate) mod answers;
mod cells;
mod deadlines;
mod documents;
mod keys;
mod leaving;
mod linear;
pub(crate) mod lists;
pub(crate) mod moves;
mod privacy;
mod rows;
mod signing;
mod trail;
mod webhooks;

pub(crate) use webhooks::check as webhooks;

use crate::world::World;
use rusqlite::{Connection, Params};
use std::fmt::Debug;

/// What a rule counts: rows that break it. Its statement is prepared once for all worlds.
pub(crate) fn count(db: &Connection, broken: &str, params: impl Params) -> i64 {
    let counted = db.prepare_cached(broken).and_then(|mut rule| rule.query_row(params, |row| row.get(0)));
    counted.expect("a rule is a query")
}

/// The same in all cells.
pub(crate) fn count_all(world: &World, broken: &str) -> i64 {
    world.platform.connections().map(|db| count(db, broken, [])).sum()
}

/// The rules, each with the query that counts what breaks it, that do not hold in some cell.
pub(crate) fn broken(world: &World, rules: &[(&str, &str)]) -> Vec<String> {
    let counts = rules.iter().map(|(rule, broken)| (rule, count_all(world, broken)));
    counts.filter(|(_, count)| *count > 0).map(|(rule, count)| format!("not true that {rule} ({count})")).collect()
}

/// What a query finds in all cells.
pub(crate) fn collect<T, C: IntoIterator<Item = T>, E: Debug, R: FromIterator<T>>(
    world: &World,
    read: impl Fn(&Connection) -> Result<C, E>,
) -> R {
    world.platform.connections().flat_map(|db| read(db).expect("rows of a cell can be read")).collect()
}

/// Everything that does not hold, in words.
pub(crate) fn all(world: &World) -> Vec<String> {
    let mut problems = linear::check(&world.model.borrow());
    problems.extend(rows::check(world));
    problems.extend(cells::check(world));
    problems.extend(moves::check(world));
    problems.extend(deadlines::check(world));
    problems.extend(signing::check(world));
    problems.extend(keys::check(world));
    problems.extend(trail::check(world));
    if !world.is_later() {
        problems.extend(webhooks::check(world));
    }
    problems.extend(documents::check(world));
    problems.extend(leaving::check(world));
    problems.extend(privacy::check(world));
    problems
}
