//! Moves of a practice whose names others ask for, and that has moved before.

use super::*;
use std::rc::Rc;

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
    // Nothing of it, or only the claims, goes while the move back notes what changes.
    for noted in [false, true] {
        destroyed_after_a_move(noted);
    }
}

fn destroyed_after_a_move(noted: bool) {
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
    let destroy = |table: &str| {
        assert!(world.write(&format!("DELETE FROM {table} WHERE practice_id = '{}'", world.practice)), "{table}");
    };
    of_claims.for_each(|table| destroy(&table.name));
    if noted {
        world.begin(1);
        assert_eq!(world.carry_on(10), Err(LOST));
    }
    destroy("claims");
    let before = world.rows(2);
    if !noted {
        world.begin(1);
    }
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
    futures_executor(world.commit(&ctx, (Vec::new(), vec![begun]))).unwrap();
    assert!(world.open().is_none());
}

const LOGIN: &str = r#"["x0identities","x0identities","x0identities"]"#;

#[test]
fn a_practice_stays_while_somebody_else_of_the_cell_may_be_about_to_take_one_of_its_names() {
    for (table, name) in [("addresses", "x0users"), ("logins", LOGIN), ("domains", "x0practice_domains")] {
        let world = World::new();
        world.begin(2);
        let just_now = world.now.get() + 120_000;
        let row = format!("INSERT INTO {table} VALUES ('{name}', 'later', 1, {just_now})");
        world.cells[0].borrow().db.execute_batch(&row).unwrap();
        world.carry_on(usize::MAX).unwrap();
        assert_eq!(world.place(), 1, "{table}");
        assert!(world.write("UPDATE practices SET name = 'Mine' WHERE sandbox_of IS NULL"), "{table}");
        world.carry_on(usize::MAX).unwrap();
        assert_eq!((world.place(), world.text(0, &format!("SELECT CAST(cell AS TEXT) FROM {table}"))), (2, "2".into()));
    }
}

const IS_SWITCHED: &str = "SELECT count(*) FROM moves WHERE step = 'switched'";

/// How many batches a move has before its switch.
fn before_the_switch() -> usize {
    let world = World::new();
    let (batches, switched) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (ran, at) = (Rc::clone(&batches), Rc::clone(&switched));
    world.between.borrow_mut().push(Box::new(move |world| {
        if at.get() == 0 && world.cells[0].borrow().count(IS_SWITCHED) == 1 {
            at.set(ran.get());
        }
        ran.set(ran.get() + 1);
    }));
    world.begin(2);
    batches.set(0);
    world.carry_on(usize::MAX).unwrap();
    switched.get()
}

/// A move that broke off right after the switch. Writes passed again, and somebody joined with the address `x`.
fn joined_after_the_switch(before: usize) -> World {
    let world = World::new();
    world.begin(2);
    world.runs_the_lost.set(true);
    assert_eq!(world.carry_on(before), Err(LOST));
    assert_eq!(world.cells[0].borrow().count(IS_SWITCHED), 1);
    world.cells[1].borrow().db.execute("UPDATE moving SET state = 'leaving'", []).unwrap();
    for joins in ["state = 'invited', email_key = 'x'", "state = 'active'"] {
        assert!(world.write(&format!("UPDATE users SET {joins} WHERE id = 'x2users'")));
    }
    world
}

const HELD: &str = "SELECT user_id || ' in ' || cell FROM addresses WHERE email_key = 'x'";

#[test]
fn somebody_who_joins_between_the_switch_and_its_end_keeps_the_address_that_another_one_asks_for() {
    let world = joined_after_the_switch(before_the_switch());
    let just_now = world.now.get() + 120_000;
    let asks = format!("INSERT INTO addresses VALUES ('x', 'later', 1, {just_now})");
    world.cells[0].borrow().db.execute_batch(&asks).unwrap();
    world.carry_on(usize::MAX).unwrap();
    // As long as the other one may come, the index of the old cell refuses the address.
    assert_eq!(world.cells[1].borrow().count("SELECT count(*) FROM users WHERE email_key = 'x'"), 1);
    assert!(world.write("UPDATE practices SET name = 'Mine' WHERE sandbox_of IS NULL"));
    world.carry_on(usize::MAX).unwrap();
    assert!(world.open().is_none());
    assert_eq!(world.text(0, HELD), "x2users in 2");
}

#[test]
fn the_address_of_somebody_who_joins_after_the_switch_leads_to_the_new_cell_wherever_it_breaks_off() {
    let before = before_the_switch();
    let mut batches = 0;
    loop {
        batches += 1;
        let world = joined_after_the_switch(before);
        world.cells[0].borrow().db.execute_batch("INSERT INTO addresses VALUES ('x', 'x2users', 1, 0)").unwrap();
        world.runs_the_lost.set(batches % 2 == 0);
        let went = world.carry_on(batches);
        world.carry_on(usize::MAX).unwrap();
        assert_eq!((world.open().is_none(), world.text(0, HELD)), (true, "x2users in 2".into()), "{batches}");
        if went.is_ok() {
            break;
        }
    }
    assert!(batches > 10);
}

#[test]
fn a_sandbox_that_is_made_after_the_switch_opens_with_its_practice() {
    let world = World::new();
    let was = format!("UPDATE practices SET sandbox_of = NULL, clock_ms = 0 WHERE id = '{}'", seed::SANDBOX);
    assert!(world.write(&was));
    world.between.borrow_mut().push(Box::new(|world| {
        if world.cells[0].borrow().count(IS_SWITCHED) == 1 {
            world.left.set(0);
        }
    }));
    world.begin(2);
    assert_eq!(world.carry_on(usize::MAX), Err(LOST));
    world.between.borrow_mut().clear();
    // Writes waited as long as they do.
    world.cells[1].borrow().db.execute("UPDATE moving SET state = 'leaving'", []).unwrap();
    assert!(world.write(&format!(
        "INSERT INTO practices (id, name, state, created_at, sandbox_of) VALUES ('late', 'Sandbox', 'active', 1, '{}')",
        world.practice
    )));
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.text(2, "SELECT state FROM practices WHERE id = 'late'")), (2, "active".into()));
}

#[test]
fn what_stays_in_the_old_cell_keeps_no_name_from_others_there() {
    let world = World::new();
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    // In the new cell, the practice and its people give up their names.
    let given_up =
        "UPDATE users SET state = 'removed' WHERE id = 'x0users'; DELETE FROM identities WHERE user_id = 'x0users';
         DELETE FROM practice_domains WHERE domain = 'x0practice_domains'";
    world.cells[2].borrow().db.execute_batch(given_up).unwrap();
    let taken = "INSERT INTO practices (id, name, state, created_at) VALUES ('other', 'Other', 'active', 1);
         INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
           VALUES ('u', 'other', 'owner', 'active', 'x', 'x0users', 'Ann', 1);
         INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
           VALUES ('u', 'i', 'x0identities', 'x0identities', 'x0identities', 'x', 1);
         INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
           VALUES ('other', 'd', 'x0practice_domains', 't', 1, 1)";
    world.cells[1].borrow().db.execute_batch(taken).unwrap();
    let before = world.rows(2);
    world.begin(1);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.rows(1)), (1, before));
}
