//! Passkeys in a browser with a virtual authenticator. tests/browser/passkeys.mjs has the steps.

use overturn_tests::account::Account;
use overturn_tests::prelude::*;
use overturn_tests::project;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

/// An account with an authenticator app.
fn account() -> Account<'static> {
    Account::of(&Tenant::shared(), Role::Owner)
}

/// Runs one of the ways of passkeys.mjs. Returns what it printed.
fn run(how: &str, account: &Account<'_>) -> Vec<String> {
    let codes: Vec<&str> = account.recovery.iter().map(|code| code.expose()).collect();
    let person = json!({
        "origin": format!("http://localhost:{}", account.server.port()),
        "email": account.email,
        "password": account.password,
        "codes": codes,
    });
    let mut running = project::command(&project::node())
        .args(["tests/browser/passkeys.mjs", how])
        .env("PASSKEY_ACCOUNT", person.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = running.stdin.take().unwrap();
    let mut printed = Vec::new();
    for line in BufReader::new(running.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if line == "age" {
            let sql = "UPDATE sessions SET verified_at = 1 WHERE user_id = ?1";
            let id = account.id.to_string();
            account.server.database().change(sql, &[&id]);
            answers.write_all(b"\n").unwrap();
        }
        printed.push(line);
    }
    let mut said = String::new();
    running.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(running.wait().unwrap().success(), "{said}");
    printed
}

/// How many audit rows of an action are about a record of the account's practice.
fn audited(account: &Account<'_>, action: &str) -> i64 {
    let sql = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action = ?2";
    let practice = account.practice_id.unwrap().to_string();
    account.server.database().number(sql, &[&practice, action])
}

#[test]
fn a_passkey_is_enrolled_and_signs_in_with_and_without_a_password() {
    let account = Account::unenrolled(&Tenant::shared(), Role::Owner);
    run("whole", &account);
    assert_eq!(audited(&account, "passkey.enrolled"), 1);
}

#[test]
fn the_browser_offers_passkeys_in_a_field() {
    run("conditional", &account());
}

#[test]
fn a_passkey_is_shown_again_before_a_sensitive_action() {
    let account = account();
    run("again", &account);
    assert_eq!(audited(&account, "session.verified"), 1);
}

#[test]
fn a_page_of_another_origin_that_relays_everything_gets_no_session() {
    let account = account();
    let printed = run("phishing", &account);
    let refused = printed.iter().find_map(|line| line.strip_prefix("refused "));
    let id = refused.unwrap();
    let log = account.server.log();
    assert!(
        log.has(|line| { line["event"] == "proof_refused" && line["request_id"] == id && line["reason"] == "origin" })
    );
}

#[test]
fn a_response_counts_once_and_in_its_browser_only() {
    run("replayed", &account());
}

#[test]
fn a_copied_passkey_is_refused_and_its_person_gets_an_email() {
    let account = account();
    let mut mails = account.server.mails_to(&account.email);
    run("cloned", &account);
    assert_eq!(audited(&account, "passkey.counter_repeated"), 1);
    while mails.take().subject != "A passkey of your Overturn account may have been copied" {}
}

#[test]
fn a_removed_passkey_signs_nobody_in() {
    run("removed", &account());
}

#[test]
fn of_two_responses_at_once_one_signs_in() {
    run("twice", &account());
}

#[test]
fn a_person_who_is_not_verified_uses_no_passkey() {
    run("unverified", &account());
}
