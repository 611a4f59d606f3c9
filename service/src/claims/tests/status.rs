//! Status reads: each sees only the claims of its practice.

use crate::auth::scope::Scope;
use crate::claims::status::of_key;
use crate::testing::{Fixture, claim};
use overturn_core::claims::ClaimStatus;

#[test]
fn another_practice_sees_nothing_of_it() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let other = f.provision(2);
    let seen = |f: &mut Fixture, hash: &str| f.read(&of_key(hash, "A-1")).1.is_some();
    let mine = f.key_hash.clone();
    assert!(seen(&mut f, &mine));
    assert!(!seen(&mut f, &other));
    f.key_hash = other;
    let answer = f.send(&claim("A-1", "1.00"), |_| {});
    assert_eq!(answer["claims"][0]["created"], true);
}

#[test]
fn status_and_credential_read_back() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let hash = f.key_hash.clone();
    let (held, stored) = f.read(&of_key(&hash, "A-1"));
    assert_eq!(stored.unwrap().status, ClaimStatus::Received);
    let held = held.unwrap();
    assert!(held.baa_signed && held.appeal_button && !held.revoked && held.scopes.allow(Scope::ClaimsRead));
    let (held, stored) = f.read(&of_key("unknown", "A-1"));
    assert!(held.is_none() && stored.is_none());
    let (held, stored) = f.read(&of_key(&hash, "A-2"));
    assert!(held.is_some() && stored.is_none());
}

#[test]
fn a_status_read_is_one_statement_that_finds_its_rows_by_an_index() {
    let f = Fixture::new();
    f.assert_indexed(of_key(&f.key_hash, "B-1").statement(), &[]);
}
