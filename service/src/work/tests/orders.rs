//! Orders of what people and systems do to claims. Three searches try every order up to a number of steps: what can move
//! the deadline of one claim (5 steps), what can change its amount (7 steps), and opening, joining, filing and moving with two
//! claims and two cases (5 steps). A fourth one tries all of this in orders of up to 60 steps by chance, with a third claim
//! whose facts come later.

use super::world::{Op, World};
use overturn_core::claims::ClaimStatus;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;

/// Checks every order of so many actions. Of equal states, one is continued. Returns the states before the last action.
fn each(start: World, steps: usize, all: impl Fn(&World) -> Vec<Op>, mut refused: impl FnMut(&Op)) -> BTreeSet<String> {
    let mut seen = BTreeSet::from([start.key()]);
    let mut worlds = vec![start];
    for step in 1..=steps {
        let mut reached = Vec::new();
        for world in worlds {
            for op in all(&world) {
                match checked(&world, &op) {
                    None => refused(&op),
                    Some(next) if step < steps && seen.insert(next.key()) => reached.push(next),
                    Some(_) => {}
                }
            }
        }
        worlds = reached;
    }
    seen
}

/// The world after an action, `None` if it is refused.
fn checked(world: &World, op: &Op) -> Option<World> {
    let mut next = world.clone();
    let is_done = next.run(op).is_ok();
    if let Some(steps) = op.one_by_one(world) {
        same_one_by_one(world, &next, (&steps, is_done));
    }
    if is_done {
        next.expect(op, world);
    }
    is_done.then_some(next)
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

/// Up to five steps of letters, resends, time and an appeal. Without a denial date, the rule's date comes with a resend.
#[test]
fn no_order_of_letters_resends_and_steps_moves_a_deadline_to_a_later_day() {
    let known = each(World::in_review(true), 5, Op::of_dates, |_| {});
    let unknown = each(World::in_review(false), 5, Op::of_dates, |_| {});
    assert!(known.len() > 500 && unknown.len() > 1_500, "{} and {} states", known.len(), unknown.len());
}

/// Up to seven steps of decisions and what corrects them.
#[test]
fn no_order_of_decisions_and_corrections_wins_an_amount_twice() {
    let seen = each(World::in_review(true), 7, Op::of_amounts, |_| {});
    assert!(seen.len() > 600, "{} states", seen.len());
    for amount in ["8000", "3500", "12000"] {
        assert!(seen.iter().any(|key| key.contains(amount)), "{amount}");
    }
}

/// Up to five steps of staff.
#[test]
fn a_claim_for_which_nothing_was_filed_has_its_deadline_after_every_order_of_events() {
    let mut refused_to_join = 0;
    let seen = each(World::new(2), 5, Op::all, |op| {
        refused_to_join += usize::from(matches!(op, Op::Join(..)));
    });
    assert!(seen.len() > 400, "{} states", seen.len());
    assert!(refused_to_join > 0);
    let ended = |status: ClaimStatus| seen.iter().any(|key| key.contains(status.name()));
    assert!(ClaimStatus::ALL.into_iter().filter(|s| *s != ClaimStatus::InReport).all(ended));
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
            if let Some(next) = checked(&world, step.get(&all)) {
                world = next;
            }
        }
    }
}
