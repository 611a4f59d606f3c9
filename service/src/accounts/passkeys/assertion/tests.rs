use super::*;
use crate::accounts::tests::{Accounts, FIRST, MEMBER, NOW, OWNER, assert_guarded, mailed, with};
use crate::store::error::FailedGuard;
use crate::testing::decisions::parse;

fn rp() -> RelyingParty {
    RelyingParty { id: "overturn.example".into(), origins: vec!["https://overturn.example".into()] }
}

fn spent() -> SpentProof {
    SpentProof { hash: "proof".into(), expires_at: NOW.plus(1) }
}

/// An accepted assertion of a passkey with the counter 5.
pub(crate) fn accepted(passkey: PasskeyId, user_id: UserId) -> AcceptedAssertion {
    let asserted = AssertedCredential { sign_count: 6, backed_up: false };
    AcceptedAssertion { user_id, passkey, sign_count: 5, asserted, spent: spent() }
}

fn response() -> Credential {
    parse::<PasskeySignIn>(br#"{"credential":{"id":"Y3JlZA"}}"#).unwrap().credential
}

fn of_owner(a: &mut Accounts) -> PasskeyOfAccount {
    a.read(&passkey_of_credential(&format!("credential-{FIRST}"))).unwrap()
}

/// The assertion with a counter, or its account if it is repeated.
fn judge(of: &PasskeyOfAccount, asserted: u32) -> Result<AcceptedAssertion, CounterRepeated<'_>> {
    let asserted = AssertedCredential { sign_count: asserted, backed_up: false };
    PendingAssertion { of, spent: spent() }.judge(asserted)
}

#[test]
fn a_counter_must_grow_unless_the_passkey_has_none() {
    let mut a = Accounts::new();
    let mut of = of_owner(&mut a);
    for (stored, asserted, repeats) in [
        (0, 0, false),
        (0, 1, false),
        (5, 6, false),
        (5, u32::MAX, false),
        (5, 5, true),
        (5, 4, true),
        (5, 0, true),
        (u32::MAX, u32::MAX, true),
    ] {
        of.passkey.credential.sign_count = stored;
        assert_eq!(judge(&of, asserted).is_err(), repeats, "{stored} {asserted}");
    }
}

#[test]
fn an_assertion_counts_only_for_what_it_was_begun_for() {
    let mut a = Accounts::new();
    let of = of_owner(&mut a);
    let response = response();
    let ask = |begun: Option<Option<&str>>, used_for, known: bool, is_spent: bool| {
        let ceremony = begun.map(|continuation| OpenedCeremony {
            content: Assertion { state: "state".into(), continuation: continuation.map(Into::into) },
            spent: spent(),
        });
        let stored = StoredAssertion { passkey: Some(&of).filter(|_| known), is_spent };
        let presented = PresentedAssertion { ceremony, used_for, response: &response, stored };
        question(presented, rp()).map(|(question, _)| question)
    };
    let second = AssertionUse::SecondFactor(OWNER, "c");
    let first = ask(Some(None), AssertionUse::SignIn, true, false).unwrap();
    assert_eq!((first.user_id, first.named), (OWNER, false));
    assert!(ask(Some(Some("c")), second, true, false).unwrap().named);
    let other = AssertionUse::SecondFactor(MEMBER, "c");
    for (begun, used_for, known, is_spent, reason) in [
        (None, AssertionUse::SignIn, true, false, "no_ceremony"),
        (Some(Some("c")), AssertionUse::SignIn, true, false, "other_ceremony"),
        (Some(None), second, true, false, "other_ceremony"),
        (Some(Some("d")), second, true, false, "other_ceremony"),
        (Some(None), AssertionUse::SignIn, true, true, "spent"),
        (Some(None), AssertionUse::SignIn, false, false, "unknown_passkey"),
        (Some(Some("c")), other, true, false, "other_account"),
    ] {
        assert_eq!(ask(begun, used_for, known, is_spent).unwrap_err(), reason);
    }
}

#[test]
fn a_repeated_counter_is_recorded_once_for_each_challenge_and_mailed() {
    let record = |a: &mut Accounts| {
        let ctx = a.f.ctx();
        let of = of_owner(a);
        let repeated = judge(&of, 5).unwrap_err();
        let change = with(&ctx, |setting| repeated.recorded(setting));
        (ctx, change)
    };
    let mut a = Accounts::new();
    let passkeys = a.rows("SELECT * FROM passkeys");
    let (ctx, change) = record(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.rows("SELECT * FROM passkeys"), passkeys, "it still works");
    assert_eq!(a.f.count("SELECT count(*) FROM audit WHERE action = 'passkey.counter_repeated'"), 1);
    let letters = mailed(&change);
    assert!(matches!(&letters[..], [LetterKind::PasskeyCopied { name, .. }] if name == "Front desk"));
    let spent = ("INSERT INTO spent_proofs VALUES ('proof', 1900000000000)", FailedGuard::Secret);
    assert_guarded(record, &[spent]);
}
