//! The statements of the staff's work on SQLite with the real migrations, and every order of events in memory.

mod appeals;
mod cells;
mod letters;
mod orders;
mod queue;
mod several;
mod steps;
mod world;

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::store::error::DatabaseError;
use crate::testing::Fixture;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};

/// A practice that has claims, and all claims.
fn ids(f: &Fixture) -> (PracticeId, Vec<ClaimId>) {
    let read = |sql: &str| -> String { f.db.query_row(sql, [], |row| row.get(0)).unwrap() };
    let practice = read("SELECT practice_id FROM claims LIMIT 1");
    let claims = read("SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY id)");
    (PracticeId(practice.parse().unwrap()), serde_json::from_str(&claims).unwrap())
}

/// A member of the staff with an account.
pub(super) fn staff(f: &mut Fixture) -> Person {
    let (user_id, ..) = f.enrol(1);
    Person { user_id, ..crate::testing::decisions::person(Role::Staff, Action::Work) }
}

pub(super) fn commit(f: &mut Fixture, change: Change, by: &Person, ctx: &Ctx) -> Result<(), DatabaseError> {
    let statements = f.lower_change(change, by, ctx);
    f.run(&statements).map(drop)
}
