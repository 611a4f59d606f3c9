//! A practice's API keys and tokens.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::settings::api_keys::rotation::{ended, rotated, rotated_key};
use crate::settings::{api_keys, api_tokens};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::people::{OWNER, SESSION, session, user};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{ApiKeyId, ApiTokenId, PracticeId};
use overturn_core::base::token::Realm;

/// A practice's owner, whose session has the hash `owner`, and its key.
fn owned() -> (Fixture, Person, ApiKeyId) {
    let mut f = Fixture::new();
    let read = "SELECT practice_id, id FROM api_keys";
    let ids: (String, String) = f.db.query_row(read, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let (practice, key) = (PracticeId(ids.0.parse().unwrap()), ApiKeyId(ids.1.parse().unwrap()));
    let people = vec![user(OWNER, practice, Role::Owner), session(SESSION, OWNER, "owner")];
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), people)).unwrap();
    let owner = Person { user_id: OWNER, practice_id: Some(practice), ..person(Role::Owner, Action::ManageApiKeys) };
    (f, owner, key)
}

fn commit(f: &mut Fixture, (change, ctx): (Change, Ctx)) -> Result<(), DatabaseError> {
    f.commit(&ctx, (change.guards, change.writes)).map(drop)
}

#[test]
fn of_two_parallel_revocations_one_is_in_the_trail() {
    let (mut f, owner, key) = owned();
    let practice = owner.practice().unwrap();
    let token = ApiTokenId(key.0);
    let insert = "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
                  VALUES (?1, ?2, ?3, 'x', 'x', 'x', '[]', 1, 2)";
    f.db.execute(insert, [practice.to_string(), token.to_string(), OWNER.to_string()]).unwrap();
    let (stored, read) = (f.read(&api_keys::one("owner", key)), f.read(&api_tokens::one("owner", token)));
    let of_key = |ctx: &Ctx| api_keys::revoked(stored.clone(), (practice, &owner), ctx).unwrap();
    let of_token = |ctx: &Ctx| api_tokens::revoked(read.clone(), (practice, &owner), ctx).unwrap();
    for revoke in [&of_key as &dyn Fn(&Ctx) -> Change, &of_token] {
        let changes = [f.ctx(), f.ctx()].map(|ctx| (revoke(&ctx), ctx));
        let committed = changes.map(|change| commit(&mut f, change));
        assert_eq!(committed, [Ok(()), Err(DatabaseError::Conflict(FailedGuard::Secret))]);
    }
    let again = api_keys::revoked(f.read(&api_keys::one("owner", key)), (practice, &owner), &f.ctx()).unwrap();
    assert!(again.writes.is_empty());
}

/// Revokes a key.
fn revoke(f: &mut Fixture, owner: &Person, key: ApiKeyId) {
    let (ctx, stored) = (f.ctx(), f.read(&api_keys::one("owner", key)));
    let revoked = api_keys::revoked(stored, (owner.practice().unwrap(), owner), &ctx).unwrap();
    commit(f, (revoked, ctx)).unwrap();
}

/// Rotations of the key, each with a key of its own, all decided now.
fn rotations<const N: usize>(f: &mut Fixture, owner: &Person, key: ApiKeyId) -> [(Change, Ctx); N] {
    let stored = f.read(&rotated_key("owner", key, f.ctx().now));
    std::array::from_fn(|n| {
        let random = [u8::try_from(n).unwrap() + 100; 24];
        let ctx = f.ctx();
        (rotated((stored.clone(), None), owner, (Realm::Test, random), &ctx).unwrap(), ctx)
    })
}

#[test]
fn of_two_parallel_rotations_one_makes_a_key() {
    let (mut f, owner, key) = owned();
    let committed = rotations::<2>(&mut f, &owner, key).map(|change| commit(&mut f, change));
    assert_eq!(committed, [Ok(()), Err(DatabaseError::Conflict(FailedGuard::Record))]);
    assert_eq!(f.count("SELECT count(*) FROM api_keys"), 2);
}

/// Other keys were made since this one was read.
#[test]
fn a_rotation_in_a_sandbox_keeps_the_bound_of_its_keys_in_a_race() {
    for (sandbox, expected) in [(true, Err(DatabaseError::Conflict(FailedGuard::Record))), (false, Ok(()))] {
        let (mut f, owner, key) = owned();
        let [rotation] = rotations(&mut f, &Person { sandbox, ..owner }, key);
        for n in 1..100 {
            let other = "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
                         SELECT practice_id, ?1, 'x', ?1, 'x', scopes, 1, 2 FROM api_keys LIMIT 1";
            f.db.execute(other, [n]).unwrap();
        }
        assert_eq!(commit(&mut f, rotation), expected);
    }
}

#[test]
fn a_key_that_was_revoked_meanwhile_is_not_replaced() {
    let (mut f, owner, key) = owned();
    let [late] = rotations(&mut f, &owner, key);
    revoke(&mut f, &owner, key);
    assert_eq!(commit(&mut f, late), Err(DatabaseError::Conflict(FailedGuard::Record)));
}

#[test]
fn a_key_whose_replacement_was_revoked_meanwhile_is_not_ended() {
    let (mut f, owner, key) = owned();
    let [(made, ctx)] = rotations(&mut f, &owner, key);
    let new = ApiKeyId(ctx.id(Purpose::Record, 0));
    commit(&mut f, (made, ctx)).unwrap();
    let ctx = f.ctx();
    let late = ended(f.read(&rotated_key("owner", key, ctx.now)), &owner, &ctx).unwrap();
    revoke(&mut f, &owner, new);
    assert_eq!(commit(&mut f, (late, ctx)), Err(DatabaseError::Conflict(FailedGuard::Record)));
    assert_eq!(f.count("SELECT count(*) FROM api_keys WHERE revoked_at IS NULL"), 1);
}
