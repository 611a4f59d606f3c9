//! Linearizability of each claim number: the answers must be those that some order of the calls gives, in which a call takes its
//! turn between its beginning and its answer. It searches as Wing and Gong do, and remembers what it has tried as Lowe does.

use crate::model::{Input, Model, Op, Output};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

/// The most calls about a number that are checked. More would not fit the set of those that had their turn.
pub(crate) const MOST: usize = 128;

type State = crate::model::State;

/// A call with the moment by which it has taken its turn.
struct Turn<'m> {
    op: &'m Op,
    until: u64,
    /// True if it may also never take a turn.
    is_optional: bool,
}

/// The numbers whose answers no order gives.
pub(crate) fn check(model: &Model) -> Vec<String> {
    let mut by_number = BTreeMap::<_, Vec<&Op>>::new();
    for op in &model.ops {
        by_number.entry((op.practice, &op.number)).or_default().push(op);
    }
    let mut problems = Vec::new();
    for ((practice, number), mut ops) in by_number {
        ops.sort_by_key(|op| op.began);
        // A read that nobody answered says nothing.
        ops.retain(|op| (&op.input, &op.output) != (&Input::Read, &Output::Unknown));
        ops.truncate(MOST);
        let turns: Vec<_> = ops.iter().map(|op| turn(model, op)).collect();
        if !is_linear(&turns) {
            problems.push(format!("no order of the calls explains {number} of practice {practice}:{}", story(&turns)));
        }
    }
    problems
}

fn turn<'m>(model: &Model, op: &'m Op) -> Turn<'m> {
    let answered = op.ended.unwrap_or(u64::MAX);
    let is_optional = op.output == Output::Unknown;
    let changes = !matches!(op.input, Input::Read);
    let deadline = model.access.deadline(op.practice, op.key, op.ended).filter(|_| changes);
    let until = if is_optional { u64::MAX } else { answered };
    Turn { op, until: deadline.map_or(until, |deadline| deadline.min(until)), is_optional }
}

fn is_linear(turns: &[Turn<'_>]) -> bool {
    let required = turns.iter().enumerate().filter(|(_, turn)| !turn.is_optional);
    let required = required.fold(0_u128, |all, (n, _)| all | 1 << n);
    search(turns, required, 0, None, &mut HashSet::new())
}

fn search(
    turns: &[Turn<'_>],
    required: u128,
    done: u128,
    state: Option<&State>,
    tried: &mut HashSet<(u128, Option<State>)>,
) -> bool {
    if done & required == required {
        return true;
    }
    if !tried.insert((done, state.cloned())) {
        return false;
    }
    let waits = |n: usize| done & 1 << n == 0;
    // Nothing may begin after a call that has to come first.
    let first_end = turns.iter().enumerate().filter(|(n, turn)| waits(*n) && !turn.is_optional);
    let first_end = first_end.map(|(_, turn)| turn.until).min().unwrap_or(u64::MAX);
    let last_begin = turns.iter().enumerate().filter(|(n, _)| !waits(*n)).map(|(_, turn)| turn.op.began).max();
    for (n, turn) in turns.iter().enumerate().filter(|(n, _)| waits(*n)) {
        let is_late = last_begin.is_some_and(|last| last > turn.until);
        if turn.op.began > first_end || is_late {
            continue;
        }
        let Some(next) = crate::model::apply(state, turn.op) else {
            continue;
        };
        // A call without an answer that changes nothing may as well never take its turn.
        let says_nothing = turn.is_optional && next.as_ref() == state;
        if !says_nothing && search(turns, required, done | 1 << n, next.as_ref(), tried) {
            return true;
        }
    }
    false
}

fn story(turns: &[Turn<'_>]) -> String {
    let mut story = String::new();
    for Turn { op, until, .. } in turns {
        let ended = op.ended.map_or("never".to_owned(), |ended| ended.to_string());
        let until = if *until == u64::MAX { String::new() } else { format!(", at {until} at the latest") };
        let _written = write!(
            story,
            "\n    {}–{ended}{until}: {:?} by key {:?} gives {:?}",
            op.began, op.input, op.key, op.output
        );
    }
    story
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Identity;

    const FIRST: Identity = Identity { patient: 1, claim: 1 };
    const OTHER: Identity = Identity { patient: 2, claim: 1 };

    fn op(began: u64, ended: Option<u64>, input: Input, output: Output) -> Op {
        Op { practice: 0, number: "A".into(), key: None, began, ended, input, output }
    }

    fn linear(ops: &[Op]) -> bool {
        let turns: Vec<_> = ops
            .iter()
            .map(|op| Turn { op, until: op.ended.unwrap_or(u64::MAX), is_optional: op.output == Output::Unknown })
            .collect();
        is_linear(&turns)
    }

    fn created(began: u64, ended: u64) -> Op {
        op(began, Some(ended), Input::Send(FIRST), Output::Created("x".into()))
    }

    fn found(began: u64, ended: u64) -> Op {
        op(began, Some(ended), Input::Read, Output::Found { id: "x".into(), status: "received".into() })
    }

    fn absent(began: u64, ended: u64) -> Op {
        op(began, Some(ended), Input::Read, Output::Absent)
    }

    #[test]
    fn a_claim_is_created_once() {
        assert!(linear(&[created(1, 2), found(3, 4)]));
        assert!(!linear(&[created(1, 4), created(2, 3)]));
        assert!(!linear(&[created(1, 2), absent(3, 4)]));
        assert!(linear(&[created(1, 4), absent(2, 3)]));
        assert!(!linear(&[found(1, 2), created(3, 4)]));
    }

    #[test]
    fn a_send_without_an_answer_may_be_done_at_any_time_or_never() {
        let lost = op(1, None, Input::Send(FIRST), Output::Unknown);
        assert!(linear(&[lost.clone(), absent(5, 6), found(7, 8)]));
        assert!(linear(&[lost.clone(), absent(7, 8)]));
        assert!(!linear(&[lost.clone(), found(5, 6), absent(7, 8)]));
        let refused = op(5, Some(6), Input::Send(OTHER), Output::OtherPatient);
        assert!(linear(&[lost, refused.clone()]));
        assert!(!linear(&[refused]));
    }

    #[test]
    fn what_comes_after_a_deadline_is_not_done() {
        let (late, before, after) = (created(1, 9), absent(3, 6), absent(5, 6));
        let turns = [Turn { op: &late, until: 4, is_optional: false }, turn_of(&after)];
        assert!(!is_linear(&turns));
        let earlier = [Turn { op: &late, until: 4, is_optional: false }, turn_of(&before)];
        assert!(is_linear(&earlier));
    }

    fn turn_of(op: &Op) -> Turn<'_> {
        Turn { op, until: op.ended.unwrap_or(u64::MAX), is_optional: false }
    }
}
