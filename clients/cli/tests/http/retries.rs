//! Temporary failures.

use crate::program::{numbered, program_for, run};
use crate::service::{Act, Service};
use serde_json::json;
use std::time::{Duration, Instant};

fn error(text: &str) -> serde_json::Value {
    json!({ "error": text })
}

#[test]
fn a_service_that_is_down_is_called_again() {
    let service = Service::new([Act::Say(503, "Retry-After: 1\r\n", error("temporarily unavailable")), Act::Drop]);
    let start = Instant::now();
    let sent = run(program_for(&service, &["send", "-"]), &numbered(0..3));
    assert_eq!((sent.status, service.sizes()), (0, vec![3, 3, 3]));
    assert!(sent.out.starts_with("created        3\n"));
    // One second as asked, and one second as the second back-off.
    assert!(start.elapsed() >= Duration::from_secs(2));
    assert!(sent.err.starts_with("the service answers 503; attempt 2 of 7 in 1 s\n"), "{}", sent.err);
    assert_eq!(sent.err.lines().count(), 2);
}

#[test]
fn an_answer_that_is_lost_after_the_claims_were_taken_doubles_nothing() {
    let service = Service::new([Act::Lose]);
    let sent = run(program_for(&service, &["send", "-", "--json"]), &numbered(0..150));
    assert_eq!((sent.status, service.sizes()), (0, vec![100, 100, 50]));
    let summary = sent.summary();
    assert_eq!((&summary["created"], &summary["already_there"]), (&json!(50), &json!(100)));
    assert_eq!(service.claims().len(), 150);
}

#[test]
fn a_service_that_says_nothing_is_called_again_after_the_time_out() {
    let service = Service::new([Act::Hang]);
    let sent = run(program_for(&service, &["send", "-", "--timeout", "1"]), &numbered(0..3));
    assert_eq!((sent.status, service.sizes()), (0, vec![3, 3]));
    assert!(sent.err.contains("timeout"), "{}", sent.err);
}

#[test]
fn a_rate_limit_is_waited_for_as_long_as_it_says() {
    let body = json!({ "error": "too many requests", "retry_after": 2 });
    for headers in ["Retry-After: 2\r\n", ""] {
        let service = Service::new([Act::Say(429, headers, body.clone())]);
        let start = Instant::now();
        let sent = run(program_for(&service, &["send", "-"]), &numbered(0..3));
        assert_eq!((sent.status, service.sizes()), (0, vec![3, 3]));
        assert!(start.elapsed() >= Duration::from_secs(2));
        assert_eq!(sent.err, "too many requests: waiting 2 s, as the service asks\n");
    }
}

#[test]
fn a_rate_limit_that_is_said_by_a_date_is_waited_for() {
    let over = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let service = Service::new([Act::Say(429, over, error("too many requests"))]);
    let sent = run(program_for(&service, &["send", "-"]), &numbered(0..3));
    assert_eq!((sent.status, service.sizes()), (0, vec![3, 3]));
    assert_eq!(sent.err, "too many requests: waiting 1 s, as the service asks\n");
}

#[test]
fn a_call_to_this_machine_uses_no_proxy() {
    let (service, proxy) = (Service::new([]), Service::new([]));
    let mut command = program_for(&service, &["send", "-"]);
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "http_proxy"] {
        command.env(name, proxy.url());
    }
    let sent = run(command, &numbered(0..3));
    assert_eq!((sent.status, service.sizes()), (0, vec![3]));
    assert_eq!(proxy.heads(), [""; 0]);
}
