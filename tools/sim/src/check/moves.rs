//! Moves at the end: each practice lives where the operator was told, and no cell waits for one.

use crate::states;
use crate::world::World;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    if world.plan.moving == 0 {
        return problems;
    }
    let directory = world.platform.connections().next().expect("a world has a cell");
    for (n, practice) in world.practices.iter().enumerate() {
        let entered = world.model.borrow().moves.places(n, practice.cell);
        if entered != [(world.cell(n), 1)] {
            problems.push(format!("practice {n} began in cell {}, and entered and left {entered:?}", practice.cell));
        }
        let placed = "SELECT ifnull((SELECT cell FROM places WHERE practice_id = ?1), ?2)";
        let placed = super::count(directory, placed, (&practice.id, practice.cell));
        if placed != i64::from(world.cell(n)) {
            problems.push(format!("practice {n} moved to cell {}, and the directory has {placed}", world.cell(n)));
        }
    }
    problems.extend(super::broken(world, &RULES));
    problems
}

const RULES: [(&str, &str); 2] = [
    ("no practice moves any more", "SELECT count(*) FROM moving WHERE state NOT IN ('here', 'gone')"),
    ("no change waits to be copied", "SELECT count(*) FROM moving_changes"),
];

/// Notes at which steps of moves a sweep was cut off.
pub(crate) fn broken_off(world: &World) {
    let directory = world.platform.connections().next().expect("a world has a cell");
    let mut open = directory.prepare_cached("SELECT step FROM moves WHERE ended_at IS NULL").expect("a query");
    let steps = open.query_map([], |row| row.get(0)).expect("the moves can be read");
    for step in steps {
        let step: String = step.expect("a row");
        states::of_step(&step).into_iter().for_each(|state| world.trace.sometimes(state));
    }
}
