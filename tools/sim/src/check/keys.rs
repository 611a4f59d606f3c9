//! The limits of keys, and the key of the service: once the old one is gone, nothing is left under it.

use crate::clock::MS;
use crate::model::{Model, Op, Output};
use crate::world::World;
use std::collections::BTreeMap;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(most) = world.plan.sends_a_minute {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        problems.extend(world.model.borrow().limits.problems(most));
    }
    if let (Some(most), Some(_)) = (world.plan.patients, world.plan.sends_a_minute) {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        problems.extend(world.model.borrow().patients.problems(most, world.plan.skew_ms * MS));
    }
    // Without limits, there is no bound of a day either.
    if let (Some(most), Some(_)) = (world.plan.mismatches, world.plan.sends_a_minute) {
        problems.extend(mismatches(&world.model.borrow(), most));
    }
    if world.replaced.get() {
        let left = super::count_all(world, OLD);
        if left > 0 {
            problems.push(format!("{left} keys and factors are under the old key of the service after its end"));
        }
    }
    problems
}

/// The numbers and practices that were compared with other patients and claims more often than a day allows.
fn mismatches(model: &Model, (of_claim, of_practice): (u64, u64)) -> Vec<String> {
    let mut told = BTreeMap::<_, u64>::new();
    let refused = |op: &&Op| matches!(op.output, Output::OtherPatient | Output::OtherClaim);
    for op in model.ops.iter().filter(refused) {
        *told.entry((op.practice, op.number.as_str())).or_default() += 1;
        *told.entry((op.practice, "")).or_default() += 1;
    }
    let most = |number: &str| if number.is_empty() { of_practice } else { of_claim };
    let too_many = told.into_iter().filter(|((_, number), count)| *count > most(number));
    too_many
        .map(|((practice, number), count)| format!("{number} of practice {practice} is refused {count} times"))
        .collect()
}

const OLD: &str = "SELECT (SELECT count(*) FROM practice_keys WHERE key_version = 1 AND destroyed_at IS NULL)
    + (SELECT count(*) FROM factors WHERE key_version = 1)";
