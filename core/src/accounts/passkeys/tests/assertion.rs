use super::*;
use crate::accounts::continuation::StoredContinuation;
use crate::accounts::passkeys::assertion::{
    AcceptedAssertion, Assertion, AssertionUse, PasskeyOfAccount, PasskeySignIn, SPENT, StoredAssertion,
    begin_second_factor, question, sign_in,
};
use crate::accounts::second_factor::{self, ConfirmingSession, FactorProof, OpenedFactors};
use crate::auth::session::SessionKind;
use crate::base::secret::ContinuationToken;
use crate::identity::passkeys::AssertedCredential;
use crate::testing::{parse, test};
use alloc::boxed::Box;

fn asserted(sign_count: u32) -> AssertedCredential {
    AssertedCredential { sign_count, backed_up: false }
}

fn stored(sign_count: u32) -> PasskeyOfAccount {
    let mut passkey = passkey();
    passkey.credential.sign_count = sign_count;
    PasskeyOfAccount { passkey, account: account() }
}

fn unspent(passkey: Option<&PasskeyOfAccount>) -> StoredAssertion<'_> {
    StoredAssertion { passkey, is_spent: false }
}

/// The assertion with a counter, or the change that records a repeated one.
fn judged(stored_count: u32, asserted_count: u32) -> Result<AcceptedAssertion, Box<Change>> {
    let ceremony = opened(Assertion { state: "state".into(), continuation: None });
    let given = parse::<PasskeySignIn>(br#"{"credential":{"id":"Y3JlZA"}}"#).unwrap().credential;
    let of = stored(stored_count);
    let asked = question(Some(ceremony), AssertionUse::SignIn, unspent(Some(&of)), &given, rp());
    let (_, pending) = asked.unwrap();
    let judged = pending.judge(asserted(asserted_count));
    judged.map_err(|repeated| Box::new(with(|setting| repeated.recorded(setting))))
}

fn accepted() -> AcceptedAssertion {
    judged(5, 6).unwrap()
}

fn token() -> ContinuationToken {
    ContinuationToken::mint([4; 32])
}

fn continuation(session_id: Option<SessionId>) -> StoredContinuation {
    StoredContinuation {
        account: account(),
        epoch: 3,
        session_id,
        sso: false,
        expires_at: NOW.plus(1),
        used: false,
        attempts: 1,
        factor: None,
        recovery: Vec::new(),
    }
}

fn show(
    stored: &StoredContinuation,
    passkey: Option<AcceptedAssertion>,
    session: Option<ConfirmingSession>,
) -> Result<Change, RequestError> {
    let body = json!({
        "continuation_token": token().expose(),
        "passkey": { "credential": { "id": "Y3JlZA" } },
    });
    let shown = parse::<second_factor::PresentedFactor>(body.to_string().as_bytes()).unwrap();
    let opened = OpenedFactors { secret: None, passkey };
    with(|setting| second_factor::show(&shown, stored, opened, session, setting))
}

#[test]
fn a_counter_must_grow_unless_the_passkey_has_none() {
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
        assert_eq!(judged(stored, asserted).is_err(), repeats, "{stored} {asserted}");
    }
}

#[test]
fn a_passkey_signs_in_alone_and_spends_its_challenge() {
    let change = with(|setting| sign_in(&account(), accepted(), setting));
    assert!(writes(&change, |write| matches!(
        write,
        AccountsWrite::NewSession(new) if new.kind == SessionKind::Full && new.verified_at == Some(NOW)
    )));
    assert_spent(&change);
    let user = USER;
    assert!(guards(&change, AccountsGuard::InUse { user, epoch: 3 }));
    assert!(matches!(mailed(&change)[..], [LetterKind::NewDevice { .. }]));
}

/// The detail of a change's own audit row.
fn detail(change: &Change) -> &serde_json::Value {
    let Some(Write::Audit(entry)) = change.writes.first() else {
        panic!("no audit row");
    };
    entry.detail.as_ref().unwrap()
}

fn assert_spent(change: &Change) {
    assert_eq!(detail(change)["passkey_id"], PASSKEY.to_string());
    assert_eq!(detail(change)["by"], "passkey");

    assert!(guards(change, AccountsGuard::ProofUnspent("hash".into())));
    assert!(guards(change, AccountsGuard::Passkey { user: USER, passkey: PASSKEY, sign_count: 5 }));
    assert!(writes(change, |write| matches!(
        write,
        AccountsWrite::ProofSpent(proof) if *proof == spent()
    )));
    assert!(writes(change, |write| matches!(
        write,
        AccountsWrite::PasskeyUsed { asserted, .. } if asserted.sign_count == 6 && !asserted.backed_up
    )));
}

#[test]
fn an_assertion_takes_the_place_of_a_code() {
    let change = show(&continuation(None), Some(accepted()), None).unwrap();
    assert_spent(&change);
    let hash = token().hash();
    assert!(guards(&change, AccountsGuard::Continuation(hash)));
    assert_eq!(change.answer.body["session"]["kind"], "full");
    // In a session, it is confirmed by the session's own page only.
    let session = |proven| Some(ConfirmingSession { id: SESSION, proven });
    let again = continuation(Some(SESSION));
    let change = show(&again, Some(accepted()), session(true)).unwrap();
    assert_spent(&change);
    assert_eq!(change.answer.status, 204);
    let unproven = show(&again, Some(accepted()), session(false)).unwrap_err();
    assert!(matches!(unproven, RequestError::NotAuthorized(..)));
    for session in [None, session(true).map(|of| ConfirmingSession { id: SessionId(Uuid::nil()), ..of })] {
        let failed = show(&again, Some(accepted()), session).unwrap_err();
        assert_eq!(failed, RequestError::SignInFailed);
    }
}

#[test]
fn every_refused_second_factor_gets_the_same_answer() {
    let failed = show(&continuation(None), None, None).unwrap_err();
    assert_eq!(failed, RequestError::SignInFailed);
    let mut other = continuation(None);
    other.account.user_id = OTHER;
    let broken: [fn(&mut StoredContinuation); 4] = [
        |stored| stored.used = true,
        |stored| stored.expires_at = NOW,
        |stored| stored.attempts = 6,
        |stored| stored.epoch = 2,
    ];
    let broken = broken.map(|breaks| {
        let mut stored = continuation(None);
        breaks(&mut stored);
        stored
    });
    for stored in broken.iter().chain([&other]) {
        let failed = show(stored, Some(accepted()), None).unwrap_err();
        assert_eq!(failed, RequestError::SignInFailed);
    }
    for stored in &broken {
        let refused = begin_second_factor(Some(stored), &[passkey()], rp(), NOW).unwrap_err();
        assert_eq!(refused, RequestError::SignInFailed);
    }
    let unknown = begin_second_factor(None, &[], rp(), NOW).unwrap_err();
    assert_eq!(unknown, RequestError::SignInFailed);
    let without = begin_second_factor(Some(&continuation(None)), &[], rp(), NOW).unwrap_err();
    assert!(matches!(without, RequestError::Conflict(..)));
}

#[test]
fn an_assertion_names_the_passkeys_used_last_that_fit_into_its_cookie() {
    let passkey = |n: u8, used: Option<i64>, bytes: usize| {
        let mut passkey = passkey();
        passkey.last_used_at = used.map(|at| Time(NOW.plus(at)));
        passkey.created_at = Time(NOW.plus(i64::from(n)));
        let id = data_encoding::BASE64URL_NOPAD.encode(&vec![n; bytes]);
        passkey.credential.id = id;
        passkey
    };
    let named = |passkeys: &[StoredPasskey]| {
        let begun = begin_second_factor(Some(&continuation(None)), passkeys, rp(), NOW);
        let ids = begun.unwrap().allow.into_iter().map(|known| known.id);
        ids.map(|id| data_encoding::BASE64URL_NOPAD.decode(id.as_bytes()).unwrap()[0]).collect::<Vec<_>>()
    };
    let usual: Vec<_> = (0..20).map(|n| passkey(n, None, 64)).collect();
    let newest_first: Vec<u8> = (0..20).rev().collect();
    assert_eq!(named(&usual), newest_first, "all of the usual length");
    let long: Vec<_> = (0..20).map(|n| passkey(n, None, 600)).collect();
    assert_eq!(named(&long), [19, 18, 17]);
    let mixed =
        [passkey(1, Some(90), 1023), passkey(2, Some(80), 1023), passkey(3, None, 700), passkey(4, Some(-5), 32)];
    assert_eq!(named(&mixed), [1, 3, 4], "a shorter one takes the room that is left");
}

#[test]
fn a_second_factor_is_exactly_one_of_code_and_passkey() {
    let problems = |extra: serde_json::Value| {
        let mut body = json!({ "continuation_token": token().expose() });
        let fields = body.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        parse::<second_factor::PresentedFactor>(body.to_string().as_bytes())
    };
    for (extra, problem) in [
        (json!({}), "code or passkey is required"),
        (json!({ "code": null, "passkey": null }), "code or passkey is required"),
        (json!({ "code": "1", "passkey": {} }), "code must not be given beside passkey"),
        (json!({ "code": "1", "passkey": 1 }), "code must not be given beside passkey"),
        (json!({ "passkey": 1 }), "passkey must be an object"),
        (json!({ "passkey": {} }), "passkey.credential is required"),
        (json!({ "passkey": { "credential": "x" } }), "passkey.credential must be an object"),
    ] {
        assert_eq!(said(problems(extra).unwrap_err()), [problem]);
    }
    let code = problems(json!({ "code": "123456", "passkey": null })).unwrap();
    assert!(matches!(code.proof, FactorProof::Code(_)));
}

#[test]
fn an_assertion_counts_only_for_what_it_was_begun_for() {
    let given = parse::<PasskeySignIn>(br#"{"credential":{"id":"Y3JlZA"}}"#).unwrap().credential;
    let of = stored(5);
    let asked = |continuation: Option<&str>, used_for, known: bool| {
        let ceremony = opened(Assertion { state: "state".into(), continuation: continuation.map(Into::into) });
        let stored = unspent(Some(&of).filter(|_| known));
        question(Some(ceremony), used_for, stored, &given, rp()).map(|(question, _)| question)
    };
    let second = AssertionUse::SecondFactor(USER, "c");
    let first = asked(None, AssertionUse::SignIn, true).unwrap();
    assert_eq!((first.user_id, first.named), (USER, false));
    assert!(asked(Some("c"), second, true).unwrap().named);
    let other = AssertionUse::SecondFactor(OTHER, "c");
    for (begun, used_for, known, reason) in [
        (Some("c"), AssertionUse::SignIn, true, "other_ceremony"),
        (None, second, true, "other_ceremony"),
        (Some("d"), second, true, "other_ceremony"),
        (None, AssertionUse::SignIn, false, "unknown_passkey"),
        (Some("c"), other, true, "other_account"),
    ] {
        assert_eq!(asked(begun, used_for, known).unwrap_err(), reason);
    }
    let none = question(None, AssertionUse::SignIn, unspent(Some(&of)), &given, rp());
    assert_eq!(none.unwrap_err(), "no_ceremony");
    let ceremony = opened(Assertion { state: "state".into(), continuation: None });
    let stored = StoredAssertion { is_spent: true, ..unspent(Some(&of)) };
    let replayed = question(Some(ceremony), AssertionUse::SignIn, stored, &given, rp());
    assert_eq!(replayed.unwrap_err(), SPENT);
}

#[test]
fn a_repeated_counter_is_recorded_once_for_each_challenge_and_mailed() {
    let change = judged(5, 5).unwrap_err();
    assert!(guards(&change, AccountsGuard::ProofUnspent("hash".into())));
    assert!(writes(&change, |write| matches!(write, AccountsWrite::ProofSpent(_))));
    assert!(!writes(&change, |write| matches!(
        write,
        AccountsWrite::PasskeyUsed { .. } | AccountsWrite::PasskeyRemoved { .. }
    )));
    let letters = mailed(&change);
    assert!(matches!(&letters[..], [LetterKind::PasskeyCopied { name, .. }] if name == "Front desk"));
}
