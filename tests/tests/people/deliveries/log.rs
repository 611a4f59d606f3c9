//! The log of a delivery, and tests of each kind.

use super::{Hook, server};
use overturn_core::webhooks::message::MessageKind;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Reply};

/// An answer that holds anything, more than is kept.
const TEXT: &[u8] = &{
    let mut text = [b'x'; 3000];
    let begin = b"no\0 \xff<b>CanaryAnswer</b>";
    let mut n = 0;
    while n < begin.len() {
        text[n] = begin[n];
        n += 1;
    }
    text
};

#[test]
fn a_test_of_each_kind_has_the_body_of_a_real_message_and_says_that_it_is_a_test() {
    let hook = Hook::new([OK]);
    for (nth, kind) in MessageKind::ALL.into_iter().enumerate() {
        let asked = hook.owner.client().post(&format!("{}/test", hook.path), json!({ "event": kind }).to_string());
        asked.expect(202);
        assert_eq!((&asked.json["type"], &asked.json["test"]), (&json!(kind), &json!(true)));
        let told = hook.receiver.wait(nth + 1).pop().unwrap();
        assert_eq!(told.signed_by(&hook.secret), 1);
        let body: Value = serde_json::from_str(&told.body).unwrap();
        assert_eq!((&body["type"], &body["test"]), (&json!(kind), &json!(true)));
        assert!(body["data"].as_object().unwrap().values().all(|of| of["id"].is_string()), "{body}");
        hook.settled(asked.id(), "delivered");
    }
    let unknown = hook.owner.client().post(&format!("{}/test", hook.path), r#"{"event": "claim.created"}"#);
    unknown.expect(422);
}

#[test]
fn the_log_has_each_request_with_its_answer_and_shows_no_secret() {
    let hook = Hook::new([Reply::Text(500, TEXT), OK]);
    let id = hook.tell();
    hook.settled(&id, "delivered");
    let path = format!("{}/deliveries/{id}", hook.path);
    let shown = hook.owner.client().get(&path);
    shown.expect(200);
    assert!(!shown.text().contains("whsec_") && !shown.text().contains(&hook.secret[6..]));
    assert_eq!((&shown.json["state"], &shown.json["test"]), (&json!("delivered"), &json!(false)));
    let received = hook.receiver.wait(2);
    assert_eq!(shown.json["body"], json!(received[0].body));
    let log = shown.json["log"].as_array().unwrap();
    assert_eq!(log.len(), 2);
    for (attempt, request) in log.iter().zip(&received) {
        for name in ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"] {
            assert_eq!(attempt["headers"][name], json!(request.header(name)), "{name}");
        }
        assert_eq!(attempt["url"], json!(hook.receiver.url()));
        assert!(attempt["took_ms"].as_i64().unwrap() >= 0 && attempt["at"].is_string());
    }
    assert_eq!((&log[0]["status"], &log[0]["error"]), (&json!(500), &json!("refused")));
    let answer = log[0]["answer"].as_str().unwrap();
    assert!(answer.starts_with("no\0 \u{fffd}<b>CanaryAnswer</b>x") && answer.chars().count() == 1000, "{answer}");
    assert_eq!((&log[1]["status"], &log[1]["error"], &log[1]["answer"]), (&json!(200), &json!(null), &json!(null)));

    let stored = hook.tenant.rows("SELECT sealed FROM attempts WHERE practice_id = ?1", &[]);
    assert_eq!(stored.len(), 2);
    assert!(!stored.iter().any(|row| row.to_string().contains("Canary")));
    assert!(!server().log().lines().iter().any(|line| line.to_string().contains("CanaryAnswer")));
    hook.tenant.member().get(&path).refused(403, "not_authorized");
    Hook::new([OK]).owner.client().get(&path).refused(404, "not_found");
}

#[test]
fn an_endpoint_that_does_not_answer_has_an_entry_without_a_status() {
    let hook = Hook::new([Reply::Close]);
    let id = hook.tell();
    hook.settled(&id, "failed");
    let shown = hook.owner.client().get(&format!("{}/deliveries/{id}", hook.path));
    let log = shown.json["log"].as_array().unwrap();
    assert_eq!(log.len(), 3);
    assert!(log.iter().all(|attempt| attempt["status"].is_null() && attempt["error"] == "not_connected"), "{log:?}");
}
