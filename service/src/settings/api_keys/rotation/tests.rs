use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::testing::decisions::person;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

fn old() -> RotatedKey {
    RotatedKey {
        id: ApiKeyId(Uuid::from_u128(7)),
        name: "Billing".into(),
        scopes: "claims:read".into(),
        expires_at: NOW.plus(1),
        revoked_at: None,
        replaced: false,
        unrevoked: 1,
    }
}

fn refusal(decided: Result<Change, RequestError>) -> Option<Reason> {
    match decided {
        Err(RequestError::Conflict(reason, _)) => Some(reason),
        _ => None,
    }
}

#[test]
fn a_new_key_has_the_name_and_the_scopes_of_the_old_one_which_must_work() {
    let (person, ctx) = (person(Role::Admin, Action::RotateApiKeys), Ctx::new(NOW, [1; 32]));
    let rotate = |old: RotatedKey| rotated((Some(old), None), &person, (Realm::Test, [7; 24]), &ctx);
    let made = rotate(old()).unwrap();
    assert_eq!(made.answer.body["name"], "Billing");
    assert_eq!(made.answer.body["scopes"], json!(["claims:read"]));
    for ended in [RotatedKey { expires_at: NOW, ..old() }, RotatedKey { revoked_at: Some(NOW), ..old() }] {
        assert_eq!(refusal(rotate(ended)), Some(Reason::KeyEnded));
    }
    assert_eq!(refusal(rotate(RotatedKey { replaced: true, ..old() })), Some(Reason::KeyReplaced));
    let unknown = rotated((None, None), &person, (Realm::Test, [7; 24]), &ctx);
    assert!(matches!(unknown, Err(RequestError::NotFound(_))));
}

#[test]
fn a_key_without_a_working_replacement_is_not_ended() {
    let (person, ctx) = (person(Role::Admin, Action::RotateApiKeys), Ctx::new(NOW, [1; 32]));
    assert_eq!(refusal(ended(Some(old()), &person, &ctx)), Some(Reason::KeyNotReplaced));
    let change = ended(Some(RotatedKey { replaced: true, ..old() }), &person, &ctx).unwrap();
    assert_eq!((change.guards.len(), change.writes.len()), (1, 2));
    let again = ended(Some(RotatedKey { revoked_at: Some(NOW), ..old() }), &person, &ctx).unwrap();
    assert!(again.writes.is_empty());
}
