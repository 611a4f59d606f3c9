//! `POST /api/v1/documents/bulk`.

use super::{SERVER, pdf};
use overturn_tests::prelude::*;

fn upload_all(client: &Client, form: FormData) -> Answer {
    let client = client.with("Content-Type", FormData::CONTENT_TYPE);
    client.post("/api/v1/documents/bulk", form.end())
}

#[test]
fn one_bad_file_fails_no_other_and_the_manifest_ties_each_to_its_claim() {
    let tenant = Tenant::new(&SERVER);
    tenant.send(&item("A-1"));
    let member = tenant.member();
    let manifest = json!({
        "first": { "claim_number": "A-1", "kind": "remittance" },
        "third": { "claim_number": "NO-SUCH" },
    });
    let form = FormData::default()
        .file("first", "a.pdf", &pdf(1000))
        .file("second", "b.exe", b"MZ\x90\x00\x03\x00\x00\x00")
        .text("manifest", &manifest.to_string())
        .file("third", "c.pdf", &pdf(1000))
        .file("fourth", "d.txt", b"A letter.\n");
    let answer = upload_all(&member, form);
    answer.expect(201);
    let results = answer.json["results"].as_array().unwrap();
    let statuses: Vec<_> = results.iter().map(|one| one["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["stored", "refused", "refused", "stored"]);
    assert_eq!(results[0]["document"]["claim_number"], "A-1");
    assert_eq!(results[1]["error"]["code"], "validation_failed");
    assert_eq!(results[3]["document"]["content_type"], "text/plain");
    assert_eq!(tenant.audit("document.uploaded").len(), 2);
}

#[test]
fn where_nothing_was_stored_the_answer_is_422() {
    let tenant = Tenant::new(&SERVER);
    let member = tenant.member();
    let form = FormData::default().file("a", "b.exe", b"MZ\x90\x00\x03\x00\x00\x00");
    let answer = upload_all(&member, form);
    answer.expect(422);
    assert_eq!(answer.json["results"][0]["status"], "refused");
    let many = (0..21).fold(FormData::default(), |form, n| form.file(&format!("f{n}"), "a.txt", b"text"));
    upload_all(&member, many).refused(422, "validation_failed");
}

#[test]
fn a_bulk_upload_takes_no_part_that_would_not_count() {
    let tenant = Tenant::new(&SERVER);
    tenant.send(&item("A-1"));
    let member = tenant.member();
    let form = FormData::default().text("claim_number", "A-1").file("a", "a.txt", b"text");
    upload_all(&member, form).refused(422, "validation_failed");
    let unknown = json!({ "b": { "kind": "other" } }).to_string();
    let form = FormData::default().file("a", "a.txt", b"text").text("manifest", &unknown);
    upload_all(&member, form).refused(422, "validation_failed");
}
