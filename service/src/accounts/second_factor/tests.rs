use super::*;
use crate::accounts::passkeys::assertion::AcceptedAssertion;
use crate::accounts::passkeys::assertion::tests::accepted;
use crate::accounts::recovery::RecoveryCode;
use crate::accounts::tests::{
    Accounts, ELSEWHERE, FACTOR, FIRST, MEMBER, NOW, OWNER, PASSKEY_OF_MEMBER, SESSION, assert_guarded, at_sign_in,
    audited, in_session, mailed, recovery_code, secret, with,
};
use crate::request::secret::{ContinuationToken, SessionToken};
use crate::store::error::FailedGuard;
use crate::testing::decisions::{parse, said};

fn shown(token: &ContinuationToken, code: &str) -> PresentedFactor {
    let body = json!({ "continuation_token": token.expose(), "code": code }).to_string();
    parse(body.as_bytes()).unwrap()
}

fn by_passkey(token: &ContinuationToken) -> PresentedFactor {
    let passkey = json!({ "credential": { "id": "x" } });
    parse(json!({ "continuation_token": token.expose(), "passkey": passkey }).to_string()).unwrap()
}

fn stored(a: &mut Accounts, token: &ContinuationToken) -> Option<StoredContinuation> {
    a.read(&continuation::stored(&token.hash()))
}

/// Presents a code for a continuation, with the app's secret opened.
fn try_code(
    a: &mut Accounts,
    token: &ContinuationToken,
    code: &str,
    session: Option<ConfirmingSession>,
) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let stored = stored(a, token).ok_or(RequestError::SignInFailed)?;
    let app = stored.factor.as_ref().unwrap().secret(OWNER, &a.f.keys)?;
    let opened = OpenedFactors { secret: Some(app), passkey: None };
    let change = with(&ctx, |setting| confirmed(&shown(token, code), &stored, opened, session, setting))?;
    Ok((ctx, change))
}

fn try_passkey(
    a: &mut Accounts,
    token: &ContinuationToken,
    passkey: Option<AcceptedAssertion>,
    session: Option<ConfirmingSession>,
) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let stored = stored(a, token).unwrap();
    let opened = OpenedFactors { secret: None, passkey };
    let change = with(&ctx, |setting| confirmed(&by_passkey(token), &stored, opened, session, setting))?;
    Ok((ctx, change))
}

fn signed_in(a: &mut Accounts) -> (Ctx, Change) {
    try_code(a, &at_sign_in(), &secret().code_at(NOW), None).unwrap()
}

const fn again(id: SessionId, proven: bool) -> Option<ConfirmingSession> {
    Some(ConfirmingSession { id, proven })
}

/// What breaks every use of a continuation token.
const BROKEN: [(&str, FailedGuard); 5] = [
    ("UPDATE continuations SET used_at = 1", FailedGuard::Secret),
    ("UPDATE continuations SET expires_at = 1", FailedGuard::Secret),
    // The practice no longer trusts the provider, or it does by now.
    ("UPDATE continuations SET sso = 'x'", FailedGuard::Secret),
    ("UPDATE users SET epoch = 2", FailedGuard::Rights),
    ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
];

#[test]
fn a_right_code_begins_a_session_and_is_used_up_with_it() {
    let mut a = Accounts::new();
    let (ctx, change) = signed_in(&mut a);
    assert_eq!(change.answer.body["session"]["kind"], "full");
    assert_eq!(change.answer.body["practice"]["name"], "Practice 1");
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let begun = SessionToken::mint([6; 32]).hash();
    assert!(a.sessions().contains(&begun));
    let last_step = a.rows(&format!("SELECT last_step FROM factors WHERE id = '{FACTOR}'"));
    assert_eq!(last_step, (NOW.0 / 30_000).to_string());
    let used = a.rows("SELECT hash FROM continuations WHERE used_at IS NOT NULL");
    assert_eq!(used, at_sign_in().hash());
    let in_trail = "SELECT count(*) FROM audit JOIN sessions s ON s.id = session_id WHERE action = 'session.created'
       AND s.hash = ";
    assert_eq!(a.f.count(&format!("{in_trail} '{begun}'")), 1);
    let again = try_code(&mut a, &at_sign_in(), &secret().code_at(NOW), None).map(drop);
    assert_eq!(again, Err(RequestError::SignInFailed));
    let step = [("UPDATE factors SET last_step = 99999999999", FailedGuard::Secret)];
    assert_guarded(signed_in, &[&BROKEN[..], &step[..]].concat());
}

#[test]
fn every_failed_sign_in_gets_the_same_answer() {
    let now = NOW.0;
    for sql in [
        "UPDATE continuations SET used_at = 1",
        &format!("UPDATE continuations SET expires_at = {now}"),
        "UPDATE continuations SET attempts = 6",
        "UPDATE continuations SET epoch = 2",
        &format!("UPDATE continuations SET session_id = '{SESSION}'"),
        &format!("UPDATE factors SET last_step = {now} / 30000"),
        "UPDATE users SET state = 'removed'",
    ] {
        let mut a = Accounts::new();
        a.f.db.execute_batch(sql).unwrap();
        let failed = try_code(&mut a, &at_sign_in(), &secret().code_at(NOW), None).map(drop);
        assert_eq!(failed, Err(RequestError::SignInFailed), "{sql}");
    }
    let mut a = Accounts::new();
    for wrong in ["000000", "12", "not a code", "0303-0303-0303-0303"] {
        let failed = try_code(&mut a, &at_sign_in(), wrong, None).map(drop);
        assert_eq!(failed, Err(RequestError::SignInFailed), "{wrong}");
    }
}

#[test]
fn five_attempts_count_and_each_is_counted_before_its_code_is_compared() {
    let mut a = Accounts::new();
    for attempt in 1..=6 {
        let ctx = a.f.ctx();
        a.f.commit(&ctx, (Vec::new(), vec![continuation::count_attempt(&at_sign_in().hash())])).unwrap();
        let tried = try_code(&mut a, &at_sign_in(), &secret().code_at(NOW), None);
        assert_eq!(tried.is_ok(), attempt <= 5, "{attempt}");
        assert_eq!(stored(&mut a, &at_sign_in()).unwrap().can_be_tried(NOW), attempt < 5, "{attempt}");
    }
}

#[test]
fn a_recovery_code_of_this_account_works_once() {
    let by_code = |a: &mut Accounts| try_code(a, &at_sign_in(), recovery_code().expose(), None).unwrap();
    let mut a = Accounts::new();
    let (ctx, change) = by_code(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert!(mailed(&change).iter().any(|says| matches!(says, LetterKind::RecoveryCodeUsed { left: 1, .. })));
    assert_eq!(
        a.rows("SELECT hash FROM recovery_codes WHERE used_at IS NULL"),
        RecoveryCode::mint([2; 15]).hash(OWNER)
    );
    let used = [("UPDATE recovery_codes SET used_at = 1", FailedGuard::Secret)];
    assert_guarded(by_code, &[&BROKEN[..], &used[..]].concat());

    let mut a = Accounts::new();
    let mut other = stored(&mut a, &at_sign_in()).unwrap();
    other.account.user_id = MEMBER;
    let opened = OpenedFactors::default();
    let ctx = a.f.ctx();
    let shown = shown(&at_sign_in(), recovery_code().expose());
    let failed = with(&ctx, |setting| confirmed(&shown, &other, opened, None, setting)).map(drop);
    assert_eq!(failed, Err(RequestError::SignInFailed));
}

#[test]
fn a_session_shows_its_own_second_factor_from_its_own_page() {
    let code = secret().code_at(NOW);
    let mut a = Accounts::new();
    for session in [None, again(ELSEWHERE, true)] {
        let failed = try_code(&mut a, &in_session(), &code, session).map(drop);
        assert_eq!(failed, Err(RequestError::SignInFailed));
    }
    let unproven = try_code(&mut a, &in_session(), &code, again(SESSION, false));
    assert!(matches!(unproven, Err(RequestError::NotAuthorized(..))));

    let confirm = |a: &mut Accounts| try_code(a, &in_session(), &secret().code_at(NOW), again(SESSION, true)).unwrap();
    let (ctx, change) = confirm(&mut a);
    assert_eq!(change.answer.status, 204);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let renewed = SessionToken::mint([6; 32]).hash();
    assert_eq!(a.sessions(), format!("{renewed} elsewhere member"));
    let session = a.rows(&format!("SELECT verified_at, epoch FROM sessions WHERE id = '{SESSION}'"));
    assert_eq!(session, format!("{} 1", NOW.0));
    let in_trail = a.rows("SELECT session_id FROM audit WHERE action = 'session.verified'");
    assert_eq!(in_trail, SESSION.to_string());
    let ended = [
        ("UPDATE sessions SET revoked_at = 1", FailedGuard::Record),
        ("UPDATE sessions SET ends_at = 1", FailedGuard::Record),
        ("UPDATE factors SET last_step = 99999999999", FailedGuard::Secret),
    ];
    assert_guarded(confirm, &[&BROKEN[..], &ended[..]].concat());
}

#[test]
fn an_assertion_takes_the_place_of_a_code() {
    let sign_in = |a: &mut Accounts| try_passkey(a, &at_sign_in(), Some(accepted(FIRST, OWNER)), None).unwrap();
    let mut a = Accounts::new();
    let (ctx, change) = sign_in(&mut a);
    assert_eq!(audited(&change)["passkey_id"], FIRST.to_string());
    assert_eq!(audited(&change)["by"], "passkey");
    assert_eq!(change.answer.body["session"]["kind"], "full");
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let used = a.rows(&format!("SELECT sign_count, backed_up, last_used_at FROM passkeys WHERE id = '{FIRST}'"));
    assert_eq!(used, format!("6 0 {}", NOW.0));
    assert_eq!(a.rows("SELECT hash FROM spent_proofs"), "proof");
    let replayed = [
        ("INSERT INTO spent_proofs VALUES ('proof', 1900000000000)", FailedGuard::Secret),
        ("UPDATE passkeys SET sign_count = 6", FailedGuard::Secret),
        ("DELETE FROM passkeys", FailedGuard::Secret),
    ];
    assert_guarded(sign_in, &[&BROKEN[..], &replayed[..]].concat());

    let confirmed =
        try_passkey(&mut Accounts::new(), &in_session(), Some(accepted(FIRST, OWNER)), again(SESSION, true));
    assert_eq!(confirmed.unwrap().1.answer.status, 204);
    let unproven =
        try_passkey(&mut Accounts::new(), &in_session(), Some(accepted(FIRST, OWNER)), again(SESSION, false));
    assert!(matches!(unproven, Err(RequestError::NotAuthorized(..))));
    for passkey in [None, Some(accepted(PASSKEY_OF_MEMBER, MEMBER))] {
        let failed = try_passkey(&mut Accounts::new(), &at_sign_in(), passkey, None).map(drop);
        assert_eq!(failed, Err(RequestError::SignInFailed));
    }
}

#[test]
fn a_second_factor_is_exactly_one_of_code_and_passkey() {
    let problems = |extra: serde_json::Value| {
        let mut body = json!({ "continuation_token": at_sign_in().expose() });
        let fields = body.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        parse::<PresentedFactor>(body.to_string().as_bytes())
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
    assert!(code.proof.passkey().is_none());
}

#[test]
fn nothing_of_a_code_or_a_secret_is_printed() {
    let code = secret().code_at(NOW);
    let mut a = Accounts::new();
    let stored = stored(&mut a, &at_sign_in()).unwrap();
    let (_, change) = signed_in(&mut a);
    let printed = format!("{:?} {stored:?} {change:?}", shown(&at_sign_in(), &code));
    let (token, session) = (at_sign_in(), SessionToken::mint([6; 32]));
    for hidden in [&*code, token.expose(), session.expose(), "owner@a.example"] {
        assert!(!printed.contains(hidden), "{hidden}");
    }
}
