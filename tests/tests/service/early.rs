//! A request that is refused before its body has arrived: the answer does not wait for the rest.

use overturn_core::base::token::ApiKey;
use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;
use overturn_tests::wire::Raw;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const SESSION: &str = "/api/v1/auth/session";
const MEMBERS: &str = "/api/v1/settings/members";
const DOCUMENTS: &str = "/api/v1/documents";
/// How many pieces the sender of a body would send, more than twenty seconds long.
const PIECES: usize = 200;

/// Sends a request whose body comes piece by piece, and the answer. Panics if it came only after the whole body.
fn answered_before(client: &Client, path: &str, frame: &str, first: &[u8], piece: &[u8]) -> Raw {
    let mut connection = client.connect();
    let head = client.head("POST", path) + frame + "\r\n\r\n";
    connection.write(head.as_bytes()).unwrap();
    let mut writer = connection.writer().unwrap();
    let (answered, ended) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut sent = writer.write_all(first);
            for _ in 0..PIECES {
                if sent.is_err() || answered.load(Ordering::SeqCst) {
                    return;
                }
                thread::sleep(Duration::from_millis(100));
                sent = writer.write_all(piece);
            }
            ended.store(true, Ordering::SeqCst);
        });
        let answer = connection.read(false).unwrap();
        answered.store(true, Ordering::SeqCst);
        assert!(!ended.load(Ordering::SeqCst), "{path}: after the body");
        answer
    })
}

fn message(raw: &Raw) -> String {
    let body: Value = serde_json::from_slice(&raw.body).unwrap();
    let error = &body["error"];
    let text = error["message"].as_str().or(error.as_str());
    text.unwrap().to_owned()
}

#[test]
fn a_body_over_its_limit_is_refused_at_the_head() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let form = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 210763776";
    let json = "Content-Length: 2097153";
    for (client, path, frame, why) in [
        (&tenant.client(), CLAIMS, json, "body is over 2 MiB"),
        (&tenant.server.client(), SESSION, json, "body is over 2 MiB"),
        (&owner, MEMBERS, json, "body is over 2 MiB"),
        (&owner, DOCUMENTS, form, "a file must have at most 50 MiB"),
    ] {
        let answer = answered_before(client, path, frame, b"", b" ");
        assert_eq!(answer.status, 413, "{path}: {}", message(&answer));
        assert_eq!(message(&answer), why, "{path}");
    }
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn a_body_without_a_length_is_refused_at_the_byte_that_is_too_many() {
    let tenant = Tenant::shared();
    let chunked = "Transfer-Encoding: chunked";
    let chunk = |size: usize| format!("{size:x}\r\n{}\r\n", " ".repeat(size)).into_bytes();
    for (client, path) in [(&tenant.client(), CLAIMS), (&tenant.server.client(), SESSION)] {
        let answer = answered_before(client, path, chunked, &chunk(2 << 20), &chunk(1));
        assert_eq!(answer.status, 413, "{path}");
        assert_eq!(message(&answer), "body is over 2 MiB");
    }
}

#[test]
fn any_refusal_goes_ahead_of_a_long_body() {
    let client = Server::shared().client();
    for (path, status) in [("/nowhere", 404), (CLAIMS, 401), (MEMBERS, 401), ("/health", 405)] {
        let answer = answered_before(&client, path, "Content-Length: 1000000", b"", b" ");
        assert_eq!(answer.status, status, "{path}");
    }
}

#[test]
fn a_long_body_is_not_awaited_from_a_key_that_nobody_has() {
    let tenant = Tenant::shared();
    let client = |key: &str| tenant.server.client().with("Authorization", &format!("Bearer {key}"));
    let made_up = ApiKey::mint(Realm::Test, random());
    let [revoked, expired] = ["revoked_at = created_at", "expires_at = created_at"].map(|ended| {
        let key = tenant.key(&Scope::ALL, Realm::Test);
        tenant.change(&format!("UPDATE api_keys SET {ended} WHERE practice_id = ?1 AND id = ?2"), &[&key.id]);
        key.text
    });
    for key in [made_up.expose(), &revoked, &expired] {
        for path in [CLAIMS, "/api/v1/sandbox/clock"] {
            let length = answered_before(&client(key), path, "Content-Length: 65537", b"", b" ");
            let chunked = answered_before(&client(key), path, "Transfer-Encoding: chunked", b"", b"1\r\n \r\n");
            for answer in [length, chunked] {
                answer.expect(401);
                assert_eq!(message(&answer), "a valid API key is required");
            }
        }
    }
    // The first long send of a key that exists.
    let reason = "x".repeat(1500);
    let long = batch((0..50).map(|n| with(item(&format!("A-{n}")), "claim.denial_reason", reason.as_str())));
    assert!(long.to_string().len() > 65_536);
    assert_eq!(tenant.send(&long).created(), [true; 50]);
}

#[test]
fn a_request_that_asks_whether_to_go_on_gets_the_refusal() {
    let client = Server::shared().client();
    let mut connection = client.connect();
    let head = client.head("POST", SESSION);
    let head = head + "Expect: 100-continue\r\nContent-Length: 52428800\r\n\r\n";
    connection.write(head.as_bytes()).unwrap();
    let mut answer = connection.read(true).unwrap();
    if answer.status == 100 {
        answer = connection.read(false).unwrap();
    }
    answer.expect(413);
}
