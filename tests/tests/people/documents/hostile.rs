//! Bodies that no honest client sends.

mod bodies;

use super::remains::{documents, member, settled};
use super::{DOCUMENTS, pdf, uploaded};
use bodies::Hostile;
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::wire::Connection;
use std::net::Shutdown;

/// The most wasm memory that the isolate may have after these bodies, in KB. It was measured at 4,672 KB, of which the sealed
/// chunks of a small file are up to 1,024 KB, held twice while they go to the bucket.
const MEMORY_MAX_KB: u64 = 6 * 1024;
/// Sends a body, and ends the connection. `None` if the server closed it without an answer.
fn send(client: &Client, target: &str, hostile: &Hostile) -> Option<Answer> {
    let client = match &hostile.content_type {
        Some(said) => client.with("Content-Type", said),
        None => client.with("Accept", "*/*"),
    };
    let mut connection: Connection = client.connect();
    let head = client.head("POST", target);
    let head = format!("{head}Content-Length: {}\r\n\r\n", hostile.body.len());
    connection.write(head.as_bytes()).unwrap();
    // The server may answer and close before it has read everything.
    let _sent = connection.write(&hostile.body);
    let answer = connection.read(false).ok();
    let _sent = connection.writer().unwrap().shutdown(Shutdown::Both);
    answer.map(Answer::checked)
}

#[test]
fn hostile_bodies_get_an_answer_and_leave_nothing() {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let (tenant, member) = member(&server);
    let all = bodies::all();
    let mut stored = 0;
    for hostile in &all {
        for target in [DOCUMENTS, "/api/v1/documents/bulk"] {
            let answer = send(&member, target, hostile);
            let answer = answer.unwrap_or_else(|| panic!("no answer: {}", hostile.what));
            let what = format!("{target}, {}: {}", hostile.what, answer.text());
            assert!([201, 400, 413, 415, 422].contains(&answer.status), "{what}");
            if answer.status == 201 {
                let results = answer.json["results"].as_array();
                stored += results.map_or(1, |results| results.iter().filter(|one| one["status"] == "stored").count());
            }
            assert_eq!(documents(&tenant), i64::try_from(stored).unwrap(), "{what}");
        }
    }
    assert!(stored > 40, "the names are only names: {stored}");
    settled(&server, stored);
    let listed = member.get(&format!("{DOCUMENTS}?limit=100"));
    for document in listed.json["documents"].as_array().unwrap() {
        let name = document["name"].as_str().unwrap();
        let is_bad = |char: char| char.is_control() || "/\\\u{202e}\u{200f}\u{2066}".contains(char);
        assert!(!name.contains(is_bad) && name.chars().count() <= 255, "{name:?}");
    }
    let made = uploaded(&member, &pdf(6_000_000), "a.pdf");
    assert_eq!(made["state"], "available");
    settled(&server, stored + 1);
    only_on_workerd!("an isolate has a memory of its own");
    let lines = server.log().lines();
    let memory = lines.iter().filter_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        line["memory_kb"].as_u64()
    });
    let most = memory.max().unwrap();
    assert!(most < MEMORY_MAX_KB, "{most} KB");
}
