//! Batches that run late, switches that break off, and what is easily left behind.

use super::{FINDS, LOST, World, futures_executor, seed};
use crate::moving::cell;
use crate::moving::course::{carry_on, read};
use crate::moving::{KEPT_MS, record};
use crate::sqlite::fault;
use crate::store::error::{DatabaseError, LEFT};
use overturn_core::base::cell::Cell as Number;
use overturn_core::base::instant::Instant;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[test]
fn a_batch_that_runs_again_late_changes_nothing() {
    for lag in [1, 3, 20] {
        let world = World::new();
        world.lag.set(lag);
        let written = Rc::new(Cell::new(0));
        let counted = Rc::clone(&written);
        // What is copied is other than before from batch to batch.
        world.between.borrow_mut().push(Box::new(move |world| {
            let n = counted.get() + 1;
            let (practice, before) = (world.practice, n - 1);
            let write = format!(
                "UPDATE practices SET name = 'Name {n}' WHERE id = '{practice}';
                 UPDATE claims SET payer_name = 'Payer {n}' WHERE practice_id = '{practice}';
                 DELETE FROM notices WHERE practice_id = '{practice}' AND id = 'w{before}';
                 INSERT INTO notices (practice_id, id, kind, at, next_at) VALUES ('{practice}', 'w{n}', 'x', 1, 1)"
            );
            if world.write(&write) {
                counted.set(n);
            }
        }));
        for to in [2, 0] {
            world.begin(to);
            for _ in 0..5 {
                world.carry_on(usize::MAX).unwrap();
            }
            assert_eq!((world.place(), world.open().is_none()), (to, true), "{lag}");
            let here = world.cells[usize::from(to)].borrow();
            let n = written.get();
            assert_eq!(here.count(&format!("SELECT count(*) FROM practices WHERE name = 'Name {n}'")), 1, "{lag}");
            assert_eq!(here.count(&format!("SELECT count(*) FROM notices WHERE id = 'w{n}'")), 1, "{lag}");
            assert_eq!(here.count("SELECT count(*) FROM notices WHERE id LIKE 'w%'"), 1, "{lag}");
        }
        assert!(written.get() > 100, "{}", written.get());
    }
}

#[test]
fn a_practice_is_never_in_two_cells_and_in_between_calls_are_led_to_where_it_opens() {
    for runs_the_lost in [false, true] {
        let world = World::new();
        world.runs_the_lost.set(runs_the_lost);
        let gaps = Rc::new(Cell::new(0));
        let seen = Rc::clone(&gaps);
        world.between.borrow_mut().push(Box::new(move |world| {
            let finds = |cell: &usize| world.cells[*cell].borrow().count(FINDS) == 1;
            let found: Vec<usize> = (0..3).filter(finds).collect();
            assert!(found.len() < 2, "{found:?}");
            if found.is_empty() {
                seen.set(seen.get() + 1);
                let leads = "SELECT cell FROM forwards WHERE what = 'x0api_keys'";
                let led = |cell: usize| world.cells[cell].borrow().count(leads);
                assert_eq!((led(1), led(2)), (2, 2));
                let waits = "SELECT opened_at IS NULL FROM forwards WHERE what = 'x0api_keys'";
                assert_eq!(world.cells[2].borrow().count(waits), 1);
            }
        }));
        world.begin(2);
        for batches in 1.. {
            let went = world.carry_on(batches);
            assert!(matches!(went, Ok(()) | Err(LOST)), "{went:?}");
            if world.open().is_none() {
                break;
            }
        }
        assert_eq!(world.cells[2].borrow().count(FINDS), 1);
        assert_eq!(world.cells[2].borrow().count("SELECT count(*) FROM forwards WHERE opened_at IS NULL"), 0);
        assert!(gaps.get() > 1, "{}", gaps.get());
    }
}

/// The end of [`many`] claims.
fn none(world: &World) -> String {
    let practice = world.practice;
    format!(
        "DROP TRIGGER claim_events_stay; DELETE FROM claim_events WHERE practice_id = '{practice}' AND claim_id LIKE 'many%';
         DELETE FROM claims WHERE practice_id = '{practice}' AND id LIKE 'many%';"
    )
}

/// So many claims with events.
fn many(world: &World, count: usize) -> String {
    let practice = world.practice;
    let fixture = world.cells[1].borrow();
    let copy = |table: &str, own: &[(&str, &str)]| {
        let mut columns = fixture.db.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        let columns: Vec<String> = columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let value = |column: &String| {
            let own = own.iter().find(|(name, _)| name == column);
            own.map_or_else(|| format!("t.{column}"), |(_, value)| (*value).to_owned())
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        format!(
            "INSERT INTO {table} SELECT {} FROM (SELECT * FROM {table} WHERE practice_id = '{practice}' LIMIT 1) t,
               (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {count}) SELECT n FROM r);",
            values.join(", ")
        )
    };
    let [id, number] = ["'many' || n", "'number' || n"];
    copy("claims", &[("id", id), ("claim_number", number), ("patient_tag", number), ("changed", "100000 + n")])
        + &copy("claim_events", &[("claim_id", id)])
}

const MANY: &str = "SELECT count(*) FROM claims WHERE id LIKE 'many%'";

/// Goes on with a move until so many of the claims are copied.
fn copy_many(world: &World, least: i64) {
    for batches in 1.. {
        assert_eq!(world.carry_on(batches), Err(LOST));
        if world.cells[2].borrow().count(MANY) >= least {
            break;
        }
    }
}

#[test]
fn more_changes_than_are_followed_at_once_come_with_what_they_refer_to_and_go_before_it() {
    let world = World::new();
    let there = || world.cells[2].borrow().count(MANY);
    world.begin(2);
    assert_eq!(world.carry_on(6), Err(LOST));
    assert!(world.write(&many(&world, 2 * cell::CHANGES)));
    copy_many(&world, 501);
    assert!(world.write(&none(&world)));
    while world.open().is_some() {
        world.carry_on(usize::MAX).unwrap();
    }
    assert_eq!((world.place(), there()), (2, 0));
}

#[test]
fn changes_of_tables_that_are_not_copied_yet_wait_for_them() {
    let world = World::new();
    let before = Rc::new(RefCell::new(None));
    let written = Rc::clone(&before);
    world.between.borrow_mut().push(Box::new(move |world| {
        let there = |table: &str| world.cells[2].borrow().count(&format!("SELECT count(*) FROM {table}")) > 0;
        let mut written = written.borrow_mut();
        if written.is_none() && there("claims") && !there("webhooks") {
            // The events of a new claim come together with the endpoint of a delivery that changed.
            let late = format!("UPDATE deliveries SET attempts = 7 WHERE practice_id = '{}'", world.practice);
            assert!(world.write(&(many(world, 1) + &late)));
            *written = Some(world.rows(1));
        }
    }));
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), Some(world.rows(2))), (2, before.take()));
}

#[test]
fn tables_of_several_pages_are_copied_wherever_a_move_breaks_off() {
    let world = World::new();
    assert!(world.write(&many(&world, 450)));
    let before = world.rows(1);
    world.begin(2);
    let mut most = 0;
    for batches in 7.. {
        let went = world.carry_on(batches);
        assert!(matches!(went, Ok(()) | Err(LOST)), "{went:?}");
        most = batches;
        if world.open().is_none() {
            break;
        }
    }
    assert!(most > 10, "{most}");
    assert_eq!((world.place(), world.rows(2)), (2, before));
}

#[test]
fn rows_that_are_too_large_for_an_answer_are_copied_in_smaller_parts() {
    let world = World::new();
    assert!(world.write(&many(&world, 450)));
    assert!(world.write("UPDATE claims SET sealed = hex(zeroblob(2000)) WHERE id LIKE 'many%'"));
    // The description of all tables fits.
    world.largest.set(120_000);
    world.begin(2);
    copy_many(&world, 450);
    assert!(world.write("UPDATE claims SET payer_name = 'Another payer' WHERE id LIKE 'many%'"));
    let before = world.rows(1);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.rows(2)), (2, before));
}

#[test]
fn claims_exchange_the_numbers_of_their_changes_while_they_are_copied() {
    let world = World::new();
    assert!(world.write(&many(&world, 450)));
    world.begin(2);
    copy_many(&world, 450);
    // As in a sandbox that is emptied and gets the same claims in another order.
    assert!(world.write(&format!(
        "UPDATE practices SET counted = 0;
         UPDATE claims SET changed = changed + 1000000 WHERE practice_id = '{0}' AND id LIKE 'many%';
         UPDATE claims SET changed = 1100000 + 100451 - changed WHERE practice_id = '{0}' AND id LIKE 'many%';",
        world.practice
    )));
    let before = world.rows(1);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.rows(2)), (2, before));
}

#[test]
fn writes_that_waited_too_long_pass_and_are_copied_before_the_practice_goes() {
    let world = World::new();
    world.begin(2);
    let written = Rc::new(Cell::new(0));
    let counted = Rc::clone(&written);
    world.between.borrow_mut().push(Box::new(move |world| {
        let source = world.cells[1].borrow();
        let is_decided = world.place() == 2 && counted.get() < 3;
        // As `Db` does for who waits.
        if is_decided
            && source.db.execute("UPDATE moving SET state = 'leaving' WHERE state = 'fenced'", []).unwrap() > 0
        {
            drop(source);
            counted.set(counted.get() + 1);
            assert!(
                world.write(&format!("UPDATE practices SET name = 'Late {}' WHERE sandbox_of IS NULL", counted.get()))
            );
        }
    }));
    for _ in 0..8 {
        world.carry_on(usize::MAX).unwrap();
    }
    assert!(world.open().is_none());
    assert_eq!(written.get(), 3);
    assert_eq!(world.cells[2].borrow().count("SELECT count(*) FROM practices WHERE name = 'Late 3'"), 1);
}

#[test]
fn the_answers_that_are_kept_for_the_staff_come_along_and_none_of_others_go() {
    let world = World::new();
    let staff = "INSERT INTO users (id, role, state, email, email_key, name, created_at)
                 VALUES ('staff', 'staff', 'active', 's@x', 'staff', 'S', 1);";
    let answer = |place: &str| {
        format!(
            "INSERT INTO answers (user_id, place, fingerprint, status, body, at, request_id)
             VALUES ('staff', '{place}', 'f', 200, '{{}}', 1, 'r')"
        )
    };
    for (cell, place) in [(1, "before"), (2, "theirs")] {
        world.cells[cell].borrow().db.execute_batch(&format!("{staff}{}", answer(place))).unwrap();
    }
    world.begin(2);
    assert_eq!(world.carry_on(6), Err(LOST));
    world.cells[1].borrow().db.execute_batch(&answer("meanwhile")).unwrap();
    world.carry_on(usize::MAX).unwrap();
    assert_eq!(world.place(), 2);
    let kept = |cell: usize| world.cells[cell].borrow().count("SELECT count(*) FROM answers WHERE user_id = 'staff'");
    assert_eq!((kept(1), kept(2)), (2, 3));
}

#[test]
fn an_upload_that_begins_late_where_the_practice_was_makes_no_object_loose_there() {
    let world = World::new();
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    let begun = format!(
        "INSERT INTO loose_objects (practice_id, id, due_at) SELECT '{}', 'late', 1
         WHERE NOT EXISTS (SELECT 1 FROM documents WHERE id = 'late') ON CONFLICT DO NOTHING",
        world.practice
    );
    let late = || world.cells[1].borrow().db.execute_batch(&begun).map_err(fault);
    assert_eq!(late(), Err(DatabaseError::Transient(LEFT)));
    world.now.set(world.now.get() + 2 * KEPT_MS);
    for mv in futures_executor(read(&world, Number::FIRST, &record::open(Instant(i64::MAX >> 11)))).unwrap() {
        futures_executor(carry_on(&world, mv, Instant(i64::MAX))).unwrap();
    }
    assert_eq!(world.cells[1].borrow().count("SELECT count(*) FROM loose_objects"), 0);
}

#[test]
fn a_practice_whose_trail_was_changed_stays_and_works() {
    for change in ["UPDATE audit SET detail = 'y' WHERE seq = 2", "UPDATE trail_heads SET digest = 'y' WHERE seq = 3"] {
        let world = World::new();
        world.cells[1].borrow().drop_triggers();
        world.cells[1].borrow().db.execute(change, []).unwrap();
        world.begin(2);
        let went = world.carry_on(usize::MAX);
        assert_eq!(
            went,
            Err(DatabaseError::Broken("a trail is not as it was written: verify it, and cancel the move")),
            "{change}"
        );
        assert_eq!(world.place(), 1);
        assert!(world.write("UPDATE practices SET name = 'Mine' WHERE sandbox_of IS NULL"));
        world.cancel();
        world.assert_gone(2);
    }
}

#[test]
fn a_trail_that_is_linked_while_it_moves_is_verified_to_its_end() {
    let world = World::new();
    let written = Rc::new(Cell::new(3));
    let counted = Rc::clone(&written);
    world.between.borrow_mut().push(Box::new(move |world| {
        let (of, n) = (world.practice.to_string(), counted.get() + 1);
        let Some(cell) = world.cells.iter().find(|cell| cell.borrow().count(FINDS) == 1) else { return };
        let links = seed::links(&cell.borrow(), &of);
        let row = format!(
            "INSERT INTO audit (practice_id, id, seq, at, actor, action, record, request_id)
             VALUES ('{of}', 'w{n}', {n}, 1, 'service', 'x', 'x', 'x');"
        );
        if world.write(&(links + &row)) {
            counted.set(n);
        }
    }));
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.open().is_none()), (2, true));
    assert!(written.get() > 50, "{}", written.get());
}
