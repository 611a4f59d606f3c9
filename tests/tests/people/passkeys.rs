//! Passkeys: enrolling, renaming and removing them, signing in with them, and what is refused.

mod attacks;
mod enrolment;
mod limits;
mod related_origins;
mod second_factor;
mod sign_in;

use overturn_tests::account::Account;
use overturn_tests::authenticator::Authenticator;
use overturn_tests::browser::{Browser, CEREMONY, ORIGIN, PASSKEYS, SECOND_FACTOR_OPTIONS, SIGN_IN};
use overturn_tests::log::Log;
use overturn_tests::prelude::*;

/// A server without limits and without rows of other tests in its log.
fn server() -> &'static Server {
    Server::shared()
}

/// An account with an authenticator app, in a practice of its own.
fn account() -> Account<'static> {
    Account::of(&Tenant::new(server()), Role::Owner)
}

/// A browser that is signed in to an account by password and code.
fn signed_in(account: &Account<'_>) -> Browser {
    let mut browser = Browser::new(account.server);
    let body = json!({ "email": account.email, "password": account.password });
    let asked = browser.post("/api/v1/auth/session", &body);
    let token = asked.json["continuation_token"].as_str().unwrap();
    let body = json!({ "continuation_token": token, "code": account.code(0) });
    let done = browser.post("/api/v1/auth/session/2fa", &body);
    done.expect(200);
    browser
}

/// An account with a passkey, the browser that enrolled it, and its authenticator.
fn with_passkey() -> (Account<'static>, Browser, Authenticator) {
    with_passkey_of(account())
}

fn with_passkey_of(account: Account<'static>) -> (Account<'static>, Browser, Authenticator) {
    let mut browser = signed_in(&account);
    let mut authenticator = Authenticator::new(ORIGIN);
    let enrolled = browser.enrol(&mut authenticator, "Front desk");
    enrolled.expect(201);
    (account, browser, authenticator)
}

#[track_caller]
fn assert_failed(answer: &Answer) {
    answer.expect(401);
    assert_eq!(answer.json["error"]["message"], "the sign-in failed");
}

/// The sign-in failed, and the log says why with the request id.
#[track_caller]
fn assert_refused(log: &Log, answer: &Answer, reason: &str) {
    assert_failed(answer);
    assert_logged(log, answer, reason);
}

#[track_caller]
fn assert_logged(log: &Log, answer: &Answer, reason: &str) {
    let id = answer.request_id();
    let found =
        log.has(|line| line["event"] == "proof_refused" && line["request_id"] == id && line["reason"] == reason);
    assert!(found, "{reason}: {:?}", log.of(id));
}

/// How many audit rows an account has for an action.
fn audited(account: &Account<'_>, action: &str, record: &str) -> i64 {
    let sql = "SELECT count(*) AS n FROM audit WHERE action = ?1 AND record = ?2";
    account.server.database().number(sql, &[action, record])
}

/// Waits until an account has as many audit rows for an action: rows about failures come after the answer.
#[track_caller]
fn assert_audited(account: &Account<'_>, action: &str, record: &str, count: i64) {
    wait::until(action, || audited(account, action, record) >= count);
    assert_eq!(audited(account, action, record), count, "{action}");
}

fn changed(account: &Account<'_>, sql: &str) {
    let id = account.id.to_string();
    account.server.database().change(sql, &[&id]);
}

/// Lets the second factor of every session of an account be too old for sensitive actions.
fn age(account: &Account<'_>) {
    changed(account, "UPDATE sessions SET verified_at = 1 WHERE user_id = ?1");
}

fn id_of(answer: &Answer) -> String {
    answer.id().into()
}
