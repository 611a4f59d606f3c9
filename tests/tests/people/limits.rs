//! The limits of the wider service. They are exact and lock out only the caller that exceeds them.

use overturn_service::request::secret::ContinuationToken;
use overturn_tests::account::{Account, SESSION, cookie, show};
use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self};
use std::thread;
use std::time::SystemTime;

const KEYS: &str = "/api/v1/settings/api_keys";

fn assert_limited(answer: &Answer, limit: &str) {
    answer.expect(429);
    assert_eq!(answer.json["error"]["code"], "rate_limited");
    assert_eq!(answer.header("x-ratelimit-limit"), Some(limit));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    let wait: i64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!(wait >= 1, "{wait}");
    let reset: u64 = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!(reset + 1 >= now, "{reset} {now}");
}

fn from(client: &Client, ip: &str) -> Client {
    client.with("CF-Connecting-IP", ip)
}

/// Limits, without the one for all unknown devices together, which `flood` tests.
fn limits(mut vars: Value) -> Value {
    for name in [
        "AUTH_FAILURES_PER_MINUTE",
        "AUTH_FAILURES_PER_NETWORK_PER_MINUTE",
        "AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS",
        "AUTH_FLOOD_NETWORKS_PER_20_SECONDS",
    ] {
        vars[name] = json!("1000");
    }
    vars["HASHES_WAITING"] = json!("64");
    vars
}

#[test]
fn the_limits_are_those_of_the_interface() {
    let server = Server::lasting(&limits(json!({})));
    let tenant = Tenant::new(&server);
    let owner = Person::of(&tenant, Role::Owner);
    let read = owner.client().get(KEYS);
    assert_eq!(read.header("x-ratelimit-limit"), Some("300"));
    assert_eq!(read.header("x-ratelimit-remaining"), Some("299"));
    let written = owner.client().post(KEYS, "{}");
    written.expect(422);
    assert_eq!(written.header("x-ratelimit-limit"), Some("60"));
    let (_, other_session) = owner.session(Some(tenant::now()));
    let second = page(&server, &other_session).post(KEYS, "{}");
    assert_eq!(second.header("x-ratelimit-remaining"), Some("58"), "one person, one count");
    let begin = || owner.client().post("/api/v1/auth/2fa/totp", "");
    for remaining in ["4", "3", "2", "1", "0"] {
        assert_eq!(begin().header("x-ratelimit-remaining"), Some(remaining));
    }
    assert_limited(&begin(), "5");
    let export = |query: &str| owner.client().get(&format!("/api/v1/settings/audit/export{query}"));
    for remaining in (0..10).rev() {
        assert_eq!(export("").header("x-ratelimit-remaining"), Some(&*remaining.to_string()));
    }
    assert_limited(&export("?cursor="), "10");
    assert_eq!(export("?cursor=1").header("x-ratelimit-limit"), Some("300"), "a page of a begun export");
    let other = tenant.owner();
    assert_eq!(other.get(KEYS).header("x-ratelimit-remaining"), Some("299"));

    let account = Account::of(&tenant, Role::Owner);
    let client = from(&server.client(), "198.51.100.7");
    for email in [account.email.as_str(), "nobody@account.example"] {
        let ask = || {
            let body = json!({ "email": email, "password": "not the password" });
            client.post(SESSION, body.to_string())
        };
        for remaining in ["4", "3", "2", "1", "0"] {
            let failed = ask();
            failed.expect(401);
            assert_eq!(failed.header("x-ratelimit-remaining"), Some(remaining));
        }
        assert_limited(&ask(), "5");
    }
    // Other people's calls do not lock anyone out.
    let elsewhere = from(&server.client(), "198.51.100.8");
    let token = account.continuation(&elsewhere);
    show(&elsewhere, &token, &account.code(0)).expect(200);
}

#[test]
fn one_address_tries_twenty_accounts_in_twenty_seconds_and_no_more() {
    let server = Server::lasting(&limits(json!({})));
    let client = from(&server.client(), "198.51.100.9");
    let statuses: Vec<u16> = thread::scope(|scope| {
        let asked: Vec<_> = (0..30)
            .map(|n| {
                let client = from(&client, "198.51.100.9");
                scope.spawn(move || {
                    let body = json!({ "email": format!("n{n}@account.example"), "password": "x" });
                    client.post(SESSION, body.to_string()).status
                })
            })
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let tried = statuses.iter().filter(|status| **status == 401).count();
    assert_eq!(tried, 20, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)));
}

#[test]
fn one_address_tries_twenty_codes_in_twenty_seconds_whatever_their_tokens() {
    let server = Server::lasting(&limits(json!({})));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let client = from(&server.client(), "198.51.100.11");
    let token = account.continuation(&client);
    let guess = |n: u8| show(&client, ContinuationToken::mint([n; 32]).expose(), "000000");
    let tried = (0..20).map(|n| guess(n).status).filter(|status| *status == 401).count();
    assert_eq!(tried, 20);
    assert_limited(&show(&client, &token, "000000"), "20");
    // What was refused was not counted at the token.
    let attempts = "SELECT attempts AS n FROM continuations WHERE user_id = ?1";
    assert_eq!(server.database().number(attempts, &[&account.id.to_string()]), 0);
    show(&from(&server.client(), "198.51.100.12"), &token, &account.code(0)).expect(200);
}

#[test]
fn unknown_devices_everywhere_do_not_keep_a_known_one_out() {
    let server = Server::lasting(&limits(json!({ "AUTH_BY_UNKNOWN_DEVICES_PER_HOUR": "8" })));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let desk = from(&server.client(), "203.0.113.1");
    let done = show(&desk, &account.continuation(&desk), &account.code(0));
    let device = cookie(&done, "__Host-device").unwrap();
    let tries = (0..12).map(|n| {
        let stranger = from(&server.client(), &format!("198.51.100.{n}"));
        account.try_password(&stranger, "not the password").status
    });
    let tries: Vec<u16> = tries.collect();
    assert_eq!(tries[..7], [401; 7]);
    assert_eq!(tries[7..], [429; 5]);
    let stranger = from(&server.client(), "198.51.100.99");
    account.try_password(&stranger, &account.password).expect(429);

    let known = desk.with("Cookie", &format!("__Host-device={device}"));
    let token = account.continuation(&known);
    show(&known, &token, &account.code(30_000)).expect(200);
    // The device is known for this account only and does not help with another.
    let other = Account::of(&tenant, Role::Owner);
    for n in 0..8 {
        let stranger = from(&known, &format!("198.51.100.{n}"));
        other.try_password(&stranger, "not the password");
    }
    other.try_password(&known, &other.password).expect(429);
    let wrong = account.try_password(&known, "not the password");
    wrong.expect(401);
}

#[test]
fn one_address_alone_does_not_use_up_what_unknown_devices_may_try() {
    let server =
        Server::lasting(&limits(json!({ "AUTH_PER_PLACE_PER_HOUR": "3", "AUTH_BY_UNKNOWN_DEVICES_PER_HOUR": "5" })));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let one = from(&server.client(), "198.51.100.1");
    let tries = (0..5).map(|_| account.try_password(&one, "not the password"));
    let tries: Vec<Answer> = tries.collect();
    let statuses: Vec<u16> = tries.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
    assert_limited(&tries[4], "3");
    let elsewhere = from(&server.client(), "198.51.100.2");
    let token = account.continuation(&elsewhere);
    show(&elsewhere, &token, &account.code(0)).expect(200);
}

#[test]
fn a_known_device_does_not_try_codes_for_ever() {
    let server = Server::lasting(&limits(json!({ "AUTH_PER_PLACE_PER_HOUR": "4" })));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let desk = from(&server.client(), "203.0.113.1");
    let done = show(&desk, &account.continuation(&desk), &account.code(0));
    let device = cookie(&done, "__Host-device").unwrap();
    let known = desk.with("Cookie", &format!("__Host-device={device}"));
    let token = account.continuation(&known);
    let tries = (0..3).map(|_| show(&known, &token, "x").status);
    assert_eq!(tries.collect::<Vec<_>>(), [401; 3]);
    let token = account.continuation(&known);
    show(&known, &token, "x").expect(401);
    assert_limited(&show(&known, &token, "x"), "4");
}

#[test]
fn codes_are_limited_per_account_whatever_the_continuation_token() {
    let server = Server::lasting(&limits(json!({ "CODES_BY_UNKNOWN_DEVICES_PER_HOUR": "7" })));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let mut statuses = Vec::new();
    for n in 0..5 {
        let client = from(&server.client(), &format!("198.51.100.{n}"));
        let token = account.continuation(&client);
        statuses.extend((0..2).map(|_| show(&client, &token, "x").status));
    }
    assert_eq!(statuses[..7], [401; 7]);
    assert_eq!(statuses[7..], [429; 3]);
}

#[test]
fn an_ended_session_does_not_use_up_the_limit_of_its_person() {
    let server = Server::lasting(&limits(json!({ "READS_PER_MINUTE": "3" })));
    let tenant = Tenant::new(&server);
    let owner = Person::of(&tenant, Role::Owner);
    let (id, ended) = owner.session(None);
    let end = "UPDATE sessions SET revoked_at = 1 WHERE id = ?1";
    server.database().change(end, &[&id.to_string()]);
    for _ in 0..5 {
        let refused = page(&server, &ended).get(KEYS);
        refused.expect(401);
        assert_eq!(refused.header("x-ratelimit-limit"), None);
    }
    for _ in 0..3 {
        owner.client().get(KEYS).expect(200);
    }
    assert_limited(&owner.client().get(KEYS), "3");
}

#[test]
fn a_limiter_that_does_not_answer_refuses_everyone() {
    let server = Server::lasting(&limits(json!({})));
    let tenant = Tenant::new(&server);
    let owner = Person::of(&tenant, Role::Owner);
    let gone = r#"{"LIMITER": "gone"}"#;
    let read = owner.client().with("Tests-Bindings", gone).get(KEYS);
    read.expect(503);
    let account = Account::of(&tenant, Role::Owner);
    let client = server.client().with("Tests-Bindings", gone);
    account.try_password(&client, &account.password).expect(503);
}

#[test]
fn steps_at_providers_leave_passwords_and_lists_alone() {
    let vars = limits(json!({
        "PROVIDER_STEPS_PER_MINUTE": "3", "AUTH_PER_ADDRESS_PER_20_SECONDS": "2",
    }));
    let server = Server::lasting(&vars);
    let client = from(&server.client(), "203.0.113.77");
    for step in ["unknown", "unknown/callback?code=x", "unknown"] {
        let answer = client.get(&format!("/api/v1/auth/oauth/{step}"));
        answer.expect(404);
    }
    let limited = client.get("/api/v1/auth/oauth/unknown");
    limited.expect(429);
    assert_eq!(limited.header("x-ratelimit-limit"), Some("3"));
    for _ in 0..3 {
        client.get("/api/v1/auth/providers").expect(200);
    }
    let body = r#"{"email":"nobody@clinic.example","password":"not the password"}"#;
    client.post("/api/v1/auth/session", body).expect(401);
}

#[test]
fn the_calls_of_one_key_leave_those_of_another_alone() {
    let server = Server::lasting(&json!({ "CLAIMS_SENDS_PER_MINUTE": "2" }));
    let [one, other] = [0, 1].map(|_| Tenant::new(&server));
    let send = |of: &Tenant<'_>| of.client().post(CLAIMS, item("A-1").to_string()).status;
    assert_eq!([send(&one), send(&one), send(&one)], [201, 200, 429]);
    assert_eq!(send(&other), 201);
}
