//! Moves of a practice whose names others ask for, and that has moved before.

use super::*;

impl World {
    /// Reads one text in a cell.
    fn text(&self, cell: usize, sql: &str) -> String {
        self.cells[cell].borrow().db.query_row(&format!("SELECT ({sql})"), [], |row| row.get(0)).unwrap()
    }
}

#[test]
fn names_go_with_their_holders_also_if_others_of_the_cell_asked_for_them() {
    let world = World::new();
    let own = format!("(SELECT id FROM users WHERE practice_id = '{}' ORDER BY id LIMIT 1)", world.practice);
    let (person, address) =
        (world.text(1, &own), world.text(1, &format!("SELECT email_key FROM users WHERE id = {own}")));
    let invited =
        format!("UPDATE users SET state = 'invited' WHERE practice_id = '{}' AND id <> '{person}'", world.practice);
    world.cells[1].borrow().db.execute_batch(&invited).unwrap();
    let other = world.text(1, "SELECT email_key FROM users WHERE state = 'invited' LIMIT 1");
    let login =
        format!("SELECT json_array(provider, issuer, subject) FROM identities WHERE user_id = '{person}' LIMIT 1");
    let login = world.text(1, &login);
    let domain = format!(
        "SELECT domain FROM practice_domains WHERE practice_id = '{}' AND verified_at IS NOT NULL LIMIT 1",
        world.practice
    );
    let domain = world.text(1, &domain);
    let rows = format!(
        "INSERT INTO addresses (email_key, user_id, cell) VALUES ('{address}', 'later', 1), ('{other}', 'holder', 1);
         INSERT INTO logins (login, user_id, cell) VALUES ('{login}', 'later', 1);
         INSERT INTO domains (domain, practice_id, cell) VALUES ('{domain}', 'later', 1)"
    );
    world.cells[0].borrow().db.execute_batch(&rows).unwrap();
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    let held = |table: &str, key: &str, holder: &str| {
        world.text(0, &format!("SELECT {holder} || ' in ' || cell FROM {table} WHERE {key}"))
    };
    assert_eq!(held("addresses", &format!("email_key = '{address}'"), "user_id"), format!("{person} in 2"));
    assert_eq!(
        held("addresses", &format!("email_key = '{other}'"), "user_id"),
        "holder in 1",
        "who is invited has none"
    );
    assert_eq!(held("logins", "true", "user_id"), format!("{person} in 2"));
    assert_eq!(held("domains", "true", "practice_id"), format!("{} in 2", world.practice));
}

#[test]
fn what_is_destroyed_after_a_move_is_not_in_the_cell_that_it_comes_back_to() {
    let world = World::new();
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    let running = format!(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals)
         VALUES ('{}', 'z', 'destruction', 'running', 1, 'x', '{{}}')",
        world.practice
    );
    assert!(world.write(&running));
    let tables = world.tables();
    let of_claims = tables.iter().rev().filter(|table| table.columns.iter().any(|column| column == "claim_id"));
    for table in of_claims.map(|table| &*table.name).chain(["claims"]) {
        assert!(world.write(&format!("DELETE FROM {table} WHERE practice_id = '{}'", world.practice)), "{table}");
    }
    let before = world.rows(2);
    world.begin(1);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.rows(1)), (1, before));
}

#[test]
fn a_move_does_not_begin_in_a_cell_where_the_practice_lived_before() {
    let world = World::new();
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    let ctx = world.ctx().unwrap();
    let begun = record::begin(&ctx, world.practice, [Number(1), Number(0)]);
    futures_executor(world.commit(&ctx, (Vec::new(), begun.into()))).unwrap();
    assert!(world.open().is_none());
}
