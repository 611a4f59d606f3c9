//! Signing in while signed in, and the emails about signing in.

use overturn_tests::account::{Account, SESSION, cookie, page_of, show};
use overturn_tests::link::{MAGIC_LINK, received, verify};
use overturn_tests::mail::{Inbox, Mail};
use overturn_tests::person::verify_trail;
use overturn_tests::prelude::*;
use std::time::Duration;

const NEW_DEVICE: &str = "New sign-in to your Overturn account";
const RECOVERY: &str = "A recovery code was used for your Overturn account";
const SOON: Duration = Duration::from_millis(1_500);

/// A browser with the cookies of an answer.
fn browser_of(client: &Client, answer: &Answer) -> Client {
    let names = ["__Host-session", "csrf_token", "__Host-device"];
    let cookies = names.iter().filter_map(|name| {
        let value = cookie(answer, name)?;
        Some(format!("{name}={value}"))
    });
    client.with("Cookie", &cookies.collect::<Vec<_>>().join("; "))
}

fn signed_in(account: &Account<'_>, browser: &Client, from_now: i64) -> Answer {
    let done = show(browser, &account.continuation(browser), &account.code(from_now));
    done.expect(200);
    done
}

fn with_subject(inbox: &mut Inbox, subject: &str) -> Vec<Mail> {
    let mut found = Vec::new();
    while let Some(mail) = inbox.take_within(SOON) {
        found.extend((mail.subject == subject).then_some(mail));
    }
    found
}

#[test]
fn the_session_that_the_browser_had_ends_with_a_row_in_the_trail() {
    let account = Account::of(&Tenant::shared(), Role::Owner);
    let client = account.server.client();
    let first = signed_in(&account, &client, 0);
    let elsewhere = signed_in(&account, &client, 30_000);
    let old = browser_of(&client, &first);
    let asked = account.continuation(&old);
    assert_eq!(old.get(SESSION).status, 200, "a password alone ends nothing");
    let again = show(&old, &asked, account.recovery[0].expose());
    again.expect(200);
    old.get(SESSION).expect(401);
    page_of(&client, &again).get(SESSION).expect(200);
    page_of(&client, &elsewhere).get(SESSION).expect(200);
    let ended = first.json["session"]["id"].as_str().unwrap();
    let rows = "SELECT actor FROM audit WHERE action = 'session.ended' AND record = ?1";
    let rows = account.server.database().rows(rows, &[ended]);
    assert_eq!(rows, [json!({ "actor": format!("user:{}", account.id) })]);
}

#[test]
fn it_ends_whosever_it_was_and_by_a_link_or_an_enrolment_as_well() {
    let tenant = Tenant::shared();
    let (before, other) = (Account::of(&tenant, Role::Owner), Account::of(&Tenant::shared(), Role::Member));
    let client = tenant.server.client();
    let first = signed_in(&before, &client, 0);
    let old = browser_of(&client, &first);
    let done = signed_in(&other, &old, 0);
    old.get(SESSION).expect(401);
    // The practice does not learn who signed in there.
    let ended = first.json["session"]["id"].as_str().unwrap();
    let row = "SELECT actor, address, session_id FROM audit WHERE practice_id = ?1 AND action = 'session.ended'
               AND record = ?2";
    let row = tenant.rows(row, &[ended]);
    assert_eq!(row, [json!({ "actor": "service", "address": null, "session_id": null })]);
    verify_trail(&tenant.owner());

    let old = browser_of(&client, &done);
    let unenrolled = Account::unenrolled(&tenant, Role::Member);
    let link = received(tenant.server, MAGIC_LINK, &unenrolled.email);
    let begun = verify(&old, &link);
    begun.expect(200);
    old.get(SESSION).expect(401);

    let old = browser_of(&client, &begun);
    let again = unenrolled.try_password(&old, &unenrolled.password);
    again.expect(200);
    old.get(SESSION).expect(401);
}

#[test]
fn a_session_that_ended_or_was_made_up_does_not_keep_anybody_out() {
    let account = Account::of(&Tenant::shared(), Role::Owner);
    let client = account.server.client();
    let old = browser_of(&client, &signed_in(&account, &client, 0));
    let end = "UPDATE sessions SET revoked_at = 1 WHERE user_id = ?1";
    account.server.database().change(end, &[&account.id.to_string()]);
    signed_in(&account, &old, 30_000);
    let rows = "SELECT count(*) AS n FROM audit WHERE action = 'session.ended' AND actor = ?1";
    let actor = format!("user:{}", account.id);
    assert_eq!(account.server.database().number(rows, &[&actor]), 0);
}

#[test]
fn a_sign_in_on_a_new_device_is_reported_once_per_device() {
    let account = Account::of(&Tenant::shared(), Role::Owner);
    let client = account.server.client().with("CF-Connecting-IP", "192.0.2.44");
    let client = client.with("User-Agent", "Firefox/150.0 (Linux) http://evil.example/");
    let mut inbox = account.server.mails_to(&account.email);
    let done = signed_in(&account, &client, 0);
    let letters = with_subject(&mut inbox, NEW_DEVICE);
    assert_eq!(letters.len(), 1);
    let text = &letters[0].text;
    assert!(text.contains("Address: 192.0.2.44"), "{text}");
    assert!(text.contains("Browser: Firefox on Linux\n"), "{text}");
    assert!(!text.contains("evil"), "{text}");

    // Another person signs in on the same device: it is new for that account, and stays known to the first.
    let device = |answer: &Answer| format!("__Host-device={}", cookie(answer, "__Host-device").unwrap());
    let other = Account::of(&Tenant::shared(), Role::Owner);
    let shared = client.with("Cookie", &device(&done));
    let theirs = signed_in(&other, &shared, 0);
    assert_eq!(with_subject(&mut other.server.mails_to(&other.email), NEW_DEVICE).len(), 1);
    signed_in(&account, &client.with("Cookie", &device(&theirs)), 30_000);
    assert_eq!(with_subject(&mut inbox, NEW_DEVICE).len(), 0);
}

#[test]
fn a_notice_about_a_recovery_code_says_how_many_are_left() {
    let account = Account::of(&Tenant::shared(), Role::Owner);
    let client = account.server.client();
    let mut inbox = account.server.mails_to(&account.email);
    for (n, left) in [(0, "9 recovery codes left"), (1, "8 recovery codes left")] {
        let code = account.recovery[n].expose();
        let done = show(&client, &account.continuation(&client), code);
        done.expect(200);
        let letters = with_subject(&mut inbox, RECOVERY);
        assert_eq!(letters.len(), 1);
        assert!(letters[0].text.contains(left), "{}", letters[0].text);
    }
    let failed = show(&client, &account.continuation(&client), account.recovery[0].expose());
    failed.expect(401);
    assert!(with_subject(&mut inbox, RECOVERY).is_empty());
}

#[test]
fn emails_about_new_devices_are_limited_and_leave_room_for_a_link() {
    let server = Server::lasting(&json!({ "HASHES_WAITING": "64", "AUTH_PER_20_SECONDS": "100" }));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let mut inbox = server.mails_to(&account.email);
    for n in 0..5 {
        let client = server.client();
        let done = show(&client, &account.continuation(&client), account.recovery[n].expose());
        done.expect(200);
    }
    assert_eq!(with_subject(&mut inbox, NEW_DEVICE).len(), 3);
    assert!(server.log().has(|line| line["event"] == "letter_left_out"));
    let _link = received(&server, MAGIC_LINK, &account.email);
}
