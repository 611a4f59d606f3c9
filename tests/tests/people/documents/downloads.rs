//! Downloads while the bucket fails, and against a deletion.

use super::remains::{documents, member, settled_by_sweep, unfinished};
use super::{DOCUMENTS, content, pdf, upload, uploaded};
use overturn_tests::prelude::*;
use overturn_tests::wire::Raw;
use std::thread;

/// Files of more than a mebibyte are objects of parts of five mebibytes.
const LARGE: usize = 6_000_000;

fn server() -> Server {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    Server::start(State::fresh(), &vars)
}

/// The head of a download while the bucket fails in this way, and the bytes that come before the connection ends.
fn broken_download(client: &Client, id: &Value, get: &Value) -> (Raw, Vec<u8>) {
    let faults = json!({ "DOCUMENTS": { "get": get } }).to_string();
    let client = client.with("Tests-Bindings", &faults);
    let mut connection = client.connect();
    let head = client.head("GET", &content(id));
    connection.write(format!("{head}\r\n").as_bytes()).unwrap();
    let head = connection.read(true).unwrap();
    let rest = connection.rest();
    (head, rest)
}

#[test]
fn a_download_that_the_bucket_breaks_off_never_looks_whole() {
    let server = server();
    let (tenant, member) = member(&server);
    for (nth, length) in [(1, 300_000), (2, LARGE)] {
        let made = uploaded(&member, &pdf(length), "a.pdf");
        let whole = pdf(length);
        let tampered = || tenant.audit("record.tampered").len();
        for fault in ["breaks", "ends"] {
            // In the second chunk of 128 KiB, at its end, and shortly before the end of the object.
            for at in [200_000, 2 * 131_088, length + 60] {
                let (head, body) = broken_download(&member, &made["id"], &json!({ fault: at }));
                let what = format!("{fault} at {at} of {length}");
                assert_eq!(head.status, 200, "{what}");
                let said = head.header("content-length").unwrap();
                assert_eq!(said, whole.len().to_string(), "{what}");
                assert!(!body.is_empty() && body.len() < whole.len(), "{what}");
                assert!(whole.starts_with(&body), "{what}");
            }
            // An object that is too short was changed. One that breaks off was not.
            let ended = if fault == "ends" { nth } else { nth - 1 };
            let expected = 3 * ended;
            wait::until(fault, || tampered() == expected);
        }
        let faults = json!({ "DOCUMENTS": { "get": { "breaks": 9 } } }).to_string();
        let early = member.with("Tests-Bindings", &faults);
        early.get(&content(&made["id"])).refused(503, "unavailable");
        let read = member.exchange("GET", &content(&made["id"]), None);
        assert_eq!(read.body, whole);
    }
    let lines = server.log().lines();
    let broken = lines.iter().filter(|line| line.contains("download_broken"));
    assert_eq!(broken.count(), 6);
}

#[test]
fn no_transfer_waits_for_ever_for_the_bucket() {
    let server = server();
    let (tenant, member) = member(&server);
    let made = uploaded(&member, &pdf(LARGE), "a.pdf");
    thread::scope(|scope| {
        scope.spawn(|| {
            let (head, body) = broken_download(&member, &made["id"], &json!({ "hangs": 200_000 }));
            assert_eq!((head.status, body.len()), (200, 128 * 1024));
        });
        let faults = json!({ "DOCUMENTS": { "part1": "hangs" } }).to_string();
        let hanging = member.with("Tests-Bindings", &faults);
        let form = FormData::default().file("file", "b.pdf", &pdf(LARGE));
        upload(&hanging, form).refused(503, "unavailable");
    });
    assert_eq!(documents(&tenant), 1);
    settled_by_sweep(&server, 1);
    assert_eq!(unfinished(&server.stop()), 0);
}

#[test]
fn a_download_that_loses_against_a_deletion_finds_nothing() {
    let server = server();
    let (tenant, member) = member(&server);
    let made = uploaded(&member, &pdf(1000), "a.pdf");
    let one = format!("{DOCUMENTS}/{}", made["id"].as_str().unwrap());
    // The read is recorded, and then the document is deleted before its object is read.
    let faults = json!({ "DOCUMENTS": { "get": "waits" } }).to_string();
    let late = member.with("Tests-Bindings", &faults);
    let answer = thread::scope(|scope| {
        let reading = scope.spawn(|| late.get(&content(&made["id"])));
        wait::until("the download begins", || tenant.audit("document.read").len() == 1);
        member.delete(&one).expect(204);
        reading.join().unwrap()
    });
    answer.refused(404, "not_found");

    // The document is deleted before the read is recorded.
    let made = uploaded(&member, &pdf(1000), "b.pdf");
    let deleted = "UPDATE documents SET state = 'deleted', sealed = NULL WHERE id = ?1";
    let late = member.overtaken_by(deleted, &[made["id"].as_str().unwrap()]);
    let answer = late.get(&content(&made["id"]));
    answer.refused(404, "not_found");
    assert_eq!(tenant.audit("document.read").len(), 1);

    // An object that is missing although its document is there is a fault, and stays one.
    let made = uploaded(&member, &pdf(1000), "c.pdf");
    let name = format!("documents/{}", made["id"].as_str().unwrap());
    let lost = json!({ "name": name, "lose": true }).to_string();
    let client = server.client();
    let done = client.exchange("POST", "/.tests/bucket", Some(lost.as_bytes()));
    done.expect(200);
    let answer = member.get(&content(&made["id"]));
    answer.refused(500, "internal_error");
}
