//! What must always hold, checked at the end of a run against what callers were told and against the rows.

pub(crate) mod answers;
mod deadlines;
mod documents;
mod keys;
mod linear;
mod privacy;
mod rows;
mod signing;
mod trail;
mod webhooks;

use crate::world::World;
use rusqlite::{Connection, Params};

/// What a rule counts: rows that break it. Its statement is prepared once for all worlds.
pub(crate) fn count(db: &Connection, broken: &str, params: impl Params) -> i64 {
    let counted = db.prepare_cached(broken).and_then(|mut rule| rule.query_row(params, |row| row.get(0)));
    counted.expect("a rule is a query")
}

/// Everything that does not hold, in words.
pub(crate) fn all(world: &World) -> Vec<String> {
    let mut problems = linear::check(&world.model.borrow());
    problems.extend(rows::check(world));
    problems.extend(deadlines::check(world));
    problems.extend(signing::check(world));
    problems.extend(keys::check(world));
    problems.extend(trail::check(world));
    problems.extend(webhooks::check(world));
    problems.extend(documents::check(world));
    problems.extend(privacy::check(world));
    problems
}
