use super::*;
use crate::accounts::magic_link;
use crate::accounts::tests::{Accounts, NOW, OWNER, assert_guarded, link, with};
use crate::store::error::FailedGuard;

const KINDS: [LinkKind; 3] = [LinkKind::SignIn, LinkKind::PasswordReset, LinkKind::Invitation];

#[test]
fn a_link_opens_what_it_was_made_for_and_nothing_else() {
    let mut a = Accounts::new();
    for of in KINDS {
        let found = a.read(&stored(&link(of)));
        for asked in KINDS {
            assert_eq!(open(&link(of), found.as_ref(), asked, NOW).is_ok(), of == asked);
        }
        let unknown = open(&link(of), None, of, NOW);
        assert_eq!(unknown.map(drop), Err(RequestError::SignInFailed));
    }
}

#[test]
fn a_link_that_is_used_expired_or_of_an_account_that_changed_opens_nothing() {
    let expired = format!("UPDATE links SET expires_at = {}", NOW.0);
    for sql in [
        "UPDATE links SET used_at = 1",
        &expired,
        "UPDATE users SET epoch = 2",
        "UPDATE users SET state = iif(state = 'active', 'invited', 'active')",
        "UPDATE users SET state = 'removed'",
    ] {
        let mut a = Accounts::new();
        a.f.db.execute_batch(sql).unwrap();
        for kind in KINDS {
            let found = a.read(&stored(&link(kind)));
            let refused = open(&link(kind), found.as_ref(), kind, NOW);
            assert_eq!(refused.map(drop), Err(RequestError::SignInFailed), "{sql}");
        }
    }
}

fn send(a: &mut Accounts, what: RequestedLink) -> (Ctx, Change) {
    let ctx = a.f.ctx();
    let account = a.account();
    let change = with(&ctx, |setting| sent(&account, what, setting)).unwrap();
    (ctx, change)
}

#[test]
fn a_link_that_is_sent_lives_ten_minutes_under_the_rights_of_its_account() {
    for (what, kind, event) in [
        (RequestedLink::SignIn, LinkKind::SignIn, "magic_link.sent"),
        (RequestedLink::PasswordReset, LinkKind::PasswordReset, "password.reset_sent"),
    ] {
        let mut a = Accounts::new();
        let (ctx, change) = send(&mut a, what);
        assert_eq!(a.commit(&ctx, &change), Ok(()));
        let [After::Mail(letter)] = &*change.after else {
            panic!("no letter");
        };
        assert_eq!(letter.to.as_str(), "owner@a.example");
        let (LetterKind::SignIn(token) | LetterKind::PasswordReset(token)) = &letter.says else {
            panic!("no link");
        };
        let made =
            a.rows(&format!("SELECT kind, user_id, epoch, expires_at FROM links WHERE hash = '{}'", token.hash()));
        assert_eq!(made, format!("{} {OWNER} 1 {}", kind.name(), NOW.plus(600_000).0));
        assert_eq!(a.rows("SELECT action FROM audit WHERE action LIKE '%sent'"), event);
    }
    let broken = [
        ("UPDATE users SET epoch = 2", FailedGuard::Rights),
        ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
    ];
    assert_guarded(|a| send(a, RequestedLink::SignIn), &broken);
}

#[test]
fn a_sign_in_by_link_uses_the_link_up_in_the_same_batch() {
    let sign_in = |a: &mut Accounts| {
        let ctx = a.f.ctx();
        let found = a.read(&stored(&link(LinkKind::SignIn)));
        let opened = open(&link(LinkKind::SignIn), found.as_ref(), LinkKind::SignIn, NOW).unwrap();
        let passed = with(&ctx, |setting| magic_link::passed(&opened, setting));
        (ctx, passed)
    };
    let mut a = Accounts::new();
    let (ctx, passed) = sign_in(&mut a);
    assert!(passed.ask.is_some(), "the second factor follows");
    assert_eq!(a.commit(&ctx, &passed.change), Ok(()));
    assert_eq!(a.rows("SELECT kind FROM links WHERE used_at IS NOT NULL"), "sign_in");
    let decide = |a: &mut Accounts| {
        let (ctx, passed) = sign_in(a);
        (ctx, passed.change)
    };
    let broken = [
        ("UPDATE links SET used_at = 1", FailedGuard::Secret),
        ("UPDATE links SET expires_at = 1", FailedGuard::Secret),
        ("UPDATE users SET epoch = 2", FailedGuard::Rights),
    ];
    assert_guarded(decide, &broken);
}
