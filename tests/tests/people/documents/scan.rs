//! The virus scan, by a real clamd that knows only the EICAR file, and by scanners that misbehave.

use super::remains::{documents, member, settled, sweep, unfinished};
use super::{DOCUMENTS, content, pdf, upload, uploaded};
use overturn_tests::clamd::{Clamd, FakeClamd, Manner, eicar};
use overturn_tests::prelude::*;
use sha2::{Digest, Sha256};

/// A file of three megabytes has many chunks.
const LARGE: usize = 3_000_000;

/// A PDF of about this many bytes that has the EICAR file at its very end.
fn infected(length: usize) -> Vec<u8> {
    [pdf(length), eicar(), b"\n%%EOF\n".to_vec()].concat()
}

/// A server that scans as these variables say, and waits at most a second for each step.
fn scanning(scanner: &Value) -> Server {
    let mut vars = scanner.clone();
    for name in ["CONNECT", "WRITE", "VERDICT"] {
        vars[format!("SCANNER_{name}_SECONDS")] = json!("1");
    }
    Server::start(State::fresh(), &vars)
}

/// A server that waits as long as it does by default, for scans that succeed on a busy machine.
fn patient(clamd: &Clamd) -> Server {
    Server::start(State::fresh(), &clamd.vars())
}

/// Uploads a file that cannot be scanned, and checks that it cannot be read.
fn quarantined(client: &Client, bytes: &[u8]) -> Value {
    let made = uploaded(client, bytes, "a.pdf");
    assert_eq!(made["state"], "quarantined");
    client.get(&content(&made["id"])).refused(409, "conflict");
    made["id"].clone()
}

fn state(client: &Client, id: &Value) -> Value {
    let read = client.get(&format!("{DOCUMENTS}/{}", id.as_str().unwrap()));
    read.expect(200);
    read.json["state"].clone()
}

/// Runs the scheduled job as if the scan of every document were due.
fn scan_again(tenant: &Tenant<'_>) {
    let due = "UPDATE documents SET scan_at = 1 WHERE practice_id = ?1 AND scan_at IS NOT NULL";
    tenant.change(due, &[]);
    sweep(tenant.server);
}

fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn of_an_infected_file_nothing_is_kept_but_its_digest() {
    let clamd = Clamd::start();
    let server = patient(&clamd);
    let (tenant, member) = member(&server);
    let clean = uploaded(&member, &pdf(LARGE), "a.pdf");
    assert_eq!(clean["state"], "available");
    // The finding comes in the first chunk, in the last one of a file in one piece, and in the last part of a large object.
    let files = [eicar(), infected(100), infected(600_000), infected(LARGE), infected(6_000_000)];
    for (n, bytes) in files.iter().enumerate() {
        let form = FormData::default().file("file", "b.pdf", bytes);
        assert_eq!(upload(&member, form).nested(422).0, "virus_detected", "{n}");
        assert_eq!(documents(&tenant), 1, "{n}");
        settled(&server, 1);
        let rows = tenant.audit("document.infected");
        assert_eq!(rows.len(), n + 1);
        let detail: Value = serde_json::from_str(rows[n]["detail"].as_str().unwrap()).unwrap();
        assert_eq!(detail["sha256"], hex(bytes));
    }
    let read = member.exchange("GET", &content(&clean["id"]), None);
    assert_eq!(read.body, pdf(LARGE));
    assert_eq!(unfinished(&server.stop()), 0);
}

#[test]
fn an_infected_file_fails_no_other_of_its_form() {
    let clamd = Clamd::start();
    let server = patient(&clamd);
    let (tenant, member) = member(&server);
    let form = FormData::default().file("first", "a.pdf", &pdf(1000)).file("second", "b.pdf", &infected(1000)).file(
        "third",
        "c.pdf",
        &pdf(2000),
    );
    let member = member.with("Content-Type", FormData::CONTENT_TYPE);
    let answer = member.post("/api/v1/documents/bulk", form.end());
    answer.expect(201);
    let results = answer.json["results"].as_array().unwrap();
    let statuses: Vec<_> = results.iter().map(|one| one["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["stored", "refused", "stored"]);
    assert_eq!(results[1]["error"]["code"], "virus_detected");
    assert_eq!((documents(&tenant), tenant.audit("document.infected").len()), (2, 1));
    settled(&server, 2);
}

#[test]
fn a_file_waits_for_a_scanner_that_is_away() {
    let mut clamd = Clamd::start();
    let server = patient(&clamd);
    let (tenant, member) = member(&server);
    clamd.kill();
    let clean = quarantined(&member, &pdf(LARGE));
    let bad = quarantined(&member, &infected(LARGE));
    // It is not scanned before its time, and a scan without an answer changes nothing.
    scan_again(&tenant);
    assert_eq!(state(&member, &clean), "quarantined");
    let again = "SELECT count(*) AS n FROM documents WHERE practice_id = ?1 AND scan_at > 1000";
    assert_eq!(tenant.number(again), 2);
    clamd.restart();
    sweep(&server);
    assert_eq!(state(&member, &clean), "quarantined");

    scan_again(&tenant);
    assert_eq!(state(&member, &clean), "available");
    assert_eq!(state(&member, &bad), "infected");
    let read = member.exchange("GET", &content(&clean), None);
    assert_eq!(read.body, pdf(LARGE));
    member.get(&content(&bad)).refused(404, "not_found");
    assert_eq!(tenant.audit("document.released").len(), 1);
    let rows = tenant.audit("document.infected");
    let detail: Value = serde_json::from_str(rows[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!((rows.len(), &detail["sha256"]), (1, &hex(&infected(LARGE)).into()));
    let sealed = "SELECT count(*) AS n FROM documents WHERE practice_id = ?1 AND sealed IS NOT NULL";
    assert_eq!(tenant.number(sealed), 1, "the key of an infected object is gone");
    // Only the clean object is left, and the scanner scans again.
    sweep(&server);
    settled(&server, 1);
    assert_eq!(uploaded(&member, &pdf(1000), "c.pdf")["state"], "available");
}

#[test]
fn a_file_does_not_wait_for_a_scanner_that_hangs() {
    let mut clamd = Clamd::start();
    let server = scanning(&clamd.vars());
    let (tenant, member) = member(&server);
    clamd.hang();
    let mut ids = Vec::new();
    for length in [1000, 6_000_000] {
        ids.push(quarantined(&member, &pdf(length)));
    }
    scan_again(&tenant);
    assert_eq!(state(&member, &ids[0]), "quarantined");
    clamd.restart();
    drop(server);
}

#[test]
fn only_the_one_answer_makes_a_file_available() {
    let manners =
        [Manner::SaysAtOnce(b"stream: OK\0"), Manner::Says(b"HTTP/1.1 200 OK\r\n\r\nstream: OK\0"), Manner::Silent];
    for manner in manners {
        let fake = FakeClamd::start(manner);
        let server = scanning(&fake.vars());
        let (tenant, member) = member(&server);
        // More than the connection holds, so an early answer comes before the end of the file.
        let id = quarantined(&member, &pdf(12_000_000));
        scan_again(&tenant);
        assert_eq!(state(&member, &id), "quarantined", "{manner:?}");
        assert_eq!(tenant.audit("document.released").len(), 0);
        fake.wait_closed(2);
    }
}

#[test]
fn a_file_over_a_limit_of_the_scanner_is_quarantined() {
    let clamd = Clamd::with_limits("1M", "60M");
    let server = patient(&clamd);
    let (tenant, member) = member(&server);
    assert_eq!(uploaded(&member, &pdf(500_000), "a.pdf")["state"], "available");
    for bytes in [pdf(LARGE), infected(LARGE)] {
        let id = quarantined(&member, &bytes);
        scan_again(&tenant);
        assert_eq!(state(&member, &id), "quarantined");
    }
}

#[test]
fn only_a_scanner_that_says_what_it_did_not_look_at_is_believed() {
    for clamd in
        [Clamd::without("AlertExceedsMax"), Clamd::without("AlertEncryptedDoc"), Clamd::with_limits("60M", "49M")]
    {
        let server = patient(&clamd);
        let (tenant, member) = member(&server);
        let id = quarantined(&member, &pdf(1000));
        scan_again(&tenant);
        assert_eq!(state(&member, &id), "quarantined");
        assert_eq!(tenant.audit("document.released").len(), 0);
        let health = server.client().get("/health");
        assert_eq!(health.json["scanner"], "misconfigured");
        // What it finds counts nevertheless.
        let form = FormData::default().file("file", "b.pdf", &infected(1000));
        upload(&member, form).refused(422, "virus_detected");
    }
}

#[test]
fn a_document_that_the_bucket_breaks_off_is_not_clean() {
    let mut clamd = Clamd::start();
    let server = patient(&clamd);
    let (tenant, member) = member(&server);
    clamd.kill();
    let id = quarantined(&member, &infected(LARGE));
    clamd.restart();
    let due = "UPDATE documents SET scan_at = 1 WHERE practice_id = ?1 AND scan_at IS NOT NULL";
    tenant.change(due, &[]);
    let faults = json!({ "DOCUMENTS": { "get": { "breaks": 1_000_000 } } }).to_string();
    let client = server.client().with("Tests-Bindings", &faults);
    let swept = client.exchange("POST", "/.tests/sweep", Some(b""));
    swept.expect(204);
    assert_eq!(state(&member, &id), "quarantined");
    scan_again(&tenant);
    assert_eq!(state(&member, &id), "infected");
}
