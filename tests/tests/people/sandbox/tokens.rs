//! The tokens with which people read and set up a sandbox.

use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver, Reply};
use overturn_tests::sandbox::{SANDBOX, Sandbox, sweep};
use std::sync::OnceLock;

const TOKENS: &str = "/api/v1/settings/sandbox/tokens";
const KEYS: &str = "/api/v1/settings/api_keys";
const HOOKS: &str = "/api/v1/settings/webhooks";

#[test]
fn a_token_of_a_sandbox_follows_its_claims_and_reads_nothing_of_the_live_practice() {
    let live = Tenant::shared();
    live.send(&item("LIVE-1"));
    let sandbox = Sandbox::of(&live);
    let (client, id) = sandbox.token(365);
    sandbox.client.send(&item("RECOVER-1")).expect(201);
    sandbox.advance("P2D");
    let listed = client.get("/api/v1/denials");
    listed.expect(200);
    let number = |answer: &Answer| answer.json["denials"][0]["claim_number"].clone();
    assert_eq!((number(&listed), listed.json["denials"].as_array().unwrap().len()), (json!("RECOVER-1"), 1));
    assert_eq!(listed.json["denials"][0]["status"], "reviewing");
    let cursor = listed.json["changes_cursor"].as_str().unwrap();
    let changes = format!("/api/v1/denials?changes_after={}", encoded(cursor));
    assert_eq!(client.get(&changes).json["denials"], json!([]));
    sandbox.advance("P38D");
    assert_eq!(client.get(&changes).json["denials"][0]["status"], "recovered");
    assert_eq!(client.get("/api/v1/denials/summary").json["total"]["claims"], 1);
    assert_eq!(client.get("/api/v1/denials/payers").json["payers"][0]["name"], "Acme Health");
    // A cursor of the one is not one of the other.
    let owner = live.owner();
    let refused = owner.get(&changes);
    assert!(matches!(refused.status, 409 | 422), "{}", refused.text());

    for (path, status) in [
        ("/api/v1/auth/session", 403),
        ("/api/v1/settings/practice", 403),
        ("/api/v1/settings/members", 403),
        (SANDBOX, 403),
        ("/api/v1/staff/claims", 403),
    ] {
        client.get(path).expect(status);
    }
    let live_claim = live.row("LIVE-1")["id"].as_str().unwrap().to_owned();
    client.get(&format!("/api/v1/denials/{live_claim}")).expect(404);
    assert_eq!(sandbox.owner.get(SANDBOX).json["sandbox"]["tokens"][0]["name"], "Events");
    assert_eq!(owner.get("/api/v1/settings/api_tokens").json["api_tokens"], json!([]));
    owner.delete(&format!("/api/v1/settings/api_tokens/{id}")).expect(404);
    sandbox.owner.delete(&format!("{TOKENS}/{id}")).expect(204);
    client.get("/api/v1/denials").expect(401);
}

#[test]
fn a_token_of_a_sandbox_rotates_its_keys_alone() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let new = json!({ "name": "Rotator", "scopes": ["settings:read", "api_keys:rotate"], "expires_in_days": 365 });
    let made = sandbox.owner.post(TOKENS, new.to_string());
    let bearer = |text: &str| sandbox.practice.server.client().with("Authorization", &format!("Bearer {text}"));
    let token = bearer(made.json["token"].as_str().unwrap());
    sandbox.advance("P10D");
    let listed = token.get(KEYS).json["api_keys"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 1);
    let old = listed[0]["id"].as_str().unwrap();
    let rotated = token.post(&format!("{KEYS}/{old}/rotate"), "");
    rotated.expect(201);
    let new = rotated.json["key"].as_str().unwrap();
    assert!(new.starts_with("ovt_test_"));
    bearer(new).post("/api/v1/claims", item("N-1").to_string()).expect(201);
    token.post(&format!("{KEYS}/{old}/rotate/finish"), "").expect(204);
    sandbox.client.status("N-1").expect(401);
    bearer(new).status("N-1").expect(200);
    // A year from the rotation, by the sandbox's clock.
    sandbox.practice.change("UPDATE practices SET clock_ms = clock_ms + 364 * 86400000 WHERE id = ?1", &[]);
    bearer(new).status("N-1").expect(200);
    token.post(&format!("{KEYS}/{}/rotate", live.key.id), "").expect(401);
    let other = sandbox
        .owner
        .post(TOKENS, json!({ "name": "R", "scopes": ["api_keys:rotate"], "expires_in_days": 9 }).to_string());
    let other = bearer(other.json["token"].as_str().unwrap());
    other.post(&format!("{KEYS}/{}/rotate", live.key.id), "").expect(404);
}

#[test]
fn a_token_of_a_sandbox_sends_claims_and_documents_and_ends_by_its_clock() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let (client, _) = sandbox.token(365);
    sandbox.advance("P10D");
    let sent = client.post("/api/v1/denials", item("N-1").to_string());
    sent.expect(201);
    assert_eq!((sandbox.practice.claims(), live.claims()), (1, 0));
    let ahead = sandbox.practice.row("N-1")["received_at"].as_i64().unwrap() - now().0 - 10 * 86_400_000;
    assert!(ahead.abs() < 60_000, "{ahead}");
    let upload = |bytes: usize| {
        let file = [b"%PDF-1.7\n".as_slice(), &vec![b' '; bytes - 15], b"\n%%EOF".as_slice()].concat();
        let form = FormData::default().file("file", "letter.pdf", &file).end();
        client.with("Content-Type", FormData::CONTENT_TYPE).post("/api/v1/documents", form)
    };
    upload(1_000_000).expect(201);
    let refused = upload(1_000_001);
    refused.expect(413);
    assert!(refused.text().contains("a file of a sandbox must have at most 1 MB"), "{}", refused.text());
    assert_eq!(live.owner().get("/api/v1/documents").json["documents"], json!([]));
    sandbox.advance("P366D");
    client.get("/api/v1/denials").expect(401);
}

#[test]
fn a_token_of_a_sandbox_manages_its_webhooks() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let (client, _) = sandbox.token(365);
    let new = json!({ "url": "https://hooks.example/test", "events": ["claim.status_changed"] });
    let keyed = client.with("Idempotency-Key", "8f2c1d5e-2a64-4b9e-9c0a-7d1f3e5b6a70");
    let made = keyed.post(HOOKS, new.to_string());
    made.expect(201);
    assert_eq!(keyed.post(HOOKS, new.to_string()).id(), made.id(), "again");
    assert_eq!((sandbox.practice.count("webhooks"), live.count("webhooks")), (1, 0));
    let owner = sandbox.owner.with("Idempotency-Key", "8f2c1d5e-2a64-4b9e-9c0a-7d1f3e5b6a70");
    let of_live = owner.post(HOOKS, new.to_string());
    of_live.expect(201);
    assert_ne!(of_live.id(), made.id());
    sandbox.client.send(&item("RECOVER-1")).expect(201);
    sandbox.advance("P4D");
    let statuses: Vec<Value> =
        sandbox.practice.messages().iter().map(|message| message["data"]["claim"]["status"].clone()).collect();
    assert_eq!(statuses, ["reviewing", "in_appeal"]);
    assert_eq!(live.count("deliveries"), 0);
    owner.get(&format!("{HOOKS}/{}", made.id())).expect(404);
    client.get(&format!("{HOOKS}/{}", of_live.id())).expect(404);
}

/// A server that makes three attempts, a day and then two days apart.
fn slow() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let vars = json!({ "LIMITS": "unlimited", "WEBHOOKS_WAITS": "86400,172800" });
    SERVER.get_or_init(|| Server::lasting(&vars))
}

/// What became of the deliveries of a claim in a report, of which the endpoint refuses the first three: their attempts, and
/// when they were made and tried last, after the arrival of the claim.
fn refused(steps: &[&str]) -> (Vec<Value>, usize) {
    let sandbox = Sandbox::of(&Tenant::new(slow()));
    let (client, _) = sandbox.token(365);
    let down = Reply::Status(500, &[]);
    let receiver = Receiver::new([down.clone(), down.clone(), down, OK, OK]);
    let new = json!({ "url": receiver.url(), "events": ["claim.status_changed"] });
    client.post(HOOKS, new.to_string()).expect(201);
    sandbox.client.send(&item("REPORT-1")).expect(201);
    steps.iter().for_each(|by| drop(sandbox.advance(by)));
    let rows = sandbox.practice.rows(
        "SELECT d.state, d.attempts, d.created_at - c.received_at AS made, d.last_at - c.received_at AS last
         FROM deliveries d JOIN claims c ON c.practice_id = d.practice_id WHERE d.practice_id = ?1 ORDER BY d.created_at",
        &[],
    );
    (rows, receiver.received().len())
}

/// The first message is refused a day and two days after the claim arrived, and the second one after three. Both are accepted
/// after four.
#[test]
fn retries_of_webhooks_follow_the_clock_of_the_sandbox() {
    let day = 86_400_000_i64;
    let all = refused(&["P30D"]);
    assert_eq!(all.1, 5, "{all:?}");
    let made: Vec<_> = all.0.iter().map(|row| row["made"].as_i64().unwrap() / day).collect();
    assert_eq!(made, [1, 3]);
    assert!(all.0.iter().all(|row| row["state"] == "delivered"), "{all:?}");
    for steps in [&["P10D", "P20D"][..], &["P1D", "P1D", "P1D", "P1D", "PT1S", "P1D", "P20D", "P4D"]] {
        assert_eq!(refused(steps), all, "{steps:?}");
    }
}

/// They are kept for a day of the real clock, however far that of the sandbox is ahead.
#[test]
fn a_call_in_a_sandbox_leaves_the_answers_that_are_kept_for_its_person() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    sandbox.advance("P300D");
    let (client, _) = sandbox.token(365);
    let key = |nth: u8| format!("8f2c1d5e-2a64-4b9e-9c0a-7d1f3e5b6a{nth}0");
    let make = || {
        let new = json!({ "name": "Live", "scopes": ["denials:read"], "expires_in_days": 9 });
        let made = sandbox.owner.with("Idempotency-Key", &key(1)).post("/api/v1/settings/api_tokens", new.to_string());
        made.expect(201);
        made.id().to_owned()
    };
    let hook = |nth: u8| {
        let new = json!({ "url": format!("https://hooks.example/{nth}"), "events": ["claim.status_changed"] });
        let made = client.with("Idempotency-Key", &key(nth)).post(HOOKS, new.to_string());
        made.expect(201);
        made.id().to_owned()
    };
    let first = (make(), hook(2));
    hook(3);
    assert_eq!((make(), hook(2)), first);
}

#[test]
fn the_objects_of_a_sandbox_are_removed_by_the_real_clock() {
    let sandbox = Sandbox::of(&Tenant::shared());
    let (client, _) = sandbox.token(365);
    sandbox.advance("P300D");
    let form = FormData::default().file("file", "letter.pdf", b"%PDF-1.7\n\n%%EOF").end();
    let made = client.with("Content-Type", FormData::CONTENT_TYPE).post("/api/v1/documents", form);
    made.expect(201);
    client.delete(&format!("/api/v1/documents/{}", made.id())).expect(204);
    let due = "SELECT count(*) AS n FROM loose_objects WHERE id = ?2 AND due_at > ?3";
    let tomorrow = (now().0 + 86_400_000).to_string();
    assert_eq!(sandbox.practice.rows(due, &[made.id(), &tomorrow]), [json!({ "n": 0 })]);
}

#[test]
fn a_sandbox_that_is_switched_off_takes_no_step_and_leaves_no_message_pending() {
    let sandbox = Sandbox::of(&Tenant::new(slow()));
    let (client, _) = sandbox.token(365);
    let receiver = Receiver::new([Reply::Status(500, &[])]);
    client.post(HOOKS, json!({ "url": receiver.url(), "events": ["claim.status_changed"] }).to_string()).expect(201);
    sandbox.client.send(&item("REPORT-1")).expect(201);
    sandbox.advance("P1D");
    let steps = sandbox.events();
    let day = "UPDATE practices SET state = 'inactive', clock_ms = clock_ms + 10 * 86400000 WHERE id = ?1";
    sandbox.practice.change(day, &[]);
    sweep(slow());
    let rows = sandbox.practice.rows("SELECT state, last_error FROM deliveries WHERE practice_id = ?1", &[]);
    assert_eq!(rows, [json!({ "state": "failed", "last_error": "practice_inactive" })]);
    assert_eq!((sandbox.events(), receiver.received().len()), (steps, 1));
}

/// The days, after the claims arrived, of each message about them and about a token that lasts 100 days.
fn told(steps: &[&str]) -> Vec<(String, i64)> {
    let sandbox = Sandbox::of(&Tenant::shared());
    let (client, _) = sandbox.token(100);
    let receiver = Receiver::new([OK]);
    let new = json!({ "url": receiver.url(), "events": ["api_token.expiring", "claim.status_changed"] });
    client.post(HOOKS, new.to_string()).expect(201);
    sandbox.client.send(&batch(["RECOVER-1", "SLOW-1"].map(item))).expect(201);
    steps.iter().for_each(|by| drop(sandbox.advance(by)));
    let rows = sandbox.practice.rows(
        "SELECT kind, round((created_at - (SELECT min(received_at) FROM claims WHERE practice_id = ?1)) / 86400000.0) AS day
         FROM deliveries WHERE practice_id = ?1 AND state = 'delivered' ORDER BY created_at, kind",
        &[],
    );
    rows.iter().map(|row| (row["kind"].as_str().unwrap().to_owned(), row["day"].as_f64().unwrap() as i64)).collect()
}

#[test]
fn warnings_that_a_token_ends_come_at_their_instants_however_the_clock_advances() {
    let all = told(&["P110D"]);
    let warned = all.iter().filter(|(kind, _)| kind == "api_token.expiring").map(|(_, day)| *day);
    assert_eq!(warned.collect::<Vec<_>>(), [70, 93, 99], "{all:?}");
    assert!(all.iter().any(|(kind, day)| kind == "claim.status_changed" && *day < 70), "{all:?}");
    for steps in [&["P80D", "P30D"][..], &["P1D", "P69D", "PT12H", "P20DT12H", "P3D", "P5D", "P1D", "P10D"]] {
        assert_eq!(told(steps), all, "{steps:?}");
    }
}

/// A person's send meets what a key's does.
#[test]
fn some_claim_numbers_say_how_the_send_of_a_person_fails() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let (client, _) = sandbox.token(365);
    let post = |number: &str| client.post("/api/v1/denials", item(number).to_string());
    let limited = post("LIMIT-1");
    limited.expect(429);
    assert_eq!(limited.header("retry-after"), Some("1"));
    for _ in 0..3 {
        post("DOWN-1").expect(503);
    }
    post("DOWN-1").expect(201);
    let refused = post("DIFFERENT-PATIENT-1");
    assert_eq!(refused.json["claims"][0]["error"], "claim.claim_number is already used for a different patient");
    assert_eq!(sandbox.practice.claims(), 1);
}

#[test]
fn a_revoked_key_makes_room_for_another_one() {
    let sandbox = Sandbox::of(&Tenant::shared());
    let path = format!("{SANDBOX}/keys");
    let make = || sandbox.owner.post(&path, json!({ "name": "K", "scopes": ["claims:read"] }).to_string());
    let mut last = make();
    for _ in 2..100 {
        last.expect(201);
        last = make();
    }
    last.expect(201);
    // With the one that the sandbox began with, it has a hundred.
    make().expect(409);
    sandbox.owner.delete(&format!("{path}/{}", last.id())).expect(204);
    let raced = at_once(vec![&make; 3]);
    let mut statuses: Vec<u16> = raced.iter().map(|made| made.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409]);
    assert_eq!(sandbox.owner.get(SANDBOX).json["sandbox"]["keys"].as_array().map(Vec::len), Some(100));
}

/// One server with limits for these tests.
fn limited() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({})))
}

fn left(answer: &Answer) -> i64 {
    answer.header("x-ratelimit-remaining").expect("a limit").parse().unwrap()
}

#[test]
fn all_keys_of_a_sandbox_have_one_limit_together() {
    let live = Tenant::new(limited());
    let [one, two] = [Sandbox::of(&live), Sandbox::of(&live)];
    let other = Sandbox::of(&Tenant::new(limited()));
    let read = |n: usize| [&one, &two][n % 2].client.status("NONE").status;
    let answered = (0..60).map(read).filter(|status| *status == 404).count();
    // A key has an eighth of what is left ahead.
    assert!((20..=30).contains(&answered), "{answered}");
    other.client.status("NONE").expect(404);
    live.client().status("NONE").expect(404);
}

#[test]
fn a_token_of_a_sandbox_leaves_the_limit_of_its_person_alone() {
    let live = Tenant::new(limited());
    let sandbox = Sandbox::of(&live);
    let (client, _) = sandbox.token(365);
    let before = left(&sandbox.owner.get("/api/v1/denials"));
    for _ in 0..5 {
        client.get("/api/v1/denials").expect(200);
    }
    assert_eq!(left(&sandbox.owner.get("/api/v1/denials")), before - 1);
}

#[test]
fn a_sandbox_has_at_most_a_hundred_keys_and_tokens_that_are_not_revoked() {
    let sandbox = Sandbox::of(&Tenant::shared());
    let (_, token) = sandbox.token(365);
    let key = sandbox.practice.key.id.clone();
    for (kind, id, new) in [
        ("keys", key, json!({ "name": "More", "scopes": ["claims:read"] })),
        ("tokens", token, json!({ "name": "More", "scopes": ["settings:read"], "expires_in_days": 1 })),
    ] {
        let path = format!("{SANDBOX}/{kind}");
        let of = if kind == "keys" { "created_by" } else { "user_id" };
        let copied = format!("name, hint, scopes, created_at, expires_at, {of}");
        let fill = format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 99)
             INSERT INTO api_{kind} (practice_id, id, hash, {copied})
             SELECT practice_id, printf('%08d', n) || substr(id, 9), hash || n, {copied}
             FROM api_{kind} CROSS JOIN n WHERE practice_id = ?1"
        );
        sandbox.practice.change(&fill, &[]);
        let full = format!("a sandbox has at most 100 {kind}");
        assert_eq!(sandbox.owner.post(&path, new.to_string()).nested(409), ("conflict", &*full));
        sandbox.owner.delete(&format!("{path}/{id}")).expect(204);
        sandbox.owner.post(&path, new.to_string()).expect(201);
        assert_eq!(sandbox.owner.post(&path, new.to_string()).nested(409).1, full);
    }
}
