use super::*;
use crate::accounts::tests::{Accounts, NOW, OWNER, SESSION, assert_guarded, link as token, mailed, with};
use crate::auth::person::Via;
use crate::request::secret::SessionToken;
use crate::store::error::FailedGuard;
use crate::testing::decisions::{parse, said};
use overturn_core::base::id::ApiTokenId;
use uuid::Uuid;

const GOOD: &str = "correct horse battery";

fn reset_one(a: &mut Accounts) -> (Ctx, Change) {
    let ctx = a.f.ctx();
    let token = token(LinkKind::PasswordReset);
    let stored = a.read(&link::stored(&token));
    let opened = link::open(&token, stored.as_ref(), LinkKind::PasswordReset, NOW).unwrap();
    let change = with(&ctx, |setting| set_by_link(&opened, "new hash".into(), setting));
    (ctx, change)
}

fn change_one(a: &mut Accounts, person: &Person) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let account = a.account();
    let session = a.read(&sessions::state("session")).unwrap();
    let change = with(&ctx, |setting| changed(&account, session, "new hash".into(), person, setting))?;
    Ok((ctx, change))
}

/// The hash of the owner's password, and the epoch.
fn password(a: &Accounts) -> String {
    a.rows(&format!("SELECT password_hash, epoch FROM users WHERE id = '{OWNER}'"))
}

#[test]
fn a_reset_ends_every_session_and_does_not_sign_in() {
    let mut a = Accounts::new();
    let (ctx, change) = reset_one(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.sessions(), "member");
    assert_eq!(password(&a), "new hash 2");
    assert_eq!(a.rows("SELECT kind FROM links WHERE used_at IS NOT NULL"), "password_reset");
    assert_eq!(a.f.count("SELECT count(*) FROM continuations"), 2);
    assert!(matches!(mailed(&change)[..], [LetterKind::PasswordChanged]));
    assert_eq!((change.after.len(), change.answer.status), (1, 204));
    let broken = [
        ("UPDATE links SET used_at = 1", FailedGuard::Secret),
        ("UPDATE links SET expires_at = 1", FailedGuard::Secret),
        ("UPDATE users SET epoch = 2", FailedGuard::Rights),
        ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
    ];
    assert_guarded(reset_one, &broken);
}

#[test]
fn a_change_ends_every_other_session_and_keeps_what_was_verified() {
    let mut a = Accounts::new();
    let owner = a.owner();
    let (ctx, change) = change_one(&mut a, &owner).unwrap();
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let renewed = SessionToken::mint([6; 32]).hash();
    assert_eq!(a.sessions(), format!("{renewed} member"));
    let session = a.rows(&format!("SELECT kind, epoch, verified_at FROM sessions WHERE id = '{SESSION}'"));
    assert_eq!(session, format!("full 2 {}", NOW.plus(-5).0));
    assert_eq!(password(&a), "new hash 2");
    assert!(matches!(mailed(&change)[..], [LetterKind::PasswordChanged]));
    let sets = |after: &After| matches!(after, After::SetSession(id, _) if *id == SESSION);
    assert!(change.after.iter().any(sets));

    let token = Person { via: Via::Token(ApiTokenId(Uuid::nil())), ..a.owner() };
    let mut a = Accounts::new();
    assert!(matches!(change_one(&mut a, &token), Err(RequestError::NotAuthorized(..))));
}

#[test]
fn an_attempt_is_counted_unless_the_new_password_does_not_suit() {
    let mut a = Accounts::new();
    let (owner, account) = (a.owner(), a.account());
    let counted = |new: &str| {
        let body = json!({ "current_password": "x", "new_password": new }).to_string();
        attempt(&owner, &(Some(account.clone()), None), parse(body).unwrap()).is_some()
    };
    assert!(counted(GOOD));
    assert!(!counted("owner@a.example"));
}

#[test]
fn a_password_that_cannot_be_chosen_is_refused_with_its_reason() {
    let token = token(LinkKind::PasswordReset);
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
