//! The data keys of practices: made once, never replaced, and destroyed together with what they sealed.

use super::fixture::{Fixture, claim, keys_of, stored_key};
use crate::claims::send::batch::batch;
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::keyring::practice::Fresh;
use crate::store::sealer::Sealer;
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::claims::intake::{self, Decision};
use std::slice::from_ref;

/// The batch of a first send, which makes the data key.
fn first_send(f: &mut Fixture, number: &str) -> Vec<Statement> {
    let ctx = f.ctx();
    let body = claim(number, "1.00");
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let (snapshot, sender) = (f.load(&hash, &send), f.sender(&hash));
    let service = std::rc::Rc::clone(&f.keys);
    let stored = stored_key(&f.db, sender.practice_id);
    let fresh = Fresh::new(&ctx, 0, [5; 32], [6; 24]);
    let keys = service.of_practice(sender.practice_id, stored.as_ref());
    let keys = keys.or_new(fresh).unwrap();
    let decided =
        intake::decide(&send, sender.practice_id, &snapshot, (keys.identity().unwrap().unwrap(), f.bounds), &ctx);
    let Ok(Decision::Write(changes)) = decided else { panic!("there is something to write") };
    let mut nonce = || [7; 24];
    let mut sealer = Sealer::new(&service, from_ref(&keys), &mut nonce);
    let batch = batch(&changes, &sender, (&ctx, ctx.now), &mut sealer).unwrap();
    for statement in &batch.statements {
        f.assert_indexed(statement, &["VIRTUAL TABLE", "CONSTANT ROW", "SCAN f"]);
    }
    batch.statements
}

const KEYS: &str = "SELECT count(*) FROM practice_keys";

#[test]
fn of_two_parallel_first_sends_one_makes_the_key_and_the_other_decides_again() {
    let mut f = Fixture::new();
    let (one, other) = (first_send(&mut f, "A-1"), first_send(&mut f, "A-2"));
    // Run twice, as after a lost answer.
    f.run(&one).unwrap();
    f.run(&one).unwrap();
    assert_eq!(f.run(&other), Err(DatabaseError::Conflict(FailedGuard::DataKey)));
    assert_eq!(f.count("SELECT count(*) FROM claims"), 1, "nothing is sealed under a key that is not stored");
    let again = first_send(&mut f, "A-2");
    f.run(&again).unwrap();
    assert_eq!((f.count("SELECT count(*) FROM claims"), f.count(KEYS)), (2, 1));
    let made = "SELECT count(*) FROM audit WHERE action = 'data_key.created'";
    assert_eq!(f.count(made), 1);
}

/// Destroys the key, as the beginning of a destruction does.
fn destroy(f: &Fixture) {
    f.db.execute("UPDATE practice_keys SET wrapped = NULL, destroyed_at = 1", []).unwrap();
}

#[test]
fn a_destroyed_key_takes_everything_along_and_nothing_more_is_sealed_under_it() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let late = first_send(&mut f, "A-2");
    destroy(&f);
    assert_eq!(f.run(&late), Err(DatabaseError::Conflict(FailedGuard::DataKey)));
    assert_eq!(f.count("SELECT count(*) FROM claims"), 1);
    let stored = stored_key(&f.db, f.practice()).unwrap();
    assert_eq!(stored.wrapped, None);
    let (id, sealed): (String, String) =
        f.db.query_row("SELECT id, sealed FROM claims", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let place =
        SealedPlace::Claim { practice: f.practice(), id: overturn_core::base::id::ClaimId(id.parse().unwrap()) };
    let keys = f.keys.of_practice(f.practice(), Some(&stored));
    assert_eq!(keys.open(place, KeyVersion(1), &sealed), Err(Unopened::KeyUnavailable));
    assert!(keys.identity().unwrap().is_none(), "nor do its fingerprints compare");
}

#[test]
fn a_key_is_never_replaced_removed_or_brought_back() {
    let f = Fixture::new();
    let id = f.practice();
    drop(keys_of(&f.db, &f.keys, id));
    let read = |f: &Fixture| -> String {
        let sql = "SELECT group_concat(version || id || ifnull(wrapped, '-')) FROM practice_keys";
        f.db.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let before = read(&f);
    for version in [1, 2] {
        let sql = format!("REPLACE INTO practice_keys VALUES ('{id}', {version}, 'x', 1, 'x', 1, NULL)");
        f.db.execute_batch(&sql).unwrap();
        assert_eq!(read(&f), before, "{sql}");
    }
    for sql in
        ["DELETE FROM practice_keys", "UPDATE practice_keys SET id = 'x'", "UPDATE practice_keys SET version = 2"]
    {
        assert!(f.db.execute_batch(sql).is_err(), "{sql}");
    }
    destroy(&f);
    let back = "UPDATE practice_keys SET wrapped = 'x', destroyed_at = NULL";
    assert!(f.db.execute_batch(back).is_err());
}
