//! A practice's API keys and tokens.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::settings::{api_keys, api_tokens};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::people::{OWNER, SESSION, session, user};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ApiKeyId, ApiTokenId, PracticeId};

#[test]
fn of_two_parallel_revocations_one_is_in_the_trail() {
    let mut f = Fixture::new();
    let read = "SELECT practice_id, id FROM api_keys";
    let ids: (String, String) = f.db.query_row(read, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let (practice, key) = (PracticeId(ids.0.parse().unwrap()), ApiKeyId(ids.1.parse().unwrap()));
    let ctx = f.ctx();
    let people = vec![user(OWNER, practice, Role::Owner), session(SESSION, OWNER, "owner")];
    f.commit(&ctx, (Vec::new(), people)).unwrap();
    let owner = Person { user_id: OWNER, practice_id: Some(practice), ..person(Role::Owner, Action::ManageApiKeys) };
    let token = ApiTokenId(key.0);
    let insert = "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
                  VALUES (?1, ?2, ?3, 'x', 'x', 'x', '[]', 1, 2)";
    f.db.execute(insert, [practice.to_string(), token.to_string(), OWNER.to_string()]).unwrap();
    let (stored, read) = (f.read(&api_keys::one("owner", key)), f.read(&api_tokens::one("owner", token)));
    let of_key = |ctx: &Ctx| api_keys::revoked(stored.clone(), (owner.practice().unwrap(), &owner), ctx).unwrap();
    let of_token = |ctx: &Ctx| api_tokens::revoked(read.clone(), (owner.practice().unwrap(), &owner), ctx).unwrap();
    for revoke in [&of_key as &dyn Fn(&Ctx) -> Change, &of_token] {
        let changes = [f.ctx(), f.ctx()].map(|ctx| (revoke(&ctx), ctx));
        let committed = changes.map(|(change, ctx)| f.commit(&ctx, (change.guards, change.writes)).map(drop));
        assert_eq!(committed, [Ok(()), Err(DatabaseError::Conflict(FailedGuard::Secret))]);
    }
    assert!(
        api_keys::revoked(f.read(&api_keys::one("owner", key)), (owner.practice().unwrap(), &owner), &f.ctx())
            .unwrap()
            .writes
            .is_empty()
    );
}
