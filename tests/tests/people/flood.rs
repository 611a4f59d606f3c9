//! A flood of password attempts: few passwords are hashed, known devices get in, and everyone else can use a mailed
//! link.

use overturn_tests::account::{Account, SESSION, cookie, show};
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, accept, confirm, received, verify};
use overturn_tests::prelude::*;
use std::thread;
use std::time::{Duration, Instant};

/// How many failed sign-ins from unknown devices an isolate allows in 20 seconds.
const PER_ISOLATE: i32 = 5;
const MESSAGE: &str = "too many sign-in attempts: wait, or ask for a sign-in link, which needs no password";

fn from(server: &Server, ip: &str) -> Client {
    server.client().with("CF-Connecting-IP", ip)
}

fn try_unknown(client: &Client, n: usize) -> Answer {
    let body = json!({ "email": format!("n{n}@account.example"), "password": "not the password" });
    client.post(SESSION, body.to_string())
}

/// How many password hashes and database round trips a request took.
fn cost(server: &Server, answer: &Answer) -> (u64, u64) {
    let line: Value = server.log().of(answer.request_id()).remove(0);
    let number = |name: &str| line[name].as_u64().unwrap_or(0);
    (number("hashes"), number("d1_round_trips"))
}

/// Attempts from different networks, 20 at a time.
fn flood(server: &Server, attempts: usize) -> Vec<Answer> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..20)
            .map(|first| {
                scope.spawn(move || {
                    let tries = (first..attempts).step_by(20).map(|n| {
                        let ip = format!("10.{}.{}.7", n / 250, n % 250);
                        try_unknown(&from(server, &ip), n)
                    });
                    tries.collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn few_of_a_flood_from_many_networks_are_hashed_and_the_rest_costs_no_database() {
    let server = Server::lasting(&json!({}));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let desk = from(&server, "203.0.113.1");
    let done = show(&desk, &account.continuation(&desk), &account.code(0));
    let device = cookie(&done, "__Host-device").unwrap();

    let began = Instant::now();
    let answers = flood(&server, 400);
    let (mut hashed, mut refused) = (0, 0);
    for answer in &answers {
        let (hashes, round_trips) = cost(&server, answer);
        if answer.status == 429 {
            assert_eq!((hashes, round_trips), (0, 0), "refused before any work");
            assert_eq!(answer.json["error"]["message"], MESSAGE);
            assert!(answer.header("retry-after").is_some());
            refused += 1;
        } else {
            assert_eq!((answer.status, hashes), (401, 1), "{}", answer.text());
            hashed += 1;
        }
    }
    let is_quick = began.elapsed() < Duration::from_secs(20);
    let most = if is_quick { PER_ISOLATE } else { 10 };
    assert!((1..=most).contains(&hashed), "{hashed}");
    assert_eq!(hashed + refused, 400);

    // During the flood, a known device gets in, and so does a person with a mailed link.
    let known = desk.with("Cookie", &format!("__Host-device={device}"));
    let token = account.continuation(&known);
    show(&known, &token, &account.code(30_000)).expect(200);
    let other = Account::of(&tenant, Role::Member);
    let stranger = from(&server, "203.0.113.77");
    if is_quick {
        // The headers of an unknown device are enough for a refusal: the body is not read.
        stranger.post(SESSION, "not JSON").expect(429);
        known.post(SESSION, "not JSON").expect(400);
        other.try_password(&stranger, &other.password).expect(429);
    }
    let link = received(&server, MAGIC_LINK, &other.email);
    verify(&stranger, &link).expect(402);
    // Choosing a new password works, too.
    let reset = received(&server, PASSWORD_RESET, &other.email);
    let set = confirm(&stranger, &reset, "violet kettle harbor");
    set.expect(204);
}

#[test]
fn correct_passwords_do_not_use_up_the_budget_of_failures() {
    let server = Server::lasting(&json!({
        "AUTH_FAILURES_PER_MINUTE": "3", "AUTH_FAILURES_PER_NETWORK_PER_MINUTE": "2",
        "AUTH_PER_20_SECONDS": "100", "HASHES_WAITING": "64",
        "AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS": "100",
    }));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let client = from(&server, "198.51.100.1");
    for _ in 0..8 {
        account.try_password(&client, &account.password).expect(402);
    }
    try_unknown(&client, 0).expect(401);
    try_unknown(&from(&server, "198.51.100.2"), 1).expect(401);
    // One address used up the budget of the network. Another network has one attempt left of all.
    let refused = try_unknown(&from(&server, "198.51.100.3"), 2);
    refused.expect(429);
    assert_eq!(refused.header("x-ratelimit-limit"), Some("2"));
    // For a moment, a network that was refused is refused without the limiter.
    let again = from(&server, "198.51.100.3");
    let without = again.with("Tests-Bindings", r#"{"LIMITER":"gone"}"#);
    wait::until("a refusal is remembered", || {
        try_unknown(&again, 2).expect(429);
        try_unknown(&without, 2).status == 429
    });
    try_unknown(&from(&server, "192.0.2.1"), 3).expect(401);
    let refused = try_unknown(&from(&server, "192.0.2.2"), 4);
    assert_eq!(refused.header("x-ratelimit-limit"), Some("3"));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

#[test]
fn a_network_is_an_ipv6_48() {
    let server = Server::lasting(&json!({
        "AUTH_FAILURES_PER_NETWORK_PER_MINUTE": "2", "AUTH_FAILURES_PER_MINUTE": "100",
        "HASHES_WAITING": "64", "AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS": "100",
    }));
    let tries = ["2001:db8:7:1::1", "2001:db8:7:2::1", "2001:db8:7:3::1", "2001:db8:8:1::1"];
    let statuses = tries.map(|ip| try_unknown(&from(&server, ip), 0).status);
    assert_eq!(statuses, [401, 401, 429, 401]);
}

#[test]
fn hashes_wait_for_their_turn_and_only_so_many() {
    let server = Server::lasting(&json!({
        "AUTH_FAILURES_PER_NETWORK_PER_MINUTE": "1000", "AUTH_FAILURES_PER_MINUTE": "1000",
        "HASHES_WAITING": "4", "AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS": "1000",
        "AUTH_FLOOD_NETWORKS_PER_20_SECONDS": "1000",
    }));
    let answers = flood(&server, 20);
    let hashed = answers.iter().filter(|answer| answer.status == 401).count();
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert_eq!(hashed + refused.len(), 20);
    assert!(!refused.is_empty(), "twenty at once do not all wait");
    assert!(hashed >= 2);
    for answer in refused {
        assert_eq!(answer.header("retry-after"), Some("1"));
        assert_eq!(cost(&server, answer), (0, 0));
    }
}

#[test]
fn people_with_known_devices_wait_for_their_turn_too_and_only_so_many() {
    let server = Server::lasting(&json!({ "HASHES_WAITING": "2", "AUTH_PER_20_SECONDS": "100" }));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let desk = from(&server, "203.0.113.1");
    let done = show(&desk, &account.continuation(&desk), &account.code(0));
    let known = desk.with("Cookie", &format!("__Host-device={}", cookie(&done, "__Host-device").unwrap()));
    let mut answers = Vec::new();
    wait::until("twelve at once do not all wait", || {
        answers = at_once(vec![|| account.try_password(&known, &account.password); 12]);
        answers.iter().any(|answer| answer.status == 429)
    });
    for answer in answers.iter().filter(|answer| answer.status != 402) {
        assert_eq!((answer.status, cost(&server, answer).0), (429, 0));
        assert_eq!(answer.header("x-ratelimit-limit"), Some("2"), "the places, and no other limit");
        assert_eq!(answer.json["error"]["message"], MESSAGE);
        assert!(answer.header("retry-after").is_some());
    }
}

#[test]
fn every_way_to_a_hash_is_counted() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let client = server.client();
    let hashes = |answer: &Answer| cost(&server, answer).0;
    assert_eq!(hashes(&account.try_password(&client, "wrong")), 1);
    assert_eq!(hashes(&try_unknown(&client, 0)), 1);
    let page = account.sign_in();
    let body = json!({ "current_password": account.password, "new_password": "violet kettle harbor" });
    assert_eq!(hashes(&page.post("/api/v1/auth/password", body.to_string())), 2);
    let reset = received(&server, PASSWORD_RESET, &account.email);
    assert_eq!(hashes(&confirm(&client, &reset, "harbor kettle violet")), 1);
    assert_eq!(hashes(&confirm(&client, &reset, "harbor kettle violet")), 0);
    let invited = Invited::to(&tenant, Role::Member);
    let joined = accept(&client, &invited.token, "Dana", "violet kettle harbor");
    assert_eq!((joined.status, hashes(&joined)), (204, 1));
    let link = received(&server, MAGIC_LINK, &account.email);
    assert_eq!(hashes(&verify(&client, &link)), 0);
}
