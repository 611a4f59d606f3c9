//! Tests of new passwords.

use super::*;
use crate::accounts::link;
use crate::accounts::link::tests::{stored, token, with_setting};
use crate::auth::person::Via;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::auth::session::SessionKind;
use crate::base::id::{SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::accounts::LinkKind;
use crate::plan::{AccountsGuard, AccountsWrite};
use crate::testing::test;
use crate::testing::{parse, said};
use alloc::format;
use alloc::string::ToString as _;
use uuid::Uuid;

const GOOD: &str = "correct horse battery";

fn now() -> Instant {
    with_setting(|setting| setting.ctx.now)
}

fn person() -> Person {
    Person {
        user_id: UserId(Uuid::from_u128(1)),
        practice_id: None,
        role: Role::Staff,
        epoch: 3,
        via: Via::Session(SessionId(Uuid::from_u128(5))),
        action: Action::ChangePassword,
        enrolled: true,
        touch: false,
        sso: false,
    }
}

/// True if a change has such a write.
fn has(change: &Change, wanted: impl Fn(&Write<'_>) -> bool) -> bool {
    change.writes.iter().any(wanted)
}

fn tells(change: &Change) -> bool {
    change
        .after
        .iter()
        .any(|after| matches!(after, After::Mail(letter) if matches!(letter.says, LetterKind::PasswordChanged)))
}

#[test]
fn a_reset_ends_every_session_and_does_not_sign_in() {
    let stored = stored(LinkKind::PasswordReset);
    let user = stored.account.user_id;
    let opened = link::open(&token(), Some(&stored), LinkKind::PasswordReset, now()).unwrap();
    let change = with_setting(|setting| reset(&opened, "hash".into(), setting));
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::InUse { user, epoch: 3 })));
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::Link(token().hash()))));
    assert!(has(&change, |w| matches!(w, Write::Accounts(AccountsWrite::LinkUsed(_)))));
    assert!(has(
        &change,
        |w| matches!(w, Write::Accounts(AccountsWrite::Password { user: _, hash }) if hash == "hash")
    ));
    assert!(has(&change, |w| matches!(w, Write::Accounts(AccountsWrite::Epoch { user: _, epoch: 4 }))));
    assert!(has(
        &change,
        |w| matches!(w, Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::All(id))) if *id == user)
    ));
    assert!(!has(&change, |w| matches!(
        w,
        Write::Accounts(AccountsWrite::NewSession(_)) | Write::Accounts(AccountsWrite::NewContinuation(_))
    )));
    assert!(tells(&change) && change.after.len() == 1);
    assert_eq!(change.answer.status, 204);
}

#[test]
fn a_change_ends_every_other_session_and_keeps_what_was_verified() {
    let account = stored(LinkKind::PasswordReset).account;
    let facts = SessionFacts {
        id: SessionId(Uuid::from_u128(5)),
        kind: SessionKind::Full,
        created_at: Time(now()),
        ends_at: Time(now()),
        verified_at: Some(Time(Instant(5))),
    };
    let session = SessionId(Uuid::from_u128(5));
    let changed = with_setting(|setting| change(&account, &facts, "hash".into(), &person(), setting)).unwrap();
    assert!(has(
        &changed,
        |w| matches!(w, Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(_, id))) if *id == session)
    ));
    assert!(has(&changed, |w| matches!(w, Write::Accounts(AccountsWrite::SessionTurned(turn))
        if turn.epoch == 4 && turn.verified_at == Some(Instant(5)) && turn.id == session)));
    assert!(has(&changed, |w| matches!(w, Write::Accounts(AccountsWrite::Epoch { user: _, epoch: 4 }))));
    assert!(tells(&changed));
    let sets = |after: &After| matches!(after, After::SetSession(id, _) if *id == session);
    assert!(changed.after.iter().any(sets));

    let token = Person { via: Via::Token(crate::base::id::ApiTokenId(Uuid::nil())), ..person() };
    let refused = with_setting(|setting| change(&account, &facts, "hash".into(), &token, setting));
    assert!(matches!(refused, Err(RequestError::NotAuthorized(..))));
}

#[test]
fn only_the_password_so_far_is_right() {
    let hash = Password::given(GOOD).hash([3; 16]).unwrap();
    let check = |typed: &str, stored: Option<String>| super::check(Password::given(typed).check(stored.as_deref()));
    let wrong = RequestError::invalid("current_password", Rule::NotRight);
    assert_eq!(check(GOOD, Some(hash.clone())), Ok(()));
    assert_eq!(check("correct horse batterx", Some(hash)), Err(wrong.clone()));
    assert_eq!(check(GOOD, None), Err(wrong));
}

#[test]
fn a_password_that_cannot_be_chosen_is_refused_with_its_reason() {
    let token = token();
    let reset = |password: &str| {
        let body = json!({ "token": token.expose(), "password": password }).to_string();
        parse::<Reset>(body.as_bytes()).map(drop).map_err(said)
    };
    let renewal = |new: &str| {
        let body = json!({ "current_password": "x", "new_password": new }).to_string();
        parse::<Renewal>(body.as_bytes()).map(drop).map_err(said)
    };
    let long = "x".repeat(1_001);
    for (password, reason) in [
        ("", "is required"),
        ("elevenchars", "must have at least 12 characters"),
        ("passwordpassword", "is too common"),
        (&*long, "must be at most 1000 characters"),
    ] {
        let invalid = |field| Err([format!("{field} {reason}")].into());
        assert_eq!(reset(password), invalid("password"), "{password}");
        assert_eq!(renewal(password), invalid("new_password"), "{password}");
    }
    assert_eq!((reset(GOOD), renewal(GOOD)), (Ok(()), Ok(())));
}
