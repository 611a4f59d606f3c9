//! The shield of addresses: a thousand requests a minute, then five minutes' ban.

use overturn_tests::client::{Answer, CLAIMS, Client, STATUS};
use overturn_tests::server::Server;
use overturn_tests::state::State;
use serde_json::json;
use std::thread;

const THREADS: usize = 20;

fn from(server: &Server, address: &str) -> Client {
    server.client().with("CF-Connecting-IP", address)
}

/// Floods until the first ban, from many connections.
fn flood(server: &Server, address: impl Fn(usize) -> String + Sync) -> usize {
    thread::scope(|scope| {
        let address = &address;
        let threads: Vec<_> = (0..THREADS)
            .map(|n| {
                scope.spawn(move || {
                    let client = from(server, &address(n));
                    (0..100)
                        .filter(|_| client.get("/nowhere").status != 429)
                        .count()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    })
}

fn assert_banned(answer: &Answer, flat: bool) {
    assert_eq!(answer.status, 429);
    let wait: i64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((200..=300).contains(&wait), "{wait}");
    if flat {
        assert_eq!(
            answer.json,
            json!({ "error": "too many requests", "retry_after": wait })
        );
    } else {
        assert_eq!(answer.json["error"]["code"], "rate_limited");
    }
    assert_eq!(answer.header("x-ratelimit-limit"), Some("1000"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
}

#[test]
fn an_address_that_floods_is_banned_everywhere_for_five_minutes_and_no_other() {
    let server = Server::start(State::fresh(), &json!({}));
    let passed = flood(&server, |_| "198.51.100.7".into());
    assert!((1000..2000).contains(&passed), "{passed}");
    let banned = from(&server, "198.51.100.7");
    assert_banned(&banned.post(CLAIMS, "{}"), true);
    assert_banned(&banned.get(STATUS), true);
    assert_banned(&banned.get("/health"), false);
    assert_banned(&from(&server, "::ffff:198.51.100.7").get("/health"), false);
    assert_eq!(from(&server, "198.51.100.8").get("/health").status, 200);
    assert_eq!(
        server
            .client()
            .with("X-Forwarded-For", "198.51.100.7")
            .get("/health")
            .status,
        200
    );

    let server = Server::start(server.stop(), &json!({}));
    assert_banned(&from(&server, "198.51.100.7").get("/health"), false);
}

#[test]
fn the_addresses_of_one_ipv6_network_count_as_one() {
    let server = Server::start(State::fresh(), &json!({}));
    let passed = flood(&server, |n| format!("2001:db8:1:2:{n:x}::{n:x}"));
    assert!((1000..2000).contains(&passed), "{passed}");
    assert_banned(&from(&server, "2001:db8:1:2:ffff::1").get(STATUS), true);
    assert_eq!(from(&server, "2001:db8:1:3::1").get("/health").status, 200);
}
