use super::*;
use crate::auth::role::Role;
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
        // The same holder again: its batch runs anew.
        let again = Holder { reserved_at: Instant(7), ..FIRST };
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
fn a_name_is_held_pending_or_gone_as_the_cell_of_its_holder_says() {
    let mut f = Fixture::new();
    let practice = f.practice();
    write(&mut f, user(OWNER, practice, Role::Owner));
    let key: String = f.db.query_row("SELECT email_key FROM users", [], |row| row.get(0)).unwrap();
    let id = OWNER.0;
    let standing = |f: &mut Fixture, names: &Names, name: &str, id| f.read(&(names.standing)(name, id));
    for (set, expected) in [
        ("state = 'active'", Standing::Held),
        ("state = 'invited'", Standing::Pending),
        ("state = 'removed'", Standing::Gone),
    ] {
        f.db.execute(&format!("UPDATE users SET {set}"), []).unwrap();
        assert_eq!(standing(&mut f, &ADDRESSES, &key, id), expected, "{set}");
    }
    f.db.execute("UPDATE users SET state = 'active'", []).unwrap();
    assert_eq!(standing(&mut f, &ADDRESSES, "another@account.example", id), Standing::Gone);
    // A new member of a provider has no row before its batch.
    assert_eq!(standing(&mut f, &ADDRESSES, &key, Uuid::from_u128(99)), Standing::Pending);

    let login = login("google", "https://accounts.example", "a \"subject\"");
    assert_eq!(standing(&mut f, &LOGINS, &login, id), Standing::Pending);
    let insert = "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
       VALUES (?1, 'i', 'google', 'https://accounts.example', 'a \"subject\"', 'a@b.example', 1)";
    f.db.execute(insert, [id.to_string()]).unwrap();
    assert_eq!(standing(&mut f, &LOGINS, &login, id), Standing::Held);
    f.db.execute("UPDATE users SET state = 'removed'", []).unwrap();
    assert_eq!(standing(&mut f, &LOGINS, &login, id), Standing::Gone);

    assert_eq!(standing(&mut f, &DOMAINS, "clinic.example", practice.0), Standing::Gone);
    let insert = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at)
       VALUES (?1, 'd', 'clinic.example', 't', 1)";
    f.db.execute(insert, [practice.to_string()]).unwrap();
    assert_eq!(standing(&mut f, &DOMAINS, "clinic.example", practice.0), Standing::Pending);
    f.db.execute("UPDATE practice_domains SET verified_at = 2", []).unwrap();
    assert_eq!(standing(&mut f, &DOMAINS, "clinic.example", practice.0), Standing::Held);
}
