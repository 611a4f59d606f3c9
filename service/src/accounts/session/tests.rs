use super::*;
use crate::accounts::tests::{Accounts, NOW, OWNER, assert_guarded, with};
use crate::pipeline::CONTINUATION_MS;
use crate::store::error::FailedGuard;

const RIGHT: Check = Check::Right { outdated: false };

fn by_right_password(a: &mut Accounts) -> (Ctx, Passed) {
    let ctx = a.f.ctx();
    let account = a.read(&account_of_address("owner@a.example"));
    let fresh = Some("fresh".into());
    let passed = with(&ctx, |setting| super::passed(account.as_ref(), RIGHT, true, fresh, setting)).unwrap();
    (ctx, passed)
}

#[test]
fn a_wrong_a_closed_and_an_unknown_password_are_refused_alike() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let account = a.account();
    for (account, check, allowed) in
        [(None, RIGHT, true), (Some(&account), Check::Wrong, true), (Some(&account), RIGHT, false)]
    {
        assert!(with(&ctx, |setting| super::passed(account, check, allowed, None, setting)).is_none());
    }
}

#[test]
fn a_right_password_leads_to_a_code_and_restarts_the_count() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    a.f.commit(&ctx, (Vec::new(), vec![password_attempts::count(OWNER)])).unwrap();
    let (ctx, passed) = by_right_password(&mut a);
    assert!(passed.change.after.is_empty());
    assert_eq!(a.commit(&ctx, &passed.change), Ok(()));
    let hash = passed.ask.unwrap().hash();
    let stored = a.rows(&format!("SELECT user_id, session_id, expires_at FROM continuations WHERE hash = '{hash}'"));
    assert_eq!(stored, format!("{OWNER} - {}", NOW.plus(CONTINUATION_MS).0));
    assert_eq!(a.rows(&format!("SELECT password_hash FROM users WHERE id = '{OWNER}'")), "fresh");
    assert_eq!(a.f.count("SELECT count(*) FROM password_tries"), 0);
    assert_eq!(a.f.count("SELECT count(*) FROM sessions"), 3);
}

#[test]
fn a_right_password_signs_in_to_the_account_that_was_read() {
    let decide = |a: &mut Accounts| {
        let (ctx, passed) = by_right_password(a);
        (ctx, passed.change)
    };
    let broken = [
        ("UPDATE users SET epoch = 2", FailedGuard::Rights),
        ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
    ];
    assert_guarded(decide, &broken);
}
