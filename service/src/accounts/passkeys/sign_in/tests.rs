use super::*;
use crate::accounts::passkeys::assertion::tests::accepted;
use crate::accounts::tests::{Accounts, FIRST, NOW, OWNER, assert_guarded, audited, mailed, passkey, with};
use crate::plan::change::LetterKind;
use crate::store::error::FailedGuard;
use data_encoding::BASE64URL_NOPAD;

fn sign_in_one(a: &mut Accounts) -> (Ctx, Change) {
    let ctx = a.f.ctx();
    let account = a.account();
    let change = with(&ctx, |setting| signed_in(&account, accepted(FIRST, OWNER), setting));
    (ctx, change)
}

#[test]
fn a_passkey_signs_in_alone_and_uses_up_its_challenge() {
    let mut a = Accounts::new();
    let (ctx, change) = sign_in_one(&mut a);
    assert_eq!(audited(&change)["passkey_id"], FIRST.to_string());
    assert_eq!(audited(&change)["by"], "passkey");
    assert!(matches!(mailed(&change)[..], [LetterKind::NewDevice { .. }]));
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.f.count(&format!("SELECT count(*) FROM sessions WHERE kind = 'full' AND verified_at = {}", NOW.0)), 1);
    let used = a.rows(&format!("SELECT sign_count, backed_up, last_used_at FROM passkeys WHERE id = '{FIRST}'"));
    assert_eq!(used, format!("6 0 {}", NOW.0));
    assert!(a.read(&ceremony::proof_is_spent("proof")));
    let broken = [
        ("INSERT INTO spent_proofs VALUES ('proof', 1900000000000)", FailedGuard::Secret),
        ("UPDATE passkeys SET sign_count = 6", FailedGuard::Secret),
        ("DELETE FROM passkeys", FailedGuard::Secret),
        ("UPDATE users SET epoch = 2", FailedGuard::Rights),
        ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
    ];
    assert_guarded(sign_in_one, &broken);
}

#[test]
fn used_challenges_are_forgotten_after_their_end_a_few_at_a_time() {
    let mut a = Accounts::new();
    for n in 0..12 {
        a.f.db.execute("INSERT INTO spent_proofs VALUES (?1, ?2)", (format!("ended {n}"), NOW.0 - n)).unwrap();
    }
    let (ctx, change) = sign_in_one(&mut a);
    a.f.commit(&ctx, (Vec::new(), change.writes)).unwrap();
    assert_eq!(a.f.count("SELECT count(*) FROM spent_proofs"), 3);
    assert!(!a.read(&ceremony::proof_is_spent("other")));
}

#[test]
fn an_assertion_names_the_passkeys_used_last_that_fit_into_its_cookie() {
    let rp = || RelyingParty { id: "overturn.example".into(), origins: Vec::new() };
    let passkey = |n: u8, used: Option<i64>, bytes: usize| {
        let mut passkey = passkey(FIRST, OWNER);
        passkey.last_used_at = used.map(|at| Time(NOW.plus(at)));
        passkey.created_at = Time(NOW.plus(i64::from(n)));
        passkey.credential.id = BASE64URL_NOPAD.encode(&vec![n; bytes]);
        passkey
    };
    let named = |passkeys: &[StoredPasskey]| {
        let ids = options(passkeys, rp()).unwrap().allow.into_iter().map(|known| known.id);
        ids.map(|id| BASE64URL_NOPAD.decode(id.as_bytes()).unwrap()[0]).collect::<Vec<_>>()
    };
    let usual: Vec<_> = (0..20).map(|n| passkey(n, None, 64)).collect();
    let newest_first: Vec<u8> = (0..20).rev().collect();
    assert_eq!(named(&usual), newest_first, "all of the usual length");
    let long: Vec<_> = (0..20).map(|n| passkey(n, None, 600)).collect();
    assert_eq!(named(&long), [19, 18, 17]);
    let mixed =
        [passkey(1, Some(90), 1023), passkey(2, Some(80), 1023), passkey(3, None, 700), passkey(4, Some(-5), 32)];
    assert_eq!(named(&mixed), [1, 3, 4], "a shorter one takes the room that is left");
    assert!(matches!(options(&[], rp()), Err(RequestError::Conflict(..))));
}
