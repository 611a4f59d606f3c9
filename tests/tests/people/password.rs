//! `POST /api/v1/auth/password_reset`, `…/confirm` and `POST /api/v1/auth/password`.

use super::magic_link::trail;
use overturn_tests::account::{Account, SESSION, cookie, page_of, show};
use overturn_tests::link::{MAGIC_LINK, PASSWORD_RESET, confirm, received, verify};
use overturn_tests::mail::{Inbox, Mail};
use overturn_tests::prelude::*;
use std::thread;

const PASSWORD: &str = "/api/v1/auth/password";
const KEYS: &str = "/api/v1/settings/api_keys";
const NEW: &str = "a quite new passphrase";

fn reset_link(account: &Account<'_>) -> String {
    received(account.server, PASSWORD_RESET, &account.email)
}

fn change(page: &Client, current: &str, new: &str) -> Answer {
    let body = json!({ "current_password": current, "new_password": new });
    page.post(PASSWORD, body.to_string())
}

/// The email about a changed password.
fn told(inbox: &mut Inbox) -> Mail {
    loop {
        let mail = inbox.take();
        if mail.subject == "Your Overturn password was changed" {
            return mail;
        }
    }
}

#[test]
fn a_reset_sets_the_password_ends_every_session_and_does_not_sign_in() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let page = account.sign_in();
    let set = confirm(&client, &reset_link(&account), NEW);
    set.expect(204);
    assert_eq!(cookie(&set, "__Host-session"), None);
    page.get(SESSION).expect(401);
    let old = account.try_password(&client, &account.password);
    old.expect(401);
    let asked = account.try_password(&client, NEW);
    assert_eq!(asked.status, 402, "the second factor is what it was");
    let token = asked.json["continuation_token"].as_str().unwrap();
    show(&client, token, &account.code(30_000)).expect(200);
    let letter = told(&mut account.server.mails_to(&account.email));
    assert!(!letter.text.contains("://"), "{letter:?}");
    let rows = trail(&account, 7);
    let actions: Vec<_> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(actions[2..4], ["password.reset_sent", "password.changed"]);
}

#[test]
fn a_reset_ends_everything_in_progress() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let sign_in = received(account.server, MAGIC_LINK, &account.email);
    let other_reset = reset_link(&account);
    let continuation = account.continuation(&client);
    let reset = reset_link(&account);
    confirm(&client, &reset, NEW).expect(204);
    verify(&client, &sign_in).expect(401);
    show(&client, &continuation, &account.code(0)).expect(401);
    confirm(&client, &other_reset, NEW).expect(401);
    confirm(&client, &reset, NEW).expect(401);
}

#[test]
fn of_parallel_resets_one_succeeds_and_sets_the_password() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let tokens = [reset_link(&account), reset_link(&account)];
    let passwords: Vec<String> = (0..6).map(|n| format!("{NEW}, number {n}")).collect();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let set: Vec<_> = passwords
            .iter()
            .zip(tokens.iter().cycle())
            .map(|(password, token)| scope.spawn(|| confirm(&account.server.client(), token, password).status))
            .collect();
        set.into_iter().map(|set| set.join().unwrap()).collect()
    });
    let good: Vec<_> = (0..6).filter(|n| statuses[*n] == 204).collect();
    assert_eq!(good.len(), 1, "{statuses:?}");
    let client = account.server.client();
    for (n, password) in passwords.iter().enumerate() {
        let status = account.try_password(&client, password).status;
        assert_eq!(status, if n == good[0] { 402 } else { 401 }, "{n}");
    }
}

#[test]
fn a_reset_whose_answer_was_lost_is_done_once() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let set = confirm(&client.losing_commit(), &reset_link(&account), NEW);
    set.expect(204);
    account.try_password(&client, NEW).expect(402);
    let epoch = "SELECT epoch AS n FROM users WHERE id = ?1";
    let epoch = account.server.database().number(epoch, &[&account.id.to_string()]);
    assert_eq!(epoch, 2);
}

#[test]
fn a_person_who_knows_the_password_changes_it_and_stays_signed_in_only_here() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Member);
    let elsewhere = account.sign_in();
    let client = account.server.client();
    let done = show(&client, &account.continuation(&client), &account.code(30_000));
    let here = page_of(&client, &done);

    let wrong = change(&here, "not the password", NEW);
    wrong.expect(422);
    let details = json!([{ "field": "current_password", "message": "is not right" }]);
    assert_eq!(wrong.json["error"]["details"], details);
    let unfit = change(&here, &account.password, "passwordpassword");
    assert_eq!(unfit.json["error"]["details"][0]["field"], "new_password");
    elsewhere.get(SESSION).expect(200);

    let changed = change(&here, &account.password, NEW);
    changed.expect(204);
    elsewhere.get(SESSION).expect(401);
    assert_eq!(here.get(SESSION).status, 401, "the token of before");
    let here = page_of(&client, &changed);
    let shown = here.get(SESSION);
    shown.expect(200);
    for kept in ["id", "kind", "created_at", "ends_at", "verified_at", "sso"] {
        assert_eq!(shown.json["session"][kept], done.json["session"][kept], "{kept}");
    }
    account.try_password(&client, &account.password).expect(401);
    let again = change(&here, NEW, &account.password);
    assert_eq!(again.status, 204, "what was verified is: {}", again.text());
    let _letter = told(&mut account.server.mails_to(&account.email));
    let rows = trail(&account, 8);
    let failed = rows.iter().filter(|row| row["action"] == "session.verification_failed");
    assert_eq!(failed.count(), 1);
    let changes = rows.iter().filter(|row| row["action"] == "password.changed");
    assert_eq!(changes.count(), 2);
}

#[test]
fn a_password_is_changed_with_a_second_factor_shown_lately_and_by_no_token() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let page = account.sign_in();
    let stale = "UPDATE sessions SET verified_at = verified_at - 600000 WHERE user_id = ?1";
    let id = account.id.to_string();
    account.server.database().change(stale, &[&id]);
    let refused = change(&page, &account.password, NEW);
    refused.expect(402);
    assert!(refused.json["continuation_token"].is_string());
    let new = Account::unenrolled(&tenant, Role::Owner);
    let begun = new.try_password(&new.server.client(), &new.password);
    let enrolling = page_of(&new.server.client(), &begun);
    change(&enrolling, &new.password, NEW).expect(402);
    enrolling.get(KEYS).expect(402);
}

#[test]
fn five_passwords_are_tried_in_twenty_seconds_and_no_more() {
    let server = Server::lasting(&json!({}));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let page = account.sign_in();
    for remaining in ["4", "3", "2", "1", "0"] {
        let wrong = change(&page, "not the password", NEW);
        wrong.expect(422);
        assert_eq!(wrong.header("x-ratelimit-remaining"), Some(remaining));
    }
    let limited = change(&page, &account.password, NEW);
    limited.expect(429);
    assert_eq!(limited.header("x-ratelimit-limit"), Some("5"));
    page.get(SESSION).expect(200);
}

#[test]
fn a_reset_link_is_looked_at_without_using_it_up() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let link = reset_link(&account);
    let preview = |token: &str| {
        let body = json!({ "token": token }).to_string();
        client.post("/api/v1/auth/password_reset/preview", body)
    };
    // As a mail scanner and then the person do it.
    for _ in 0..2 {
        let seen = preview(&link);
        assert_eq!((seen.status, &seen.json), (200, &json!({ "email": account.email })));
    }
    let sign_in = received(account.server, MAGIC_LINK, &account.email);
    let _other_kind = preview(&sign_in).nested(401);
    confirm(&client, &link, NEW).expect(204);
    preview(&link).refused(401, "not_authenticated");
}
