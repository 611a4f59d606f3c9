use super::*;
use crate::accounts::sign_in::{self, FirstFactor, ShownFactor};
use crate::accounts::tests::{Accounts, OWNER, assert_guarded, mailed, with};
use crate::plan::Plan;
use crate::store::error::FailedGuard;

/// Counts an attempt at the password of an address, and reads its count in the same batch.
fn tried(a: &mut Accounts, address: &str) -> i64 {
    let ctx = a.f.ctx();
    let read = of_address(address);
    let plan = Plan::of_operator(&ctx, vec![count_for_address(address)]);
    let batch = a.f.lower(&plan).read_back(&read);
    let done = a.f.run(&batch.statements).unwrap();
    batch.rows(&done).unwrap().count
}

#[test]
fn each_attempt_reads_its_own_count_whether_the_address_has_an_account_or_not() {
    let mut a = Accounts::new();
    assert_eq!([(); 3].map(|()| tried(&mut a, "owner@a.example")), [1, 2, 3]);
    assert_eq!(tried(&mut a, "x@a.example"), 1);
    assert_eq!(tried(&mut a, "y@a.example"), 2);
    let ctx = a.f.ctx();
    a.f.commit(&ctx, (Vec::new(), vec![count(OWNER)])).unwrap();
    assert_eq!(a.read(&of_account(OWNER)).count, 4);
    a.read(&of_address("owner@a.example"));
}

#[test]
fn as_many_attempts_as_allowed_are_compared_until_the_password_is_closed() {
    let attempts = |count, closed| Attempts { count, closed };
    assert!(attempts(5, false).allowed(5));
    assert!(!attempts(6, false).allowed(5));
    assert!(!attempts(1, true).allowed(5));
}

#[test]
fn the_last_wrong_attempt_closes_the_password_once() {
    let close = |a: &mut Accounts, count, closed| {
        let ctx = a.f.ctx();
        let account = a.account();
        let change = with(&ctx, |setting| super::closed(&account, Attempts { count, closed }, 5, setting));
        change.map(|change| (ctx, change))
    };
    let mut a = Accounts::new();
    for (count, closed) in [(4, false), (5, true)] {
        assert!(close(&mut a, count, closed).is_none());
    }
    let (ctx, change) = close(&mut a, 5, false).unwrap();
    assert!(matches!(mailed(&change)[..], [LetterKind::PasswordClosed { failures: 5 }]));
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert!(a.read(&of_account(OWNER)).closed);
    let broken = format!("INSERT INTO password_tries (user_id, tries, closed_at) VALUES ('{OWNER}', 5, 1)");
    assert_guarded(|a| close(a, 5, false).unwrap(), &[(&broken, FailedGuard::Record)]);
}

#[test]
fn only_a_right_password_or_a_mailed_link_restarts_the_count() {
    for by in FirstFactor::ALL {
        for proves_second_factor in [false, true] {
            let mut a = Accounts::new();
            let closed = format!("INSERT INTO password_tries (user_id, tries, closed_at) VALUES ('{OWNER}', 100, 1)");
            a.f.db.execute(&closed, []).unwrap();
            let ctx = a.f.ctx();
            let account = a.account();
            let first = ShownFactor { proves_second_factor, ..by.into() };
            let passed = with(&ctx, |setting| sign_in::passed(&account, first, setting));
            assert_eq!(a.commit(&ctx, &passed.change), Ok(()));
            let restarts = matches!(by, FirstFactor::Password | FirstFactor::MagicLink);
            assert_eq!(a.f.count("SELECT count(*) FROM password_tries"), i64::from(!restarts), "{by:?}");
        }
    }
}
