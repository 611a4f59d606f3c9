//! A practice's agreements.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::settings::agreements::{self, AgreementSignature, VERSION};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::people::{OWNER, SESSION, session, user};

#[test]
fn nothing_is_signed_while_a_destruction_waits() {
    let mut f = Fixture::new();
    let practice = f.practice();
    let ctx = f.ctx();
    let people = vec![user(OWNER, practice, Role::Owner), session(SESSION, OWNER, "owner")];
    f.commit(&ctx, (Vec::new(), people)).unwrap();
    let owner = Person { user_id: OWNER, practice_id: Some(practice), ..person(Role::Owner, Action::SignAgreement) };
    let (signer_name, signer_title) = ("Ann".into(), "Owner".into());
    let signature = AgreementSignature { kind: (), version: VERSION.into(), signer_name, signer_title };
    let ctx = f.ctx();
    let late = agreements::signed_now(signature, (&[], false), (&owner, "192.0.2.1"), &ctx).unwrap();
    let waiting = format!(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals)
         VALUES ('{practice}', 'j', 'destruction', 'waiting', 1, 'operator', '{{}}')"
    );
    f.db.execute_batch(&waiting).unwrap();
    assert!(f.read(&agreements::destruction_open("owner")));
    let refused = f.commit(&ctx, (late.guards, late.writes)).map(drop);
    assert_eq!(refused, Err(DatabaseError::Conflict(FailedGuard::Record)));
}
