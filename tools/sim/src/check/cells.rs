//! Which cell has what: all of a practice in its own, beside copies of staff in others, and each address once.

use crate::states;
use crate::world::World;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Tables of the directory, which name practices of all cells.
const OF_DIRECTORY: [&str; 4] = ["places", "domains", "addresses", "logins"];

pub(crate) fn check(world: &World) -> Vec<String> {
    if world.plan.cells == 1 {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (cell, db) in (0..).zip(world.platform.connections()) {
        strays(world, (cell, db), &mut problems);
    }
    copies(world, &mut problems);
    addresses(world, &mut problems);
    problems
}

/// The rows of practices that live elsewhere, and what is in the staff's trail outside of the directory.
fn strays(world: &World, (cell, db): (u16, &Connection), problems: &mut Vec<String>) {
    let model = world.model.borrow();
    let practices = world.practices.iter().enumerate().map(|(n, practice)| (n, &*practice.id));
    // A sandbox lives beside its practice.
    let all = practices.chain(model.sandboxes.iter().map(|sandbox| (sandbox.practice, &*sandbox.id)));
    let elsewhere = all.filter(|(n, _)| world.cell(*n) != cell).map(|(_, id)| id);
    let elsewhere = serde_json::to_string(&elsewhere.collect::<Vec<_>>()).expect("a list of ids");
    // The operator re-seals the factors of each cell in that cell.
    const OF_STAFF: &str = "SELECT count(*) FROM audit WHERE practice_id = 'staff' AND action <> 'factors.resealed'";
    if cell > 0 && super::count(db, OF_STAFF, []) > 0 {
        problems.push(format!("cell {cell} has rows of the staff's trail"));
    }
    for (table, of) in tables(db) {
        let strays = match &**table {
            "practices" => format!("SELECT count(*) FROM practices WHERE id IN {NAMED} AND name <> ''"),
            "users" => format!("SELECT count(*) FROM users WHERE practice_id IN {NAMED} AND {CALLED}"),
            _ if of == "user_id" => format!(
                "SELECT count(*) FROM {table} WHERE user_id IN (SELECT id FROM users WHERE practice_id IN {NAMED})"
            ),
            _ => format!("SELECT count(*) FROM {table} WHERE practice_id IN {NAMED}"),
        };
        let strays = super::count(db, &strays, [&elsewhere]);
        if strays > 0 {
            problems.push(format!("cell {cell} has {strays} rows of practices of other cells in {table}"));
        }
    }
}

/// The practices that live elsewhere.
const NAMED: &str = "(SELECT value FROM json_each(?1))";
/// What a person is called by. Whoever has moved has nothing of it in the old cell, where only the id is left.
const CALLED: &str = "(name || email || email_key <> '' OR password_hash IS NOT NULL)";

/// The tables with rows of practices or their people, and the column that says whose they are.
pub(super) fn tables(db: &Connection) -> &'static [(String, String)] {
    static TABLES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    TABLES.get_or_init(|| {
        // Most of those with a person also have the practice, which comes first.
        let named = "SELECT s.name, min(c.name) FROM sqlite_schema s JOIN pragma_table_info(s.name) c
           WHERE s.type = 'table' AND (c.name IN ('practice_id', 'user_id') OR (s.name = 'practices' AND c.name = 'id'))
           GROUP BY 1";
        let mut named = db.prepare(named).expect("the schema can be read");
        let named = named.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("the schema can be read");
        let named: rusqlite::Result<Vec<(String, String)>> = named.collect();
        let mut named = named.expect("the schema can be read");
        named.retain(|(table, _)| !OF_DIRECTORY.contains(&&**table));
        named
    })
}

/// A member of staff outside of the directory is a copy, by which nobody signs in and which has nothing of its own.
fn copies(world: &World, problems: &mut Vec<String>) {
    let mut cells = world.platform.connections();
    let directory = cells.next().map(staff).unwrap_or_default();
    for (cell, db) in (1..).zip(cells) {
        for (id, is_bare) in staff(db) {
            world.trace.sometimes(states::COPIED);
            if !directory.contains_key(&id) || !is_bare {
                problems.push(format!("cell {cell} has {id} of the staff: as a copy {is_bare}"));
            }
        }
    }
}

/// The staff of a cell, and whether each is only a copy with sessions.
fn staff(db: &Connection) -> BTreeMap<String, bool> {
    const STAFF: &str = "SELECT u.id, u.email_key = u.id AND u.password_hash IS NULL
          AND NOT EXISTS (SELECT 1 FROM factors f WHERE f.user_id = u.id)
          AND NOT EXISTS (SELECT 1 FROM patients_opened o WHERE o.user_id = u.id)
        FROM users u WHERE u.practice_id IS NULL";
    let mut read = db.prepare_cached(STAFF).expect("a query");
    let staff = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("the staff can be read");
    staff.map(|row| row.expect("a row")).collect()
}

/// Each active account has an address of its own, which the directory knows with its cell.
fn addresses(world: &World, problems: &mut Vec<String>) {
    const ACTIVE: &str = "SELECT email_key, id FROM users WHERE state = 'active' AND email_key <> id";
    const KNOWN: &str = "SELECT count(*) FROM addresses WHERE email_key = ?1 AND cell = ?2";
    let directory = world.platform.connections().next().expect("a world has a cell");
    let mut seen = BTreeMap::<String, String>::new();
    for (cell, db) in (0_u16..).zip(world.platform.connections()) {
        let mut read = db.prepare_cached(ACTIVE).expect("a query");
        let active = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("the accounts can be read");
        for row in active {
            let (address, id): (String, String) = row.expect("a row");
            if super::count(directory, KNOWN, (&address, cell)) != 1 {
                problems.push(format!("the directory does not know that {address} is in cell {cell}"));
            }
            if let Some(other) = seen.insert(address.clone(), id.clone()) {
                problems.push(format!("{address} is active as {other} and as {id}"));
            }
        }
    }
}
