//! What must always hold, checked at the end of a run against what callers were told and against the rows.

pub(crate) mod answers;
mod documents;
mod linear;
mod privacy;
mod rows;
mod trail;
mod webhooks;

use crate::world::World;

/// Everything that does not hold, in words.
pub(crate) fn all(world: &World) -> Vec<String> {
    let mut problems = linear::check(&world.model.borrow());
    problems.extend(rows::check(world));
    problems.extend(trail::check(world));
    problems.extend(webhooks::check(world));
    problems.extend(documents::check(world));
    problems.extend(privacy::check(world));
    problems
}
