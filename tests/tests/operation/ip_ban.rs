//! The IP ban: after a thousand requests in a minute, an address is banned for five minutes.

use overturn_tests::client::{CLAIMS, STATUS};
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use std::thread;

const THREADS: usize = 20;

fn from(server: &Server, address: &str) -> Client {
    server.client().with("CF-Connecting-IP", address)
}

/// Sends requests over many connections until each of them is refused. Returns how many requests were accepted. The
/// platform counts in fixed minutes, so a flood over the end of a minute gets more than the limit.
fn flood(client: impl Fn(usize) -> Client + Sync) -> usize {
    thread::scope(|scope| {
        let client = &client;
        let until_refused = move |n| {
            let client = client(n);
            (0..2000).take_while(|_| client.get("/nowhere").status != 429).count()
        };
        let threads: Vec<_> = (0..THREADS).map(|n| scope.spawn(move || until_refused(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

fn assert_banned(answer: &Answer, flat: bool) {
    answer.expect(429);
    let wait: i64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((200..=300).contains(&wait), "{wait}");
    if flat {
        assert_eq!(answer.json, json!({ "error": "too many requests", "retry_after": wait }));
    } else {
        assert_eq!(answer.json["error"]["code"], "rate_limited");
    }
    assert_eq!(answer.header("x-ratelimit-limit"), Some("1000"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
}

#[test]
fn an_address_that_floods_is_banned_everywhere_for_five_minutes_and_no_other() {
    let server = Server::start(State::fresh(), &json!({}));
    let passed = flood(|_| from(&server, "198.51.100.7"));
    assert!((1000..2000).contains(&passed), "{passed}");
    let banned = from(&server, "198.51.100.7");
    assert_banned(&banned.post(CLAIMS, "{}"), true);
    assert_banned(&banned.get(STATUS), true);
    assert_banned(&banned.get("/health"), false);
    assert_banned(&from(&server, "::ffff:198.51.100.7").get("/health"), false);
    from(&server, "198.51.100.8").get("/health").expect(200);
    server.client().with("X-Forwarded-For", "198.51.100.7").get("/health").expect(200);

    only_on_workerd!("a restart of the native program forgets bans");
    // A new isolate has counted nothing, and finds the ban in KV.
    let server = Server::start(server.stop(), &json!({}));
    let uncounted = |address: &str| from(&server, address).with("Tests-Bindings", r#"{"IP_LIMITER":"open"}"#);
    assert_banned(&uncounted("198.51.100.7").get("/health"), false);
    uncounted("198.51.100.8").get("/health").expect(200);
}

#[test]
fn the_addresses_of_one_ipv6_network_count_as_one() {
    let server = Server::start(State::fresh(), &json!({}));
    let passed = flood(|n| from(&server, &format!("2001:db8:1:2:{n:x}::{n:x}")));
    assert!((1000..2000).contains(&passed), "{passed}");
    assert_banned(&from(&server, "2001:db8:1:2:ffff::1").get(STATUS), true);
    from(&server, "2001:db8:1:3::1").get("/health").expect(200);
}

#[test]
fn a_ban_that_has_not_spread_yet_holds_where_it_was_made() {
    let server = Server::start(State::fresh(), &json!({}));
    let stale = |address: &str| from(&server, address).with("Tests-Bindings", r#"{"BANS":"stale"}"#);
    let passed = flood(|_| stale("198.51.100.7"));
    assert!((1000..2000).contains(&passed), "{passed}");
    // The ban also covers the next minute, when the counter starts again.
    let next_minute =
        |address: &str| from(&server, address).with("Tests-Bindings", r#"{"BANS":"stale","IP_LIMITER":"open"}"#);
    assert_banned(&next_minute("198.51.100.7").get(STATUS), true);
    next_minute("198.51.100.8").get("/health").expect(200);
}

#[test]
fn a_request_that_cannot_be_counted_or_looked_up_is_refused() {
    let server = Server::start(State::fresh(), &json!({}));
    let tenant = Tenant::new(&server);
    let before = tenant.counts();
    for (n, (broken, failure)) in
        [(r#"{"BANS":"gone"}"#, "unavailable: bans"), (r#"{"LIMITER":"gone"}"#, "unavailable: limiter")]
            .into_iter()
            .enumerate()
    {
        let client =
            tenant.client().with("CF-Connecting-IP", &format!("198.51.100.{n}")).with("Tests-Bindings", broken);
        for answer in [client.send(&item("A-1")), client.status("A-1")] {
            assert_eq!(answer.refusal(503), "temporarily unavailable, try again");
            assert_eq!(answer.header("retry-after"), Some("1"));
            assert_eq!(server.log().of(answer.request_id())[0]["failure"], failure);
        }
    }
    // Requests are counted in steps of ten.
    let uncounted =
        tenant.client().with("CF-Connecting-IP", "198.51.100.77").with("Tests-Bindings", r#"{"IP_LIMITER":"gone"}"#);
    let answers: Vec<Answer> = (0..20).map(|_| uncounted.status("A-1")).collect();
    for (n, answer) in answers.iter().enumerate() {
        if (n + 1).is_multiple_of(10) {
            assert_eq!(answer.refusal(503), "temporarily unavailable, try again");
            let line = &server.log().of(answer.request_id())[0];
            assert_eq!(line["failure"], "unavailable: ip_limiter");
        } else {
            answer.expect(404);
        }
    }
    assert_eq!(tenant.counts(), before);
    assert_eq!(tenant.send(&item("A-1")).created(), [true]);
}
