//! A body that does not arrive in time: the answer is `408` in the shape of the route, and the connection closes.

use overturn_tests::client::{CLAIMS, keys};
use overturn_tests::prelude::*;
use overturn_tests::wire::{Connection, Raw};
use std::io::Write as _;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

const SESSION: &str = "/api/v1/auth/session";
/// How long this module's server waits for a body.
const TIME_OUT: Duration = Duration::from_secs(2);

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "BODY_SECONDS": "2", "LIMITS": "unlimited" })))
}

/// Sends a byte every 300 ms, without end, until the server closes the connection. Returns how long the answer took.
fn trickle(head: &str, framed: bool) -> (Raw, Duration) {
    let mut connection = Connection::open(server().port()).unwrap();
    let began = Instant::now();
    connection.write(head.as_bytes()).unwrap();
    let mut writer = connection.writer().unwrap();
    let sending = thread::spawn(move || {
        let byte: &[u8] = if framed { b"1\r\n \r\n" } else { b" " };
        while writer.write_all(byte).is_ok() {
            thread::sleep(Duration::from_millis(300));
        }
    });
    let answer = connection.read(false).unwrap();
    let took = began.elapsed();
    drop(connection);
    sending.join().unwrap();
    (answer, took)
}

fn json(raw: &Raw) -> Value {
    serde_json::from_slice(&raw.body).unwrap()
}

const FRAMES: [(&str, bool); 2] =
    [("Content-Length: 1000\r\n\r\n", false), ("Transfer-Encoding: chunked\r\n\r\n", true)];

#[test]
fn a_body_that_trickles_is_given_up_after_the_time_it_has() {
    let tenant = Tenant::new(server());
    for (frame, framed) in FRAMES {
        let head = tenant.client().head("POST", CLAIMS) + frame;
        let (answer, took) = trickle(&head, framed);
        assert_eq!(answer.status, 408, "{:?}", json(&answer));
        assert!(took >= TIME_OUT, "{took:?}");
        let body = json(&answer);
        assert_eq!(keys(&body), ["error"]);
        assert_eq!(body["error"], "the body did not arrive in time");

        let head = server().client().head("POST", SESSION) + frame;
        let (answer, took) = trickle(&head, framed);
        assert_eq!(answer.status, 408, "{:?}", json(&answer));
        assert!(took >= TIME_OUT, "{took:?}");
        assert_eq!(json(&answer)["error"]["code"], "body_too_slow");
    }
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn an_upload_that_pauses_is_given_up() {
    let tenant = Tenant::new(server());
    let form = FormData::default().file("file", "a.pdf", b"%PDF-1.7\n%%EOF\n").end();
    let length = form.len().to_string();
    let sender = tenant.owner().with("Content-Type", FormData::CONTENT_TYPE).with("Content-Length", &length);
    let (mut connection, head) = (sender.connect(), sender.head("POST", "/api/v1/documents"));
    let began = Instant::now();
    connection.write(format!("{head}\r\n").as_bytes()).unwrap();
    connection.write(&form[..form.len() - 9]).unwrap();
    let answer = connection.read(false).unwrap();
    answer.expect(408);
    assert!(began.elapsed() >= TIME_OUT);
    assert_eq!(json(&answer)["error"]["code"], "body_too_slow");
    assert_eq!(tenant.count("loose_objects") + tenant.count("documents"), 0);
}

#[test]
fn a_refused_request_is_not_listened_to_for_longer_either() {
    let client = server().client().with("Authorization", "Bearer nonsense");
    for (frame, framed) in FRAMES {
        let (answer, _took) = trickle(&(client.head("POST", CLAIMS) + frame), framed);
        answer.expect(401);
    }
}

#[test]
fn a_credential_that_ends_while_the_body_arrives_stores_nothing() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    let key = "UPDATE api_keys SET expires_at = CAST(?2 AS INTEGER) WHERE practice_id = ?1";
    let session = "UPDATE sessions SET ends_at = CAST(?2 AS INTEGER)
                   WHERE user_id IN (SELECT id FROM users WHERE practice_id = ?1)";
    for (client, path, ends) in [(tenant.client(), CLAIMS, key), (tenant.member(), "/api/v1/denials", session)] {
        let body = item("A-2").to_string();
        let (begun, rest) = body.split_at(20);
        let end = now().plus(2_000);
        tenant.change(ends, &[&end.0.to_string()]);
        let mut connection = client.connect();
        let head = client.head("POST", path);
        connection.write(format!("{head}Content-Length: {}\r\n\r\n{begun}", body.len()).as_bytes()).unwrap();
        wait::until("the end", || now() > end);
        connection.write(rest.as_bytes()).unwrap();
        connection.read(false).unwrap().expect(401);
    }
    assert_eq!(tenant.claims(), 1);
}

#[test]
fn a_body_is_read_however_many_pieces_it_comes_in() {
    let tenant = Tenant::shared();
    let body = overturn_tests::claims::item("A-1").to_string();
    let head = tenant.client().head("POST", CLAIMS);
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let mut connection = tenant.client().connect();
    connection.write(head.as_bytes()).unwrap();
    for piece in body.as_bytes().chunks(3) {
        connection.write(piece).unwrap();
        thread::sleep(Duration::from_millis(2));
    }
    connection.read(false).unwrap().expect(201);
    assert_eq!(tenant.claims(), 1);
}
