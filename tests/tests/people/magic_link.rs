//! `POST /api/v1/auth/magic_link` and `…/verify`.

use overturn_tests::account::{Account, SESSION, cookie, page_of, show};
use overturn_tests::link::{MAGIC_LINK, received, verify};
use overturn_tests::prelude::*;
use std::thread;

pub(crate) fn assert_failed(answer: &Answer) {
    answer.expect(401);
    assert_eq!(answer.json["error"]["message"], "the sign-in failed");
    assert_eq!(cookie(answer, "__Host-session"), None);
}

pub(crate) fn sign_in_link(account: &Account<'_>) -> String {
    received(account.server, MAGIC_LINK, &account.email)
}

#[test]
fn a_link_does_what_a_password_does_and_no_more() {
    let tenant = Tenant::shared();
    for account in [Account::of(&tenant, Role::Member), Account::staff(tenant.server)] {
        let client = account.server.client();
        let asked = verify(&client, &sign_in_link(&account));
        asked.expect(402);
        assert_eq!(asked.json["error"]["code"], "two_factor_required");
        assert_eq!(cookie(&asked, "__Host-session"), None);
        let token = asked.json["continuation_token"].as_str().unwrap();
        let done = show(&client, token, &account.code(0));
        done.expect(200);
        page_of(&client, &done).get(SESSION).expect(200);
    }
    let new = Account::unenrolled(&tenant, Role::Member);
    let begun = verify(&new.server.client(), &sign_in_link(&new));
    begun.expect(200);
    assert_eq!(begun.json["session"]["kind"], "enrolment");
    let page = page_of(&new.server.client(), &begun);
    page.get("/api/v1/settings/api_keys").expect(402);
}

#[test]
fn a_link_works_once_however_often_it_is_pressed_at_the_same_time() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let pressed: Vec<_> = (0..6).map(|_| scope.spawn(|| verify(&account.server.client(), &token).status)).collect();
        let pressed = pressed.into_iter();
        pressed.map(|pressed| pressed.join().unwrap()).collect()
    });
    let good = statuses.iter().filter(|status| **status == 402).count();
    assert_eq!(good, 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 402].contains(status)));
    let continuations = "SELECT count(*) AS n FROM continuations WHERE user_id = ?1";
    let database = account.server.database();
    assert_eq!(database.number(continuations, &[&account.id.to_string()]), 1);
    assert_failed(&verify(&account.server.client(), &token));
}

#[test]
fn a_sign_in_whose_answer_was_lost_is_answered_and_the_link_stays_used() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let client = account.server.client();
    let asked = verify(&client.losing_commit(), &token);
    asked.expect(402);
    let continuation = asked.json["continuation_token"].as_str().unwrap();
    show(&client, continuation, &account.code(0)).expect(200);
    assert_failed(&verify(&client, &token));
}

#[test]
fn the_trail_has_every_event_of_a_link() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let client = account.server.client().with("CF-Connecting-IP", "203.0.113.9");
    verify(&client, &token).expect(402);
    assert_failed(&verify(&client, &token));
    let wanted =
        [("magic_link.sent", None), ("session.first_factor_passed", Some("magic_link")), ("session.failed", None)];
    let rows = trail(&account, wanted.len());
    for (row, (action, by)) in rows.iter().zip(wanted) {
        assert_eq!(row["action"], action);
        assert_eq!(row["actor"], format!("user:{}", account.id));
        let detail: Value = serde_json::from_str(row["detail"].as_str().unwrap()).unwrap();
        assert_eq!(detail["by"].as_str(), by, "{row}");
        assert!(!row.to_string().contains(&token));
    }
    assert!(rows[2]["detail"].as_str().unwrap().contains("203.0.113.9"));
}

/// Waits for this many audit rows of an account, because some are written after the answer.
pub(crate) fn trail(account: &Account<'_>, rows: usize) -> Vec<Value> {
    let query = "SELECT action, actor, detail FROM audit WHERE record = ?1 ORDER BY at, id";
    let read = || account.server.database().rows(query, &[&account.id.to_string()]);
    let found = wait::found("a row for each", || Some(read()).filter(|found| found.len() >= rows));
    assert_eq!(found.len(), rows, "{found:?}");
    found
}
