//! Keys that are rotated, and messages on the developer's machine.

use crate::program::{File, end, program, run};
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

#[test]
fn a_claim_that_moves_reaches_this_machine_as_a_webhook_would_tell_it() {
    let tenant = Tenant::shared();
    let token = token(&tenant.owner(), &["denials:read"]);
    run(&tenant, &["send", "--json", File::of_lines("listen", [item("L-1")]).path()]);
    let receiver = Receiver::new([OK]);
    let args = ["listen", "--json", "--forward", &receiver.url(), "--secret", SECRET, "--every", "1"];
    let mut listen = program(&tenant, tenant.server.port(), &args);
    let mut child = listen.env("OVERTURN_API_TOKEN", token).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let begun: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!((&begun["event"], &begun["claims"]), (&json!("listening"), &json!(1)));
    let id = tenant.row("L-1")["id"].as_str().unwrap().to_owned();
    let staff = Person::staff(tenant.server).client();
    let claim = format!("/api/v1/staff/practices/{}/claims/{id}", tenant.id);
    let moved = staff.seeing(&claim).post(&format!("{claim}/moves"), r#"{"status": "reviewing"}"#);
    moved.expect(200);
    let told = receiver.wait(1).remove(0);
    assert_eq!(told.signed_by(SECRET), 1);
    let body: Value = serde_json::from_str(&told.body).unwrap();
    let data = json!({ "claim": { "id": id, "claim_number": "L-1", "status": "reviewing" } });
    assert_eq!((&body["type"], &body["data"]), (&json!("claim.status_changed"), &data));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
