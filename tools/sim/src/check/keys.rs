//! The limits of keys, and the key of the service: once the old one is gone, nothing is left under it.

use crate::world::World;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(most) = world.plan.sends_a_minute {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        problems.extend(world.model.borrow().limits.problems(most));
    }
    if world.replaced.get() {
        let db = world.platform.database.connection();
        let left: i64 = db.query_row(OLD, [], |row| row.get(0)).expect("the keys can be read");
        if left > 0 {
            problems.push(format!("{left} keys and factors are under the old key of the service after its end"));
        }
    }
    problems
}

const OLD: &str = "SELECT (SELECT count(*) FROM practice_keys WHERE key_version = 1 AND destroyed_at IS NULL)
    + (SELECT count(*) FROM factors WHERE key_version = 1)";
