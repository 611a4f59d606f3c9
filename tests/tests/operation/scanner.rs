//! The virus scanner: its state in `/health`, and the settings that keep documents from leaving in the clear.

use overturn_tests::clamd::{Clamd, FakeClamd, Manner};
use overturn_tests::prelude::*;
use std::time::{Duration, Instant};

fn health(server: &Server) -> Value {
    let answer = server.client().get("/health");
    assert_eq!((answer.status, &answer.json["status"]), (200, &json!("ok")));
    answer.json["scanner"].clone()
}

/// Asks until the scanner has this state.
fn becomes(server: &Server, state: &str) {
    wait::until(state, || health(server) == state);
}

#[test]
fn health_follows_a_scanner_that_hangs_goes_on_ends_and_comes_back() {
    let mut clamd = Clamd::start();
    let server = Server::start(State::fresh(), &clamd.vars());
    assert_eq!(health(&server), "ok");
    clamd.hang();
    becomes(&server, "away");
    clamd.go_on();
    becomes(&server, "ok");
    clamd.kill();
    becomes(&server, "away");
    clamd.restart();
    becomes(&server, "ok");
}

#[test]
fn a_scanner_that_answers_anything_else_is_away_and_every_connection_is_closed() {
    for manner in [Manner::Says(b"stream: OK\0"), Manner::SaysAtOnce(b""), Manner::Silent] {
        let fake = FakeClamd::start(manner);
        let server = Server::start(State::fresh(), &fake.vars());
        assert_eq!(health(&server), "away", "{manner:?}");
        fake.wait_closed(1);
    }
    // It is there, but it does not scan.
    let fake = FakeClamd::start(Manner::SaysAtOnce(b"PONG\0"));
    let server = Server::start(State::fresh(), &fake.vars());
    assert_eq!(health(&server), "misconfigured");
    fake.wait_closed(2);
}

#[test]
fn anybody_may_ask_for_the_state_and_few_calls_reach_the_scanner() {
    let fake = FakeClamd::start(Manner::Says(b"PONG\0"));
    let server = Server::start(State::fresh(), &fake.vars());
    let start = Instant::now();
    for _ in 0..50 {
        assert_eq!(health(&server), "misconfigured");
    }
    // One more tries out its limits, a minute after the last one.
    let kept = Duration::from_secs(3).as_millis();
    let most = 2 + start.elapsed().as_millis() / kept;
    assert!(fake.opened() as u128 <= most, "{} connections", fake.opened());
}
