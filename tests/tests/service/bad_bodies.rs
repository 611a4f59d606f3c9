//! Bodies that no one should send, and clients that disconnect.

use overturn_tests::answer::Sent;
use overturn_tests::client::{CLAIMS, STATUS, status_of};
use overturn_tests::prelude::*;
use std::io::Write;
use std::net::Shutdown;
use std::thread;
use std::time::{Duration, Instant};

const BODY_MAX: usize = 2 * 1024 * 1024;
const TOO_LARGE: &str = "body is over 2 MiB";

/// An item, padded with white space to this many bytes.
fn padded(number: &str, bytes: usize) -> Vec<u8> {
    let mut body = item(number).to_string().into_bytes();
    body.resize(bytes, b' ');
    body
}

/// Sends without `Content-Length`, in chunks of this size. Skips what can no longer be written.
fn chunked(client: &Client, body: &[u8], size: usize) -> Answer {
    let mut connection = client.connect();
    let head = client.head("POST", CLAIMS) + "Transfer-Encoding: chunked\r\n\r\n";
    connection.write(head.as_bytes()).unwrap();
    let mut writer = connection.writer().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            for chunk in body.chunks(size) {
                let sent = write!(writer, "{:x}\r\n", chunk.len())
                    .and_then(|()| writer.write_all(chunk))
                    .and_then(|()| writer.write_all(b"\r\n"));
                if sent.is_err() {
                    return;
                }
            }
            let _unread = writer.write_all(b"0\r\n\r\n");
        });
        let answer = Answer::checked(connection.read(false).unwrap());
        // The writer may still be blocked.
        let _gone = connection.writer().unwrap().shutdown(Shutdown::Both);
        answer
    })
}

/// Fails unless the service still works normally.
fn well(tenant: &Tenant<'_>) {
    tenant.check();
    let number = format!("well-{}", tenant.claims());
    assert_eq!(tenant.send(&item(&number)).created(), [true]);
    tenant.client().status(&number).expect(200);
}

#[test]
fn a_body_of_two_mebibytes_is_read_and_one_byte_more_is_too_large() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    client.post(CLAIMS, padded("A-1", BODY_MAX)).expect(201);
    chunked(&client, &padded("A-2", BODY_MAX), 65_536).expect(201);
    assert_eq!(client.post(CLAIMS, padded("A-3", BODY_MAX + 1)).refusal(413), TOO_LARGE);
    assert_eq!(chunked(&client, &padded("A-4", BODY_MAX + 1), 65_536).refusal(413), TOO_LARGE);
    assert_eq!(tenant.claims(), 2);
    well(&tenant);
}

#[test]
fn a_hundred_claims_as_large_as_a_body_may_be_are_stored_whole() {
    let tenant = Tenant::shared();
    let mut body = numbered((0..100).map(|n| format!("L-{n}")));
    let reason = "r".repeat(2_000);
    for item in body["claims"].as_array_mut().unwrap() {
        item["claim"]["denial_reason"] = reason.clone().into();
        item["claim"]["diagnosis_codes"] = vec!["d".repeat(200); 88].into();
    }
    let bytes = body.to_string();
    assert!((BODY_MAX - 100_000..BODY_MAX).contains(&bytes.len()), "{}", bytes.len());
    let sent = Sent::read(&body, &tenant.client().post(CLAIMS, bytes));
    assert_eq!(sent.created(), [true; 100]);
    for number in ["L-0", "L-99"] {
        let opened = tenant.opened(&tenant.row(number));
        assert_eq!(opened["denial_reason"], reason.as_str());
        assert_eq!(opened["diagnosis_codes"].as_array().unwrap().len(), 88);
    }
    well(&tenant);
}

#[test]
fn a_client_that_writes_everything_before_it_reads_gets_its_answer() {
    let tenant = Tenant::shared();
    let nobody = Server::shared().client();
    for (client, target, length, status) in [
        (tenant.client(), CLAIMS, 3 << 20, 413),
        (tenant.client(), CLAIMS, 30 << 20, 413),
        (nobody.with("Authorization", "Bearer x"), CLAIMS, 1_900_000, 401),
        (Server::shared().client(), CLAIMS, 10 << 20, 401),
        (Server::shared().client(), "/nowhere", 5 << 20, 404),
        (Server::shared().client(), STATUS, 5 << 20, 405),
    ] {
        for _ in 0..3 {
            let answer = client.post(target, vec![b' '; length]);
            assert_eq!(answer.status, status, "{target} {length}");
        }
    }
    well(&tenant);
}

#[test]
fn a_connection_goes_on_after_a_body_that_nobody_reads() {
    let client = Server::shared().client();
    let mut connection = client.connect();
    for length in [0, 1, 32 << 10, (32 << 10) + 1, 60 << 10, 1 << 20] {
        for _ in 0..3 {
            let head = client.head("POST", "/nowhere");
            let request = format!("{head}Content-Length: {length}\r\n\r\n{}", " ".repeat(length));
            connection.write(request.as_bytes()).unwrap();
            assert_eq!(connection.read(false).unwrap().status, 404, "{length}");
        }
    }
}

#[test]
fn a_short_body_that_arrives_after_its_head_is_waited_for() {
    let client = Server::shared().client();
    let mut connection = client.connect();
    let head = client.head("POST", "/nowhere");
    for pause_ms in [0, 100, 1_000] {
        let head = format!("{head}Content-Length: 20000\r\n\r\n");
        connection.write(head.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(pause_ms));
        connection.write(&[b' '; 20_000]).unwrap();
        connection.read(false).unwrap().expect(404);
    }
}

#[test]
fn a_sender_that_waits_for_the_answer_to_a_huge_body_gets_it() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let mut connection = client.connect();
    let head = client.head("POST", CLAIMS) + "Content-Length: 52428800\r\n\r\n{";
    connection.write(head.as_bytes()).unwrap();
    let answer = Answer::checked(connection.read(false).unwrap());
    assert_eq!(answer.refusal(413), TOO_LARGE);
    drop(connection);
    well(&tenant);
}

#[test]
fn an_upload_of_fifty_megabytes_without_a_length_is_refused() {
    let tenant = Tenant::shared();
    let answer = chunked(&tenant.client(), &vec![b' '; 50 << 20], 1 << 20);
    assert_eq!(answer.refusal(413), TOO_LARGE);
    well(&tenant);
}

#[test]
fn a_body_in_many_small_chunks_is_read() {
    let tenant = Tenant::shared();
    let body = numbered(["A-1", "漢"]);
    let answer = chunked(&tenant.client(), body.to_string().as_bytes(), 1);
    assert_eq!(Sent::read(&body, &answer).created(), [true, true]);
}

#[test]
fn a_body_that_is_not_there_is_no_json() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let nothing = ["body must be valid JSON"];
    assert_eq!(client.request("POST", CLAIMS, None).problems(), nothing);
    assert_eq!(client.post(CLAIMS, "").problems(), nothing);
    assert_eq!(chunked(&client, b"", 1).problems(), nothing);
}

#[test]
fn a_body_on_a_read_is_not_looked_at() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    let client = tenant.client();
    let answer = client.request("GET", &status_of("A-1"), Some(b"{\"claim_number\":\"A-2\"}"));
    assert_eq!(answer.json["claim"]["claim_number"], "A-1");
    well(&tenant);
}

#[test]
fn a_connection_that_breaks_in_the_body_writes_nothing() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let body = numbered((0..50).map(|n| format!("B-{n}"))).to_string();
    for n in 0..20 {
        let mut connection = client.connect();
        let (framing, part) = if n % 2 == 0 {
            (format!("Content-Length: {}", body.len()), body[..body.len() * n / 20].to_owned())
        } else {
            // All of the body, but not its end.
            ("Transfer-Encoding: chunked".into(), format!("{:x}\r\n{body}\r\n", body.len()))
        };
        let bytes = format!("{}{framing}\r\n\r\n{part}", client.head("POST", CLAIMS));
        connection.write(bytes.as_bytes()).unwrap();
        if n % 4 == 0 {
            thread::sleep(Duration::from_millis(20));
        }
    }
    thread::sleep(Duration::from_millis(200));
    assert_eq!(tenant.claims(), 0);
    well(&tenant);
}

#[test]
fn a_client_that_leaves_before_the_answer_has_sent_all_or_nothing() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    for n in 0..20 {
        let body = numbered((0..50).map(|item| format!("{n}-{item}"))).to_string();
        let mut connection = client.connect();
        let head = client.head("POST", CLAIMS);
        let bytes = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        connection.write(bytes.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(n % 7));
    }
    let settled = settle(|| tenant.claims());
    assert_eq!(settled % 50, 0);
    let sql = "SELECT count(*) AS n FROM (SELECT 1 FROM claims WHERE practice_id = ?1 GROUP BY submission_id HAVING count(*) <> 50)";
    assert_eq!(tenant.number(sql), 0);
    tenant.check();
    // After a second send, all of them are there.
    for n in 0..20 {
        tenant.send(&numbered((0..50).map(|item| format!("{n}-{item}"))));
    }
    assert_eq!(tenant.claims(), 1000);
    well(&tenant);
}

/// A number, once it has not changed for a while.
fn settle(mut number: impl FnMut() -> i64) -> i64 {
    let (mut last, mut since) = (number(), Instant::now());
    while since.elapsed() < Duration::from_millis(500) {
        thread::sleep(Duration::from_millis(20));
        let now = number();
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    last
}

#[test]
fn clients_that_never_finish_delay_no_one() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let head = client.head("POST", CLAIMS);
    let unfinished = [
        String::new(),
        "P".into(),
        head.clone(),
        format!("{head}Content-Length: 1000\r\n\r\n"),
        format!("{head}Content-Length: 1000\r\n\r\n{{\"claims\":["),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n10\r\n{{"),
    ];
    let mut open = Vec::new();
    for n in 0..60 {
        let mut connection = client.connect();
        connection.write(unfinished[n % unfinished.len()].as_bytes()).unwrap();
        if n % 3 == 0 {
            connection.close_write().unwrap();
        }
        open.push(connection);
    }
    for n in 0..10 {
        assert_eq!(tenant.send(&item(&format!("A-{n}"))).created(), [true]);
    }
    drop(open);
    well(&tenant);
}

#[test]
fn a_client_that_stops_sending_still_gets_its_answer() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let body = item("A-1").to_string();
    let mut connection = client.connect();
    let head = client.head("POST", CLAIMS);
    let bytes = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    connection.write(bytes.as_bytes()).unwrap();
    connection.close_write().unwrap();
    Answer::checked(connection.read(false).unwrap()).expect(201);
}

#[test]
fn a_slow_body_is_waited_for() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let body = item("A-1").to_string();
    let mut connection = client.connect();
    let head = client.head("POST", CLAIMS);
    connection.write(format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes()).unwrap();
    for part in body.as_bytes().chunks(40) {
        thread::sleep(Duration::from_millis(20));
        connection.write(part).unwrap();
    }
    Answer::checked(connection.read(false).unwrap()).expect(201);
}

#[test]
fn requests_sent_without_waiting_are_answered_in_their_order() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let mut bytes = String::new();
    for n in 0..10 {
        let body = item(&format!("P-{n}")).to_string();
        let head = client.head("POST", CLAIMS);
        bytes += &format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        bytes += &(client.head("GET", &status_of(&format!("P-{n}"))) + "\r\n");
    }
    let mut connection = client.connect();
    connection.write(bytes.as_bytes()).unwrap();
    for n in 0..10 {
        let sent = Answer::checked(connection.read(false).unwrap());
        assert_eq!((sent.status, &sent.json["claims"][0]["claim_number"]), (201, &Value::from(format!("P-{n}"))));
        let read = Answer::checked(connection.read(false).unwrap());
        assert_eq!(read.json["claim"]["id"], sent.json["claims"][0]["id"]);
    }
}

#[test]
fn bytes_that_are_no_request_are_turned_away() {
    let tenant = Tenant::shared();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\r\n\r\n",
        b"POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
    ] {
        let mut connection = tenant.server.client().connect();
        connection.write(bytes).unwrap();
        if let Ok(answer) = connection.read(false) {
            assert!((400..600).contains(&answer.status), "{answer:?}");
        }
    }
    well(&tenant);
}
