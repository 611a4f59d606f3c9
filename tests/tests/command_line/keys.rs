//! Keys that are rotated, and messages on the developer's machine.

use crate::program::{File, end, program};
use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver};
use std::io::{BufRead as _, BufReader};
use std::process::Command;

const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

fn token(owner: &Client, scopes: &[&str]) -> String {
    let body = json!({ "name": "Program", "scopes": scopes, "expires_in_days": 1 });
    let made = owner.post("/api/v1/settings/api_tokens", body.to_string());
    made.expect(201);
    made.json["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_key_is_rotated_by_the_program() {
    let tenant = Tenant::shared();
    let token = token(&tenant.owner(), &["settings:read", "api_keys:rotate"]);
    let file = File::of_lines("rotate", [item("K-1")]);
    let mut rotate = program(&tenant, tenant.server.port(), &["rotate", "--json", "--send", file.path()]);
    let done = end(rotate.env("OVERTURN_API_TOKEN", token).spawn().unwrap());
    assert_eq!(done.status, Some(0), "{}", done.notes);
    let key = done.events[0]["key"].as_str().unwrap();
    assert_eq!(done.events.last().unwrap()["event"], "revoked");
    tenant.client().post(CLAIMS, item("K-2").to_string()).expect(401);
    let new = tenant.server.client().with("Authorization", &format!("Bearer {key}"));
    new.send(&item("K-2")).expect(201);
    assert_eq!(tenant.claims(), 2);
}

/// The clock of a sandbox makes all of it happen between two looks.
#[test]
fn a_claim_that_moves_reaches_this_machine_as_a_webhook_would_tell_it() {
    const SANDBOX: &str = "/api/v1/settings/sandbox";
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    owner.post(SANDBOX, "").expect(200);
    let made = |what: &str, scopes: &[&str]| {
        let body = json!({ "name": "Program", "scopes": scopes, "expires_in_days": 365 });
        let made = owner.post(&format!("{SANDBOX}/{what}s"), body.to_string());
        made.expect(201);
        made.json[if what == "key" { "key" } else { "token" }].as_str().unwrap().to_owned()
    };
    let key = made("key", &["claims:write", "claims:read"]);
    let billing = tenant.server.client().with("Authorization", &format!("Bearer {key}"));
    let sent = billing.send(&item("CLOSE-1"));
    sent.expect(201);
    let receiver = Receiver::new([OK]);
    let args = ["listen", "--json", "--forward", &receiver.url(), "--secret", SECRET, "--every", "1"];
    let mut listen = program(&tenant, tenant.server.port(), &args);
    let mut child = listen.env("OVERTURN_API_TOKEN", made("token", &["denials:read"])).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let begun: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!((&begun["event"], &begun["claims"]), (&json!("listening"), &json!(1)));
    billing.post("/api/v1/sandbox/clock", r#"{"advance":"P40D"}"#).expect(200);
    let mut statuses = Vec::new();
    let mut times = Vec::new();
    for n in 0.. {
        let told = receiver.wait(n + 1).remove(n);
        assert_eq!(told.signed_by(SECRET), 1);
        let body: Value = serde_json::from_str(&told.body).unwrap();
        let claim = &body["data"]["claim"];
        assert_eq!((&claim["id"], &claim["claim_number"]), (&sent.json["claims"][0]["id"], &json!("CLOSE-1")));
        times.push(body["timestamp"].as_str().unwrap().to_owned());
        if body["type"] == "claim.status_changed" {
            statuses.push(claim["status"].as_str().unwrap().to_owned());
        }
        if statuses.last().is_some_and(|status| status == "closed") {
            break;
        }
    }
    assert_eq!(statuses, ["reviewing", "in_appeal", "closed"]);
    assert!(times.is_sorted() && times.first() < times.last(), "{times:?}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
