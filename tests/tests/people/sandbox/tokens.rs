//! The tokens with which people read and set up a sandbox.

use super::{SANDBOX, Sandbox};
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver, Reply};
use std::sync::OnceLock;

const TOKENS: &str = "/api/v1/settings/sandbox/tokens";
const HOOKS: &str = "/api/v1/settings/webhooks";

/// A client with a token of a sandbox.
fn token(sandbox: &Sandbox) -> (Client, String) {
    let new = json!({ "name": "Events", "scopes": ["denials:read", "documents:write", "settings:read"], "expires_in_days": 365 });
    let made = sandbox.owner.post(TOKENS, new.to_string());
    made.expect(201);
    let text = made.json["token"].as_str().unwrap();
    assert!(text.starts_with("ovu_test_"));
    (sandbox.practice.server.client().with("Authorization", &format!("Bearer {text}")), made.id().into())
}

#[test]
fn a_token_of_a_sandbox_follows_its_claims_and_reads_nothing_of_the_live_practice() {
    let live = Tenant::shared();
    live.send(&item("LIVE-1"));
    let sandbox = Sandbox::of(&live);
    let (client, id) = token(&sandbox);
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
        ("/api/v1/settings/api_keys", 403),
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
fn a_token_of_a_sandbox_sends_claims_and_documents_and_ends_by_its_clock() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    let (client, _) = token(&sandbox);
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
    let (client, _) = token(&sandbox);
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
    let (client, _) = token(&sandbox);
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
