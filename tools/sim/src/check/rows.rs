//! The rows at the end: consistent, and no claim that no answer explains.

use crate::model::{Input, Output};
use crate::world::World;
use overturn_tests::tenant::CONSISTENT;
use rusqlite::Connection;
use std::collections::BTreeSet;

pub(crate) fn check(world: &World) -> Vec<String> {
    let db = world.platform.database.connection();
    let mut problems = Vec::new();
    for (n, practice) in world.practices.iter().enumerate() {
        for (rule, broken) in CONSISTENT {
            let count: i64 = db.query_row(broken, [&practice.id], |row| row.get(0)).expect("a rule is a query");
            if count > 0 {
                problems.push(format!("practice {n}: not true that {rule} ({count})"));
            }
        }
        let stored = numbers(db, &practice.id).expect("the claims can be read");
        let model = world.model.borrow();
        let of = || model.ops.iter().filter(|op| op.practice == n);
        let sent: BTreeSet<_> =
            of().filter(|op| matches!(op.input, Input::Send(_))).map(|op| op.number.clone()).collect();
        let created = of().filter(|op| matches!(op.output, Output::Created(_) | Output::Exists { .. }));
        let created: BTreeSet<_> = created.map(|op| op.number.clone()).collect();
        let stored: BTreeSet<_> = stored.into_iter().collect();
        for lost in created.difference(&stored) {
            problems.push(format!("practice {n}: {lost} was created and is not stored"));
        }
        for strange in stored.difference(&sent) {
            problems.push(format!("practice {n}: {strange} is stored and was never sent"));
        }
    }
    problems
}

fn numbers(db: &Connection, practice: &str) -> rusqlite::Result<Vec<String>> {
    let mut read = db.prepare("SELECT claim_number FROM claims WHERE practice_id = ?1")?;
    read.query_map([practice], |row| row.get(0))?.collect()
}
