use super::*;
use crate::accounts::account::SessionFacts;
use crate::accounts::passkeys::own::{OwnPasskey, remove, rename};
use crate::auth::session::SessionKind;
use crate::plan::accounts::SessionsToEnd;
use crate::testing::{parse, test};

fn own(is_last: bool) -> Option<OwnPasskey> {
    Some(OwnPasskey { passkey: passkey(), is_last })
}

fn session() -> SessionFacts {
    SessionFacts {
        id: SESSION,
        kind: SessionKind::Full,
        created_at: Time(NOW),
        ends_at: Time(NOW.plus(9)),
        verified_at: Some(Time(NOW.plus(-5))),
    }
}

#[test]
fn the_same_name_changes_nothing() {
    let ctx = Ctx::new(NOW, [1; 32]);
    let named = |name: &str| {
        let body = json!({ "name": name }).to_string();
        rename(parse(body.as_bytes()).unwrap(), own(false), &person(true), &ctx)
    };
    assert!(named("Front desk").unwrap().writes.is_empty());
    let change = named("Laptop").unwrap();
    assert_eq!(change.answer.body["name"], "Laptop");
    assert!(writes(&change, |write| matches!(write, AccountsWrite::PasskeyNamed { passkey: PASSKEY, .. })));
    let name = parse(br#"{"name":"x"}"#).unwrap();
    let missing = rename(name, None, &person(true), &ctx).unwrap_err();
    assert!(matches!(missing, RequestError::NotFound(_)));
}

#[test]
fn the_last_second_factor_stays() {
    let removed = |stored| with(|setting| remove(stored, (&account(), &session()), &person(true), setting));
    assert!(matches!(removed(None).unwrap_err(), RequestError::NotFound(_)));
    assert!(matches!(removed(own(true)).unwrap_err(), RequestError::Conflict(..)));
    let change = removed(own(false)).unwrap();
    let (user, passkey) = (USER, PASSKEY);
    assert!(guards(&change, AccountsGuard::AnotherFactor { user, passkey }));
    assert!(writes(&change, |write| matches!(
        write,
        AccountsWrite::SessionsEnded(SessionsToEnd::Others(USER, SESSION))
    )));
    // The session is as fresh as before.
    assert!(writes(&change, |write| matches!(
        write,
        AccountsWrite::SessionTurned(turn) if turn.verified_at == Some(NOW.plus(-5)) && turn.epoch == 4
    )));
    assert!(writes(&change, |write| matches!(write, AccountsWrite::Epoch { epoch: 4, .. })));
    let letters = mailed(&change);
    assert!(matches!(
        &letters[..],
        [LetterKind::PasskeyChanged { name, added: false }] if !name.is_empty()
    ));
}
