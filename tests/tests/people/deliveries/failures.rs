//! Receivers that fail, and the state of their endpoint.

use super::{Hook, enter, server};
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver, Reply};
use std::time::{Duration, Instant};

const FAILING: Reply = Reply::Status(500, &[]);

#[test]
fn a_failed_delivery_is_retried_under_the_same_id_until_it_succeeds() {
    let hook = Hook::new([FAILING, Reply::Close, OK]);
    let id = hook.tell();
    let told = hook.receiver.wait(3);
    assert!(told.iter().all(|told| told.header("webhook-id") == id));
    assert!(told.iter().all(|told| told.signed_by(&hook.secret) == 1));
    let delivery = hook.settled(&id, "delivered");
    assert_eq!((&delivery["attempts"], &delivery["last_error"]), (&json!(3), &Value::Null));
    assert_eq!(hook.shown()["failing_since"], Value::Null);
    assert_eq!(hook.shown()["state"], "active");
}

#[test]
fn an_endpoint_may_ask_for_more_time() {
    let hook = Hook::new([Reply::Status(429, &["Retry-After: 3600"])]);
    hook.tell();
    let wait = hook.tenant.number("SELECT next_at - last_at AS n FROM deliveries WHERE practice_id = ?1");
    assert!((3_600_000..3_620_000).contains(&wait), "{wait}");
}

#[test]
fn an_endpoint_that_takes_nothing_is_disabled_and_its_leaders_are_written_to() {
    let hook = Hook::new([FAILING]);
    let admin = Person::of(&hook.tenant, Role::Admin);
    let member = Person::of(&hook.tenant, Role::Member);
    let id = hook.tell();
    let delivery = hook.settled(&id, "failed");
    assert_eq!((&delivery["attempts"], &delivery["last_status"]), (&json!(3), &json!(500)));
    assert_eq!(delivery["last_error"], "refused");
    assert_eq!(hook.receiver.received().len(), 3);
    for email in [&hook.owner.email, &admin.email] {
        let mail = server().mails_to(email).take();
        assert_eq!(mail.subject, "A webhook of your practice was disabled");
    }
    let none = server().mails_to(&member.email).take_within(Duration::ZERO);
    assert!(none.is_none());
    let shown = hook.shown();
    assert_eq!(shown["state"], "disabled");
    assert!(shown["failing_since"].is_string() && shown["disabled_at"].is_string());
    let audited = hook.tenant.audit("webhook.disabled");
    assert_eq!((audited.len(), &audited[0]["actor"]), (1, &json!("service")));

    let client = hook.owner.client();
    let enabled = client.seeing(&hook.path).patch(&hook.path, br#"{"state": "active"}"#);
    assert_eq!(enabled.json["failing_since"], Value::Null, "{}", enabled.text());
}

#[test]
fn a_redirect_is_a_failure_and_is_not_followed() {
    let elsewhere = Receiver::new([OK]);
    let hook = Hook::new([Reply::Redirect(elsewhere.url()), Reply::Redirect("/hook".into()), OK]);
    let id = hook.tell();
    let first = hook.delivery(&id);
    assert_eq!((&first["last_status"], &first["last_error"]), (&json!(302), &json!("redirected")));
    hook.settled(&id, "delivered");
    assert_eq!(hook.receiver.received().len(), 3, "each attempt is one request");
    assert!(elsewhere.received().is_empty());
}

#[test]
fn an_endpoint_that_does_not_answer_is_given_ten_seconds() {
    let hook = Hook::new([Reply::Hang(Duration::from_secs(3600)), OK]);
    let begun = Instant::now();
    let id = hook.tell();
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(9), "{took:?}");
    assert_eq!(hook.delivery(&id)["last_error"], "timed_out");
    hook.settled(&id, "delivered");
}

#[test]
fn an_answer_without_end_is_not_read() {
    let hook = Hook::new([Reply::Endless]);
    let id = hook.tell();
    // An attempt that reads the body ends after ten seconds as a failure.
    assert_eq!(hook.delivery(&id)["state"], "delivered");
}

#[test]
fn messages_waiting_for_a_removed_endpoint_or_a_closed_practice_are_not_sent() {
    let removed = Hook::new([OK]);
    let stopped = Hook::new([OK]);
    let ended = Hook::new([OK]);
    removed.owner.client().delete(&removed.path).expect(204);
    stopped.tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    let ends = "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1";
    ended.tenant.change(ends, &[]);
    // Inserted only now: the sweep of another test would send them.
    let ids = [removed.write(), stopped.write(), ended.write()];
    for (hook, id) in [&removed, &stopped, &ended].into_iter().zip(&ids) {
        enter(&server().client(), "/.tests/queue", &hook.message(id));
    }
    for (hook, why) in [(&removed, "endpoint_inactive"), (&stopped, "practice_inactive"), (&ended, "agreement_ended")] {
        let sql = "SELECT state, last_error FROM deliveries WHERE practice_id = ?1";
        let row = hook.tenant.rows(sql, &[]).remove(0);
        assert_eq!((&row["state"], &row["last_error"]), (&json!("failed"), &json!(why)));
        assert!(hook.receiver.received().is_empty());
    }
}
