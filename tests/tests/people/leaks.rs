//! Leaked keys: `/api/v1/leaks` and `/api/v1/leaks/github`.

use crate::webhooks::WEBHOOKS;
use overturn_core::base::cell::Cell;
use overturn_core::base::token::{ApiKey, ApiToken};
use overturn_tests::client::CLAIMS;
use overturn_tests::github::{self, Github, LEAKS, found, post, signature};
use overturn_tests::only_on_native;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver};
use overturn_tests::sandbox::Sandbox;
use std::time::Instant;

const ANYONE: &str = "/api/v1/leaks";
const PLACE: &str = "https://example.com/notes.txt";

/// A server without limits that asks this GitHub for its keys.
fn server(github: &Github) -> Server {
    let mut vars = github.vars();
    vars["LIMITS"] = json!("unlimited");
    Server::start(State::fresh(), &vars)
}

/// Key number `n` of the realm of the tests, which nobody made.
fn made_up(n: usize) -> String {
    made_up_in(Cell::FIRST, n)
}

/// The same of this cell.
fn made_up_in(cell: Cell, n: usize) -> String {
    let mut random = [0; 24];
    random[..8].copy_from_slice(&n.to_be_bytes());
    ApiKey::mint(Realm::Test, cell.stamp(random)).expose().to_owned()
}

fn report(client: &Client, token: &str) -> Answer {
    client.post(ANYONE, json!({ "token": token, "url": PLACE }).to_string())
}

/// Waits until this many rows of the trail say that a key was leaked.
fn wait(tenant: &Tenant<'_>, rows: usize) {
    wait::until("the key is leaked", || tenant.audit("api_key.leaked").len() == rows);
}

/// What a report may write: revocations, rows of the trail, emails and messages.
fn written(server: &Server) -> i64 {
    let sql = "SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL) + (SELECT count(*) FROM audit)
       + (SELECT count(*) FROM notices) + (SELECT count(*) FROM deliveries) AS n";
    server.database().number(sql, &[])
}

/// How many round trips to the database a request took.
fn round_trips(server: &Server, answer: &Answer) -> u64 {
    // What it logs besides comes before the line of the request.
    let is_its = |line: &Value| line["event"] == "request" && line["request_id"] == answer.request_id();
    assert!(server.log().has(is_its), "no line of request {}", answer.request_id());
    let lines = server.log().of(answer.request_id());
    lines.iter().find_map(|line| line["d1_round_trips"].as_u64()).unwrap()
}

#[test]
fn a_key_that_anybody_reports_is_revoked_and_its_owners_are_told() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited", "WEBHOOKS_LOCAL": "yes" }));
    let tenant = Tenant::new(&server);
    let owner = Person::of(&tenant, Role::Owner);
    let receiver = Receiver::new([OK]);
    let hook = json!({ "url": receiver.url(), "events": ["api_key.leaked"] });
    owner.client().post(WEBHOOKS, hook.to_string()).expect(201);

    let answer = report(&server.client(), &tenant.key.text);
    answer.expect(202);
    wait(&tenant, 1);
    tenant.client().post(CLAIMS, item("K-1").to_string()).expect(401);
    let row = tenant.audit("api_key.leaked").remove(0);
    assert_eq!((&row["actor"], &row["record"]), (&json!("anyone"), &json!(tenant.key.id)));
    assert!(row["detail"].to_string().contains(PLACE), "{row}");
    let message: Value = serde_json::from_str(&receiver.wait(1)[0].body).unwrap();
    assert_eq!(message["data"], json!({ "api_key": { "id": tenant.key.id, "url": PLACE } }));
    let mut inbox = server.mails_to(&owner.email);
    assert_eq!(server.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
    let mail = inbox.take();
    assert_eq!(mail.subject, "Leaked keys of your practice were revoked");
    assert!(mail.text.contains("https: //example. com/notes. txt"), "{mail:?}");

    // The same answer again, for another key, and for what is no key.
    for token in [&tenant.key.text, &made_up(1), "hello"] {
        let again = report(&server.client(), token);
        again.expect(202);
        assert_eq!(again.text(), answer.text());
    }
    assert_eq!(server.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
    assert_eq!(tenant.audit("api_key.leaked").len(), 1);
    assert_eq!(tenant.number("SELECT count(*) AS n FROM notices WHERE practice_id = ?1"), 0);
    for line in server.log().lines() {
        assert!(!line.contains(&tenant.key.text), "{line}");
    }
}

/// Its webhooks and their retries go by its clock.
#[test]
fn a_leaked_key_of_a_sandbox_ends_by_its_clock() {
    let sandbox = Sandbox::of(&Tenant::shared());
    sandbox.advance("P100D");
    report(&sandbox.practice.server.client(), &sandbox.practice.key.text).expect(202);
    wait(&sandbox.practice, 1);
    let since = sandbox.practice.number("SELECT revoked_at AS n FROM api_keys WHERE practice_id = ?1") - now().0;
    assert!((since - 100 * 86_400_000).abs() < 60_000, "{since}");
}

#[test]
fn reports_at_once_revoke_once() {
    let tenant = Tenant::shared();
    let client = tenant.server.client();
    at_once((0..8).map(|_| || report(&client, &tenant.key.text).expect(202)).collect());
    wait(&tenant, 1);
    assert_eq!(tenant.number("SELECT count(*) AS n FROM notices WHERE practice_id = ?1"), 1);
}

#[test]
fn a_report_without_a_token_is_refused_and_does_not_repeat_it() {
    let client = Server::shared().client();
    for (body, status) in [("{}", 422), ("[]", 400), ("{", 400), (r#"{"token": 7}"#, 422), (r#"{"token": " "}"#, 422)] {
        client.post(ANYONE, body).expect(status);
    }
    let long = client.post(ANYONE, json!({ "token": "ovt_test_".repeat(30) }).to_string());
    long.expect(422);
    assert!(!long.text().contains("ovt_test_"));
}

#[test]
fn a_message_of_github_revokes_each_live_key_once_and_labels_all_texts() {
    let github = Github::publishing(&[1, 2]);
    let server = server(&github);
    let (tenant, other) = (Tenant::new(&server), Tenant::new(&server));
    let client = server.client();
    let unknown = made_up(1);
    let matches = json!([
        found(&tenant.key.text),
        found(&other.key.text),
        found(&tenant.key.text),
        found(&unknown),
        found("ovt_test_x"),
    ]);
    let labels = |answer: &Answer| {
        answer.expect(200);
        let labels = answer.json.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned());
        labels.collect::<Vec<_>>()
    };
    let expected = ["true_positive", "true_positive", "false_positive", "false_positive"];
    assert_eq!(labels(&github::report(&client, 2, &matches)), expected);
    for tenant in [&tenant, &other] {
        tenant.client().post(CLAIMS, item("K-1").to_string()).expect(401);
        let rows = tenant.audit("api_key.leaked");
        assert_eq!((rows.len(), &rows[0]["actor"]), (1, &json!("github")));
    }
    let before = written(&server);
    let again = github::report(&client, 1, &matches);
    assert_eq!(labels(&again), expected);
    assert_eq!(written(&server), before);
    assert!(!again.text().contains(&tenant.key.text));
    // A text with a wrong checksum is not looked up.
    let wrong = (0..1000).map(|n| {
        let mut text = made_up(n);
        let last = text.pop();
        found(&(text + if last == Some('0') { "1" } else { "0" }))
    });
    let wrong: Vec<_> = wrong.collect();
    let none = github::report(&client, 1, &json!(wrong));
    assert!(labels(&none).iter().all(|label| label == "false_positive"));
    assert_eq!(round_trips(&server, &none), 0);
    assert_eq!(github.asked(), 1, "the list is kept");
}

#[test]
fn a_database_that_is_away_keeps_no_leaked_key_of_another_one() {
    only_on_native!("cells_path is what several databases show on workerd");
    let github = Github::publishing(&[1]);
    let mut vars = github.vars();
    vars["CELLS"] = json!("3");
    let server = Server::start(State::fresh(), &vars);
    let tenants = [0, 1, 2].map(|cell| Tenant::in_cell(&server, cell));
    let matches = json!(tenants.each_ref().map(|tenant| found(&tenant.key.text)));
    let send = |tenant: &Tenant<'_>| tenant.client().post(CLAIMS, item("K-1").to_string()).status;
    let failing = server.client().faulty(&json!({ "1": { "fails": "no such table" } }));
    github::report(&failing, 1, &matches).expect(500);
    assert_eq!(tenants.each_ref().map(send), [201, 401, 401]);
    github::report(&server.client(), 1, &matches).expect(200);
    assert_eq!(tenants.each_ref().map(send), [401; 3]);
}

#[test]
fn a_message_that_github_did_not_sign_is_refused_before_it_is_read() {
    let github = Github::publishing(&[1, 2]);
    let server = server(&github);
    let tenant = Tenant::new(&server);
    let client = server.client();
    let body = json!([found(&tenant.key.text)]).to_string();
    let good = signature(1, &body);
    let before = written(&server);
    let altered = [
        (1, good.clone(), body.replace("content", "commit")),
        (1, good.clone(), body.clone() + "\n"),
        (1, good.clone(), String::new()),
        (1, good[..good.len() - 4].into(), body.clone()),
        (1, good.replacen('M', "N", 1), body.clone()),
        (1, "x".into(), body.clone()),
        (1, signature(2, &body), body.clone()),
        (2, good.clone(), body.clone()),
        // The list does not have this key.
        (3, signature(3, &body), body.clone()),
        (1, "A".repeat(1000), body.clone()),
    ];
    for (n, (number, signature, body)) in altered.iter().enumerate() {
        let refused = post(&client, *number, signature, body);
        assert_eq!(refused.status, 401, "{n} {}", refused.text());
        assert_eq!(refused.json["error"]["message"], "the sign-in failed");
        assert_eq!(round_trips(&server, &refused), 0);
    }
    client.post(LEAKS, &body).expect(401);
    client.with("Github-Public-Key-Signature", &good).post(LEAKS, &body).expect(401);
    assert_eq!(written(&server), before);
    // Signed, and no message.
    post(&client, 1, &signature(1, "{}"), "{}").expect(400);
    post(&client, 1, &good, &body).expect(200);
}

#[test]
fn an_unknown_key_asks_for_the_list_at_most_once_a_minute_and_a_list_that_fails_is_a_503() {
    let github = Github::publishing(&[1]);
    github.answer(500, &[]);
    let server = server(&github);
    let tenant = Tenant::new(&server);
    let client = server.client();
    let matches = json!([found(&tenant.key.text)]);
    let away = github::report(&client, 1, &matches);
    away.expect(503);
    assert!(away.header("retry-after").is_some());
    github::report(&client, 1, &matches).expect(503);
    assert_eq!(github.asked(), 1, "it rests after a failure");

    let server = Server::start(server.stop(), &github.vars());
    github.answer(200, &[1]);
    let client = server.client();
    for n in 4..10 {
        github::report(&client, n, &matches).expect(401);
    }
    assert_eq!(github.asked(), 3, "the list, and the list once more");
    github::report(&client, 1, &matches).expect(200);
    assert_eq!(github.asked(), 3);
}

#[test]
fn five_thousand_keys_in_one_message_are_labeled() {
    let github = Github::publishing(&[1]);
    let server = server(&github);
    let tenant = Tenant::new(&server);
    // Half of them are live.
    let live: Vec<String> = (0..2500).map(|n| made_up_in(tenant.id.cell(), n)).collect();
    let rows: Vec<_> = live.iter().map(|text| text.parse::<ApiKey>().unwrap().hash()).collect();
    tenant.change(
        "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
         SELECT ?1, '00000000-0000-4000-8000-' || printf('%012d', key), 'Old', value, 'ovt_test_0000', 'claims:read', 1, 9e15
         FROM json_each(?2)",
        &[&json!(rows).to_string()],
    );
    let tokens = (0..250_u8).map(|n| ApiToken::mint(Realm::Test, [n; 24]).expose().to_owned());
    let dead = (2500..4750).map(made_up).chain(tokens);
    let all: Vec<_> = live.iter().cloned().chain(dead).collect();
    assert_eq!(all.len(), 5000);
    let matches = json!(all.iter().map(|token| found(token)).collect::<Vec<_>>());
    for round in ["first", "again"] {
        let began = Instant::now();
        let answer = github::report(&server.client(), 1, &matches);
        println!("5,000 keys, {round}: {:?}", began.elapsed());
        answer.expect(200);
        let labels = answer.json.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap());
        assert_eq!(labels.filter(|label| *label == "true_positive").count(), 2500);
        let live = "SELECT count(*) AS n FROM api_keys WHERE practice_id = ?1 AND revoked_at IS NULL";
        assert_eq!(tenant.number(live), 1, "the practice's own key");
        let leaked = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action = 'api_key.leaked'";
        assert_eq!(tenant.number(leaked), 2500);
    }
}

#[test]
fn a_flood_is_refused_before_any_work_and_leaves_no_row() {
    let github = Github::publishing(&[1]);
    let server = Server::start(State::fresh(), &github.vars());
    let tenant = Tenant::new(&server);
    let before = written(&server);
    let client = server.client().with("CF-Connecting-IP", "198.51.100.7");
    for n in 0..60 {
        let answer = report(&client, &made_up(n));
        if n < 10 {
            answer.expect(202);
        } else {
            answer.expect(429);
            assert_eq!(round_trips(&server, &answer), 0);
            assert!(answer.header("retry-after").is_some());
        }
    }
    // A live key does not get through either, and another address does.
    report(&client, &tenant.key.text).expect(429);
    let body = json!([found(&tenant.key.text)]).to_string();
    let unsigned = |_| post(&client, 1, &signature(2, &body), &body).status;
    let statuses: Vec<u16> = (0..130).map(unsigned).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 120);
    assert_eq!(statuses.last(), Some(&429));
    assert_eq!(written(&server), before);
    report(&client.with("CF-Connecting-IP", "198.51.100.8"), &tenant.key.text).expect(202);
    wait(&tenant, 1);
}
