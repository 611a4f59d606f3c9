//! A practice whose data was destroyed: nothing is left of it but what the interface names, and no key opens what was sealed.

use crate::world::World;
use std::collections::BTreeSet;

/// What is kept: the practice, its people with what they sign in by and their answers of a day, agreements, keys without their
/// values, the jobs with their letters, the trail, and for two days how often which claim was compared.
const KEPT: [&str; 21] = [
    "practices",
    "users",
    "sessions",
    "continuations",
    "links",
    "factors",
    "recovery_codes",
    "passkeys",
    "password_tries",
    "identities",
    "answers",
    "patients_opened",
    "agreements",
    "api_keys",
    "api_tokens",
    "practice_keys",
    "data_jobs",
    "notices",
    "mismatches",
    "audit",
    "trail_heads",
];

/// What staff saved, in the first cell. Those that name the practice go.
const FILTERS: &str = "queue_filters";

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    let left = world.model.borrow().left.clone();
    for n in left {
        let (db, id) = (world.database(n), &world.practices[n].id);
        let sandbox = world.model.borrow().sandboxes.iter().find(|of| of.practice == n).map(|of| of.id.clone());
        let mut count = |what: &str, rows: &str| {
            let count: i64 = [id].into_iter().chain(&sandbox).map(|id| super::count(db, rows, [id])).sum();
            if count > 0 {
                problems.push(format!("the data of practice {n} was destroyed, and there are {count} {what}"));
            }
        };
        let left_behind = |table: &&str| !KEPT.contains(table) && *table != FILTERS;
        for table in super::cells::tables(db).iter().map(|(table, _)| &**table).filter(left_behind) {
            count(table, &format!("SELECT count(*) FROM {table} WHERE practice_id = ?1"));
        }
        count("keys of its data", "SELECT count(*) FROM practice_keys WHERE practice_id = ?1 AND wrapped IS NOT NULL");
        count("destructions under way", "SELECT count(*) FROM data_jobs WHERE practice_id = ?1 AND state = 'running'");
        let done = "SELECT count(*) FROM data_jobs WHERE practice_id = ?1 AND kind = 'destruction' AND state = 'done'";
        if super::count(db, done, [id]) != 1 {
            problems.push(format!("the data of practice {n} is not destroyed"));
        }
        let named = format!("SELECT count(*) FROM {FILTERS} WHERE instr(query, ?1) > 0");
        if super::count(world.platform.cells[0].connection(), &named, [id]) > 0 {
            problems.push(format!("the data of practice {n} was destroyed, and a filter of staff names it"));
        }
        problems.extend(names(world, n));
    }
    problems
}

/// Where a claim of a practice is still named: nowhere but in the trail, and in what is kept for a day or two.
fn names(world: &World, practice: usize) -> Vec<String> {
    let model = world.model.borrow();
    let claims = model.claims_before(practice, u64::MAX);
    let mut named = BTreeSet::new();
    let mut look = |place: &str, text: &str| {
        let is_kept = ["audit.", "answers.", "mismatches."].iter().any(|kept| place.starts_with(kept));
        if !is_kept && claims.iter().any(|claim| text.contains(claim)) {
            named.insert(format!("a claim of practice {practice}, which was destroyed, is named in {place}"));
        }
    };
    for db in world.platform.connections() {
        super::privacy::columns(db, &mut look).expect("the columns can be read");
    }
    named.into_iter().collect()
}
