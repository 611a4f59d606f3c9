use super::gaps::{filled, rests};
use super::*;
use crate::auth::role::Role;
use crate::store::own_cell;
use crate::testing::Fixture;
use crate::testing::people::{OWNER, user};

const FIRST: Holder = Holder { id: Uuid::from_u128(1), cell: Cell(1), reserved_at: Instant(5) };
const OTHER: Holder = Holder { id: Uuid::from_u128(2), cell: Cell(2), reserved_at: Instant(6) };

const ALL: [&Names; 3] = [&ADDRESSES, &DOMAINS, &LOGINS];

fn write(f: &mut Fixture, write: Write) {
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), vec![write])).unwrap();
}

#[test]
fn a_name_stays_with_its_first_holder_until_the_row_that_was_read_is_taken_over() {
    let mut f = Fixture::new();
    for names in ALL {
        let name = "a name";
        assert_eq!(f.read(&(names.holder)(name)), None);
        write(&mut f, (names.reserve)(name, FIRST));
        write(&mut f, (names.reserve)(name, OTHER));
        assert_eq!(f.read(&(names.holder)(name)), Some(FIRST));
        // Another one of the same cell, whose own index decides.
        let again = Holder { id: Uuid::from_u128(3), reserved_at: Instant(7), ..FIRST };
        write(&mut f, (names.reserve)(name, again));
        assert_eq!(f.read(&(names.holder)(name)), Some(again));
        write(&mut f, (names.take_over)(name, OTHER, FIRST));
        assert_eq!(f.read(&(names.holder)(name)), Some(again), "what was read is not there any more");
        for _run in 0..2 {
            write(&mut f, (names.take_over)(name, OTHER, again));
            assert_eq!(f.read(&(names.holder)(name)), Some(OTHER));
        }
    }
}

#[test]
fn a_name_counts_while_the_cell_has_somebody_with_it() {
    let mut f = Fixture::new();
    let practice = f.practice();
    write(&mut f, user(OWNER, practice, Role::Owner));
    let key: String = f.db.query_row("SELECT email_key FROM users", [], |row| row.get(0)).unwrap();
    let login = login("google", "https://accounts.example", "a \"subject\"");
    let domain = "clinic.example";
    let counts = |f: &mut Fixture| {
        [(&ADDRESSES, &*key), (&LOGINS, &*login), (&DOMAINS, domain)].map(|(names, name)| f.read(&(names.counts)(name)))
    };
    assert_eq!(counts(&mut f), [true, false, false]);
    let insert = "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
       VALUES (?1, 'i', 'google', 'https://accounts.example', 'a \"subject\"', 'a@b.example', 1)";
    f.db.execute(insert, [OWNER.to_string()]).unwrap();
    let insert = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at)
       VALUES (?1, 'd', 'clinic.example', 't', 1)";
    f.db.execute(insert, [practice.to_string()]).unwrap();
    for (change, expected) in [
        ("UPDATE practice_domains SET verified_at = 2", [true; 3]),
        ("UPDATE users SET state = 'invited'", [false, true, true]),
        ("UPDATE users SET state = 'removed'", [false, false, true]),
        ("DELETE FROM practice_domains", [false; 3]),
    ] {
        f.db.execute(change, []).unwrap();
        assert_eq!(counts(&mut f), expected, "{change}");
    }
}

#[test]
fn what_an_instance_with_one_cell_did_not_tell_the_directory_is_filled_in_soon_and_every_day() {
    let mut f = Fixture::new();
    f.run(&own_cell::claim(Cell::FIRST)).unwrap();
    let practice = f.practice();
    write(&mut f, user(OWNER, practice, Role::Owner));
    f.db.execute_batch(
        "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
           SELECT id, 'i', 'google', 'https://accounts.example', 's', email, 1 FROM users;
         INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
           SELECT practice_id, 'd', 'clinic.example', 't', 1, 2 FROM users",
    )
    .unwrap();
    let key: String = f.db.query_row("SELECT email_key FROM users", [], |row| row.get(0)).unwrap();
    let login = login("google", "https://accounts.example", "s");
    let names = [(&ADDRESSES, &*key), (&LOGINS, &*login), (&DOMAINS, "clinic.example")];
    let known = |f: &mut Fixture| names.map(|(names, name)| f.read(&(names.holder)(name)).map(|holder| holder.cell));
    // A practice that is on its way to this cell, or has left it, is elsewhere.
    f.db.execute("INSERT INTO moving (id, of, state, epoch) VALUES (?1, ?1, 'left', 1)", [practice.to_string()])
        .unwrap();
    f.run(&own_cell::claim(Cell::FIRST)).unwrap();
    f.run(&own_cell::fills()).unwrap();
    assert_eq!(known(&mut f), [None; 3]);
    f.db.execute("DELETE FROM moving", []).unwrap();
    for _run in 0..2 {
        f.run(&own_cell::fills()).unwrap();
        assert_eq!(known(&mut f), [Some(Cell::FIRST); 3]);
    }
    // What is known stays.
    write(
        &mut f,
        (ADDRESSES.take_over)(&key, OTHER, Holder { id: OWNER.0, cell: Cell::FIRST, reserved_at: Instant(0) }),
    );
    f.run(&own_cell::fills()).unwrap();
    assert_eq!(known(&mut f)[0], Some(OTHER.cell));

    let day = 24 * 3_600_000;
    let first = Instant(1_800_000_000_000_i64.div_euclid(day) * day);
    let mut due = |at: Instant| {
        let is_due = !f.read(&rests(at));
        // The answer of the batch may be lost.
        for _run in 0..if is_due { 2 } else { 0 } {
            write(&mut f, filled(at));
        }
        is_due
    };
    assert_eq!(
        [0, 599_999, 600_000, 600_001, day - 1, day, day + 1].map(|ms| due(first.plus(ms))),
        [true, false, true, false, false, true, false]
    );
}
