//! Every order of opening, joining, filing, deciding and moving, with two claims and two cases; every order of these with
//! what people read in letters, with one claim; and orders by chance with a third claim whose facts come later. Checks the
//! deadline and the amount of each claim.

use super::world::{Op, World};
use overturn_core::claims::ClaimStatus;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeSet, VecDeque};

/// How many states are checked, those with the fewest steps first: all that five steps reach.
const STATES: usize = 8_000;

/// Checks every order of actions, those with the fewest first, up to so many states. Returns the states and the most steps
/// to one of them.
fn each(start: World, most: usize, mut refused: impl FnMut(&Op)) -> (BTreeSet<String>, usize) {
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from([start]);
    let mut deepest = 0;
    while let Some(world) = queue.pop_front() {
        for op in Op::all(&world) {
            let mut next = world.clone();
            let done = next.run(&op);
            if done.is_err() {
                refused(&op);
                continue;
            }
            next.expect_clocks(&world);
            for (claim, expected) in next.expected_deadlines() {
                assert_eq!(claim.deadline, expected, "{op:?} of {:?} after {:?}", claim.id, next.history);
            }
            if seen.len() < most && seen.insert(next.key()) {
                deepest = next.history.len();
                queue.push_back(next);
            }
        }
    }
    (seen, deepest)
}

#[test]
fn a_claim_has_its_deadline_after_every_order_of_events_and_letters() {
    let (seen, deepest) = each(World::with_letters(1), STATES.min(2_000), |_| {});
    assert!(seen.len() > 400, "{} states", seen.len());
    assert!(deepest >= 4, "{deepest} steps");
}

#[test]
fn a_claim_for_which_nothing_was_filed_has_its_deadline_after_every_order_of_events() {
    let mut refused_to_join = 0;
    let (seen, deepest) = each(World::new(2), STATES, |op| {
        refused_to_join += usize::from(matches!(op, Op::Join(..)));
    });
    assert!(seen.len() > 400, "{} states", seen.len());
    assert!(deepest >= 5, "{deepest} steps");
    assert!(refused_to_join > 0);
    let ended = |status: ClaimStatus| seen.iter().any(|key| key.contains(status.name()));
    assert!(ClaimStatus::ALL.into_iter().filter(|s| *s != ClaimStatus::InReport).all(ended));
}

/// Checks that a decision does what its steps do one by one, and is refused if one of them is.
fn same_one_by_one(world: &World, decided: &World, (steps, is_done): (&[Op], bool)) {
    let mut other = world.clone();
    let all = steps.iter().all(|step| other.run(step).is_ok());
    assert_eq!(all, is_done, "{steps:?} after {:?}", world.history);
    if is_done {
        assert_eq!(other.key(), decided.key(), "{steps:?} after {:?}", world.history);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
    /// What a person decides about a claim can end its deadline or move it. Nothing else moves it to a later day. And a
    /// claim wins the amount that was recorded last, and no other one beside it.
    #[test]
    fn no_deadline_becomes_later_without_a_decision_about_the_claim(
        steps in proptest::collection::vec(any::<Index>(), 1..60),
    ) {
        let mut world = World::with_letters(3);
        for step in steps {
            let all = [Op::all(&world), Op::decisions(&world)].concat();
            let op = step.get(&all);
            let mut next = world.clone();
            let done = next.run(op).is_ok();
            if let Some(steps) = world.one_by_one(op) {
                same_one_by_one(&world, &next, (&steps, done));
            }
            if !done {
                continue;
            }
            next.expect_amounts();
            next.expect_clocks(&world);
            for (row, expected) in next.expected_deadlines() {
                prop_assert_eq!(row.deadline, expected, "{:?}: {:?}", row.id, next.history);
            }
            let decided = world.decided(op);
            for ((id, before), (_, after)) in world.deadlines().into_iter().zip(next.deadlines()) {
                let kept = before.is_none_or(|before| after.is_some_and(|after| after <= before));
                prop_assert!(kept || decided.contains(&id), "{id:?}: {:?}", next.history);
            }
            world = next;
        }
    }
}
