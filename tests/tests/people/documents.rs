//! `/api/v1/documents`: what a practice uploads and reads.

mod bulk;
mod downloads;
mod faults;
mod hostile;
mod leaks;
mod remains;
mod retention;
mod scan;
mod staff;
mod unpacked;

use overturn_tests::prelude::*;
use std::sync::LazyLock;

pub(crate) const DOCUMENTS: &str = "/api/v1/documents";

/// A server without a scanner, whose documents become available at once, as `cargo xtask dev --scanner none` serves them.
pub(crate) static SERVER: LazyLock<Server> = LazyLock::new(|| Server::lasting(&json!({ "SCANNER": "none" })));

/// A PDF of about this many bytes.
pub(crate) fn pdf(length: usize) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n".to_vec();
    let mut seed = 7_u32;
    while bytes.len() < length {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // No byte of it begins a name.
        bytes.push((seed >> 24) as u8 | 0x80);
    }
    bytes.extend_from_slice(b"\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n");
    bytes
}

pub(crate) fn upload(client: &Client, form: FormData) -> Answer {
    let client = client.with("Content-Type", FormData::CONTENT_TYPE);
    client.post(DOCUMENTS, form.end())
}

pub(crate) fn uploaded(client: &Client, bytes: &[u8], name: &str) -> Value {
    let answer = upload(client, FormData::default().file("file", name, bytes));
    answer.expect(201);
    answer.json.clone()
}

pub(crate) fn content(id: &Value) -> String {
    format!("{DOCUMENTS}/{}/content", id.as_str().unwrap())
}

#[test]
fn a_document_comes_back_as_it_was_sent() {
    let tenant = Tenant::new(&SERVER);
    tenant.send(&item("A-1"));
    let member = tenant.member();
    for length in [100, 128 * 1024, 300_000, 1_500_000, 12_000_000] {
        let bytes = pdf(length);
        let form = FormData::default().text("claim_number", "A-1").text("kind", "denial_letter").file(
            "file",
            "Brief an Müller.PDF",
            &bytes,
        );
        let answer = upload(&member, form);
        answer.expect(201);
        let made = &answer.json;
        assert_eq!(made["state"], "available");
        assert_eq!(made["content_type"], "application/pdf");
        assert_eq!(made["size"], bytes.len());
        assert_eq!(made["claim_number"], "A-1");
        let read = member.exchange("GET", &content(&made["id"]), None);
        read.expect(200);
        assert_eq!(read.body, bytes, "{length}");
        assert_eq!(read.header("cache-control"), Some("no-store"));
        assert_eq!(read.header("x-content-type-options"), Some("nosniff"));
        let disposition = read.header("content-disposition").unwrap();
        assert!(disposition.starts_with("attachment;"), "{disposition}");
        assert!(disposition.contains("filename*=UTF-8''Brief%20an%20M%C3%BCller"), "{disposition}");
    }
    assert_eq!(tenant.audit("document.uploaded").len(), 5);
    assert_eq!(tenant.audit("document.read").len(), 5);
}

#[test]
fn a_range_opens_only_its_chunks() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let bytes = pdf(700_000);
    let made = uploaded(&member, &bytes, "a.pdf");
    let last = bytes.len() - 1;
    for (range, from, to) in [
        ("bytes=0-0", 0, 0),
        ("bytes=131071-131072", 131_071, 131_072),
        ("bytes=200000-", 200_000, last),
        ("bytes=-5", last - 4, last),
    ] {
        let read = member.with("Range", range).exchange("GET", &content(&made["id"]), None);
        assert_eq!(read.status, 206, "{range}");
        assert_eq!(read.body, bytes[from..=to], "{range}");
        let said = format!("bytes {from}-{to}/{}", bytes.len());
        assert_eq!(read.header("content-range"), Some(&*said));
    }
    let head = member.exchange("HEAD", &content(&made["id"]), None);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("accept-ranges"), Some("bytes"));
    let beyond = member.with("Range", "bytes=9000000-");
    beyond.exchange("GET", &content(&made["id"]), None).expect(416);
}

#[test]
fn a_reader_who_has_the_document_gets_no_body_and_leaves_no_audit_row() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let bytes = pdf(1000);
    let made = uploaded(&member, &bytes, "a.pdf");
    let target = content(&made["id"]);
    let tag = format!("\"{}\"", made["sha256"].as_str().unwrap());
    let known = format!("\"other\", W/{tag}");
    for known in [&*tag, &known, "*"] {
        let reader = member.with("If-None-Match", known);
        let read = reader.exchange("GET", &target, None);
        assert_eq!((read.status, read.body.len()), (304, 0), "{known}");
        assert_eq!(read.header("etag"), Some(&*tag), "{known}");
        // The condition comes before the range.
        let ranged = reader.with("Range", "bytes=0-9");
        assert_eq!(ranged.exchange("GET", &target, None).status, 304, "{known}");
    }
    assert_eq!(tenant.audit("document.read").len(), 0);
    let other = member.with("If-None-Match", "\"other\"");
    let read = other.exchange("GET", &target, None);
    assert_eq!((read.status, &read.body), (200, &bytes));
    assert_eq!(tenant.audit("document.read").len(), 1);
    let stranger = Tenant::new(&SERVER);
    let stranger = stranger.owner();
    let stranger = stranger.with("If-None-Match", &tag);
    stranger.get(&target).refused(404, "not_found");
}

#[test]
fn another_practice_and_a_removed_member_find_no_document() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let made = uploaded(&member, &pdf(1000), "a.pdf");
    let other = Tenant::new(&SERVER);
    let stranger = other.owner();
    let one = format!("{DOCUMENTS}/{}", made["id"].as_str().unwrap());
    for target in [&one, &content(&made["id"])] {
        stranger.get(target).refused(404, "not_found");
    }
    stranger.delete(&one).expect(404);
    assert_eq!(stranger.get(DOCUMENTS).json["documents"], json!([]));
    SERVER.client().get(&one).expect(401);
    assert_eq!(member.get(DOCUMENTS).json["documents"][0]["name"], "a.pdf");
}

#[test]
fn a_repeated_upload_stores_nothing_twice() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let member = member.with("Idempotency-Key", "6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b11");
    let form = || FormData::default().file("file", "a.pdf", &pdf(5000));
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| upload(&member, form()));
        let second = scope.spawn(|| upload(&member, form()));
        (first.join().unwrap(), second.join().unwrap())
    });
    let third = upload(&member, form());
    third.expect(201);
    for answer in [first, second] {
        assert!([201, 409].contains(&answer.status), "{}", answer.text());
        if answer.status == 201 {
            // The answer that is kept does not have the name, which can name the patient.
            assert_eq!(answer.json["id"], third.json["id"]);
            assert_eq!(third.json["name"], Value::Null);
        }
    }
    let listed = member.get(DOCUMENTS);
    assert_eq!(listed.json["documents"].as_array().unwrap().len(), 1);
    let other = upload(&member, FormData::default().file("file", "a.pdf", &pdf(6000)));
    other.refused(422, "validation_failed");
}

#[test]
fn what_is_no_document_is_refused_with_the_rule() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let refused = |bytes: &[u8]| {
        let answer = upload(&member, FormData::default().file("file", "a.pdf", bytes));
        answer.refused(422, "validation_failed");
        answer.details().join("; ")
    };
    let launch = b"%PDF-1.7\n1 0 obj\n<< /S /Launch /F (calc.exe) >>\nendobj\n%%EOF\n";
    for bytes in [&b""[..], b"MZ\x90\x00\x03\x00\x00\x00", launch, b"PK\x03\x04nothing here"] {
        assert!(refused(bytes).starts_with("file "), "{}", refused(bytes));
    }
    let none = upload(&member, FormData::default().text("kind", "other"));
    assert_eq!(none.details(), ["file is required"]);
    let other = Tenant::new(&SERVER).send(&item("X-1"));
    let (practice, staff) = (tenant.id.to_string(), Person::staff(&SERVER).client());
    for (name, value) in [("claim_number", "NO-SUCH"), ("claim_number", "X-1"), ("claim_id", other.id(0))] {
        let form = || FormData::default().text(name, value).file("file", "a.pdf", &pdf(100));
        let by_staff =
            FormData::default().text("practice_id", &practice).text(name, value).file("file", "a.pdf", &pdf(100));
        for answer in [upload(&member, form()), upload(&staff, by_staff)] {
            assert_eq!(answer.details(), [format!("{name} must be a claim of the practice")], "{value}");
        }
    }
    assert_eq!(tenant.count("documents"), 0);
}

#[test]
fn a_file_over_fifty_megabytes_is_refused_while_it_streams() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let answer = upload(&member, FormData::default().file("file", "a.pdf", &pdf(53 << 20)));
    answer.refused(413, "file_too_large");
    let mut fits = pdf(50 << 20);
    fits.truncate(50 << 20);
    let made = uploaded(&member, &fits, "b.pdf");
    assert_eq!(made["state"], "available");
    fits.push(b'\n');
    let answer = upload(&member, FormData::default().file("file", "c.pdf", &fits));
    answer.refused(413, "file_too_large");
}
