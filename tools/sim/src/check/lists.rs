//! What must hold of lists over all practices: each claim is there once, or its cell is said to be missing.

use crate::network::Reply;
use crate::states;
use crate::world::World;
use std::collections::BTreeSet;

/// Checks the first page of all claims. The call began and ended at these moments.
pub(crate) fn first_page(world: &World, (began, ended): (u64, u64), reply: &Reply) {
    let missing = missing(world, reply);
    let listed = listed(world, &missing, reply);
    if !reply.json["next_cursor"].is_null() {
        return;
    }
    let model = world.model.borrow();
    let mut problems = Vec::new();
    for (n, practice) in world.practices.iter().enumerate() {
        let may_miss = missing.contains(&u64::from(practice.cell)) || (world.moves(n) && !missing.is_empty());
        if may_miss || !model.access.is_signed(n, began, ended) {
            continue;
        }
        let left_out = model.claims_before(n, began).into_iter().find(|claim| !listed.contains(*claim));
        problems.extend(left_out.map(|claim| format!("a list of all claims leaves out claim {claim} of practice {n}")));
    }
    drop(model);
    problems.into_iter().for_each(|problem| world.wrong(problem));
}

/// The claims of a page, none of which comes twice or from a cell that is missing.
pub(crate) fn listed(world: &World, missing: &BTreeSet<u64>, reply: &Reply) -> BTreeSet<String> {
    let mut listed = BTreeSet::new();
    for claim in reply.json["claims"].as_array().into_iter().flatten() {
        let id = claim["id"].as_str().unwrap_or_default();
        let practice = world.practices.iter().position(|of| claim["practice"]["id"] == *of.id);
        let cell = practice.map(|n| u64::from(world.practices[n].cell));
        // While a practice moves, cells are asked once more, and the rows of the first time stay.
        if cell.is_none_or(|cell| missing.contains(&cell)) && world.plan.moving == 0 {
            world.wrong(format!("claim {id} is listed as one of cell {cell:?}, without {missing:?}"));
        }
        // The old rows stay as well if a practice moves for longer than the list waits. Then all cells are said to be missing.
        if !listed.insert(id.to_owned()) && (missing.is_empty() || world.plan.moving == 0) {
            world.wrong(format!("claim {id} is twice in a list"));
        }
    }
    listed
}

/// The cells that an answer says are missing.
pub(crate) fn missing(world: &World, reply: &Reply) -> BTreeSet<u64> {
    let missing = reply.json["missing_cells"].as_array().into_iter().flatten();
    let missing: BTreeSet<u64> = missing.filter_map(serde_json::Value::as_u64).collect();
    if !missing.is_empty() {
        world.trace.sometimes(states::LIST_MISSES);
        // While a practice moves, the first cell is asked once more as well.
        let least = if world.plan.moving > 0 { 0 } else { 1 };
        let is_possible = missing.iter().all(|cell| (least..world.plan.cells as u64).contains(cell));
        if !is_possible || world.plan.is_calm {
            world.wrong(format!("a list does without the cells {missing:?}"));
        }
    }
    missing
}
