//! Uploads that break off, and a bucket that fails.

use super::remains::{blobs, documents, loose, member, objects, settled, settled_by_sweep, sweep, unfinished};
use super::{DOCUMENTS, content, pdf, upload, uploaded};
use overturn_tests::prelude::*;
use overturn_tests::wire::Connection;

/// Files of more than a mebibyte become objects of parts of five mebibytes.
const LARGE: usize = 6_000_000;
/// The first part is stored, and the second one has not begun.
const FIRST_PART: usize = 5 * 1024 * 1024 + 60_000;

fn server() -> Server {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    Server::start(State::fresh(), &vars)
}

fn form(length: usize) -> FormData {
    FormData::default().file("file", "a.pdf", &pdf(length))
}

/// An upload whose body is sent in two pieces.
struct Slow {
    connection: Connection,
    rest: Vec<u8>,
}

impl Slow {
    /// Sends the head and this many bytes of the body.
    fn begin(client: &Client, form: FormData, sent: usize) -> Self {
        let client = client.with("Content-Type", FormData::CONTENT_TYPE);
        let mut body = form.end();
        let head = client.head("POST", DOCUMENTS);
        let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
        let mut connection = client.connect();
        connection.write(head.as_bytes()).unwrap();
        let rest = body.split_off(sent);
        connection.write(&body).unwrap();
        Self { connection, rest }
    }

    fn end(mut self) -> Answer {
        self.connection.write(&self.rest).unwrap();
        Answer::checked(self.connection.read(false).unwrap())
    }
}

/// Waits until this many objects of several parts have begun.
fn begun(server: &Server, objects: i64) {
    let sql = "SELECT count(*) AS n FROM loose_objects WHERE upload_id IS NOT NULL";
    wait::until("an object begins", || server.database().number(sql, &[]) == objects);
}

#[test]
fn of_an_upload_that_breaks_off_nothing_is_left() {
    let server = server();
    let (tenant, member) = member(&server);
    let length = form(LARGE).end().len();
    for sent in [0, length / 100, length / 100 * 49, length / 100 * 99, length - 1] {
        let slow = Slow::begin(&member, form(LARGE), sent);
        if sent > FIRST_PART {
            begun(&server, 1);
        }
        drop(slow);
        settled_by_sweep(&server, 0);
        assert_eq!(documents(&tenant), 0, "{sent}");
    }
    assert_eq!(tenant.audit("document.uploaded").len(), 0);
    let made = uploaded(&member, &pdf(LARGE), "a.pdf");
    let read = member.exchange("GET", &content(&made["id"]), None);
    assert_eq!(read.body, pdf(LARGE));
    assert_eq!(unfinished(&server.stop()), 0);
}

#[test]
fn a_client_that_leaves_before_the_answer_has_one_document_or_none() {
    let server = server();
    let (tenant, member) = member(&server);
    let key = "6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b12";
    let member = member.with("Idempotency-Key", key);
    let length = form(LARGE).end().len();
    drop(Slow::begin(&member, form(LARGE), length));
    let mut answer = upload(&member, form(LARGE));
    wait::until("the retry is not refused", || {
        if answer.status == 409 {
            answer = upload(&member, form(LARGE));
        }
        answer.status != 409
    });
    answer.expect(201);
    settled_by_sweep(&server, 1);
    assert_eq!(documents(&tenant), 1);
    assert_eq!(tenant.audit("document.uploaded").len(), 1);
}

#[test]
fn after_a_crash_the_sweep_removes_what_an_upload_left() {
    let first = server();
    let (tenant, member) = member(&first);
    let kept = uploaded(&member, &pdf(1000), "a.pdf");
    let slow = Slow::begin(&member, form(LARGE), FIRST_PART);
    begun(&first, 1);
    wait::until("the first part comes", || blobs(first.state()).len() == 2);
    // The last bytes of the part are written and recorded.
    wait::quiet();
    let (id, key) = (tenant.id, tenant.key.clone());
    let state = first.kill();
    drop(slow);
    assert_eq!(unfinished(&state), 1, "what the crash left");
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    let second = Server::start(state, &vars);
    assert_eq!((loose(&second), blobs(second.state()).len()), (1, 2), "what the crash left");
    sweep(&second);
    assert_eq!(loose(&second), 1, "an upload in progress is left alone");
    settled_by_sweep(&second, 1);
    wait::until("the part goes", || blobs(second.state()).len() == 1);
    let tenant = Tenant { server: &second, id, key };
    assert_eq!(documents(&tenant), 1);
    let owner = tenant.owner();
    assert_eq!(owner.exchange("GET", &content(&kept["id"]), None).body, pdf(1000));
    assert_eq!(unfinished(&second.stop()), 0);
}

/// A client with an API token of the person.
fn token(server: &Server, client: &Client) -> (Client, String) {
    let new = json!({ "name": "Fax", "scopes": ["documents:write"], "expires_in_days": 30 });
    let made = client.post("/api/v1/settings/api_tokens", new.to_string());
    made.expect(201);
    let text = made.json["token"].as_str().unwrap();
    let bearer = server.client().with("Authorization", &format!("Bearer {text}"));
    (bearer, made.id().to_owned())
}

#[test]
fn who_loses_the_right_while_a_file_streams_is_refused() {
    let server = server();
    let tenant = Tenant::new(&server);
    let owner = tenant.owner();
    let (bearer, token_id) = token(&server, &owner);
    let made = uploaded(&bearer, &pdf(1000), "a.pdf");
    let leaver = Person::of(&tenant, Role::Member);
    let one = format!("{DOCUMENTS}/{}", made["id"].as_str().unwrap());
    leaver.client().get(&one).expect(200);
    assert_eq!(bearer.get(&one).status, 403, "a token only uploads");

    let by_token = Slow::begin(&bearer, form(LARGE), FIRST_PART);
    let by_member = Slow::begin(&leaver.client(), form(LARGE), FIRST_PART);
    begun(&server, 2);
    let revoked = owner.delete(&format!("/api/v1/settings/api_tokens/{token_id}"));
    revoked.expect(204);
    let removed = "UPDATE users SET state = 'removed' WHERE practice_id = ?1 AND id = ?2";
    tenant.change(removed, &[&leaver.id.to_string()]);
    for slow in [by_token, by_member] {
        let answer = slow.end();
        assert!([401, 403].contains(&answer.status), "{}", answer.text());
    }
    settled(&server, 1);
    for client in [bearer, leaver.client()] {
        for target in [&one, &content(&made["id"]), DOCUMENTS] {
            assert!([401, 403].contains(&client.get(target).status), "{target}");
        }
        assert!([401, 403].contains(&upload(&client, form(1000)).status));
    }
    assert_eq!(documents(&tenant), 1);
    assert_eq!(tenant.audit("document.uploaded").len(), 1);
    assert_eq!(tenant.audit("document.read").len(), 0);
}

/// An upload while the bucket fails in this way.
fn failing(client: &Client, faults: &Value, length: usize) -> Answer {
    let faults = json!({ "DOCUMENTS": faults }).to_string();
    upload(&client.with("Tests-Bindings", &faults), form(length))
}

#[test]
fn when_the_bucket_fails_nothing_is_stored() {
    let server = server();
    let (tenant, member) = member(&server);
    let faults = [
        (1000, json!({ "put": "fails" })),
        (1000, json!({ "put": "fails", "delete": "fails" })),
        (1000, json!({ "put": "loses", "head": "fails" })),
        (LARGE, json!({ "begin": "fails" })),
        (LARGE, json!({ "part1": "fails" })),
        (LARGE, json!({ "part1": "breaks" })),
        (LARGE, json!({ "part2": "breaks", "abort": "fails" })),
        (LARGE, json!({ "part1": "loses" })),
        (LARGE, json!({ "complete": "fails" })),
        (LARGE, json!({ "complete": "loses", "head": "fails" })),
    ];
    for (length, faults) in faults {
        let answer = failing(&member, &faults, length);
        assert_eq!(answer.nested(503).0, "unavailable", "{faults}");
        assert_eq!(documents(&tenant), 0, "{faults}");
        settled_by_sweep(&server, 0);
    }
    // The answer was lost, but the object is there.
    for (length, faults) in [(1000, json!({ "put": "loses" })), (LARGE, json!({ "complete": "loses" }))] {
        let answer = failing(&member, &faults, length);
        answer.expect(201);
        let read = member.exchange("GET", &content(&answer.json["id"]), None);
        assert_eq!(read.body, pdf(length));
    }
    settled(&server, 2);
    assert_eq!(unfinished(&server.stop()), 0);
}

#[test]
fn what_the_bucket_cannot_delete_waits_for_the_sweep() {
    let server = server();
    let (tenant, member) = member(&server);
    let made = uploaded(&member, &pdf(LARGE), "a.pdf");
    let one = format!("{DOCUMENTS}/{}", made["id"].as_str().unwrap());
    let faults = json!({ "DOCUMENTS": { "delete": "fails" } }).to_string();
    let failing = member.with("Tests-Bindings", &faults);
    failing.delete(&one).expect(204);
    member.get(&content(&made["id"])).refused(404, "not_found");
    assert_eq!((loose(&server), objects(&server)), (1, 1));
    let faults = json!({ "DOCUMENTS": { "get": "fails" } }).to_string();
    settled_by_sweep(&server, 0);
    let other = uploaded(&member, &pdf(1000), "b.pdf");
    let unread = member.with("Tests-Bindings", &faults).get(&content(&other["id"]));
    unread.refused(503, "unavailable");
    assert_eq!(tenant.audit("record.tampered").len(), 0);
}
