//! What staff do with documents.

use super::remains::{blobs, loose, objects};
use super::{DOCUMENTS, SERVER, pdf, upload, uploaded};
use overturn_tests::prelude::*;

#[test]
fn staff_read_attach_and_upload_and_the_practice_sees_which() {
    let tenant = Tenant::new(&SERVER);
    let worker = Worker::on(&tenant);
    let claims = worker.reviewed(&["A-1"]);
    let owner = tenant.owner();
    let staff = &worker.client;
    let practice = tenant.id.to_string();
    let made = uploaded(&owner, &pdf(1000), "Jane Doe.pdf");
    let base = format!("/api/v1/staff/practices/{practice}");
    let listed = staff.get(&format!("{base}/documents"));
    assert_eq!(listed.json["documents"][0]["name"], Value::Null);
    let id = made["id"].as_str().unwrap();
    let one = staff.get(&format!("{base}/documents/{id}"));
    assert_eq!(one.json["name"], "Jane Doe.pdf");
    let read = staff.exchange("GET", &format!("{base}/documents/{id}/content"), None);
    assert_eq!(read.body, pdf(1000));
    assert_eq!(tenant.audit("document.read").len(), 2);

    let case = worker.open(&claims, Some("2030-01-01"));
    case.expect(201);
    let case = case.id();
    let body = json!({ "document_id": id }).to_string();
    let target = format!("{base}/cases/{case}/documents");
    staff.post(&target, &body).expect(204);
    staff.post(&target, &body).expect(204);
    let shown = owner.get(&format!("{DOCUMENTS}/{id}"));
    assert_eq!(shown.json["cases"], json!([case]));
    let gone = staff.delete(&format!("{target}/{id}"));
    gone.expect(204);
    assert_eq!(owner.get(&format!("{DOCUMENTS}/{id}")).json["cases"], json!([]));

    let form = || FormData::default().file("file", "fax.pdf", &pdf(2000));
    upload(staff, form()).refused(422, "validation_failed");
    let form = FormData::default().text("practice_id", &practice).text("claim_id", &claims[0]).file(
        "file",
        "fax.pdf",
        &pdf(2000),
    );
    let answer = upload(staff, form);
    answer.expect(201);
    assert_eq!(answer.json["uploaded_by"], "staff");
    assert_eq!(owner.get(DOCUMENTS).json["documents"].as_array().unwrap().len(), 2);
}

#[test]
fn staff_upload_only_for_one_practice_whose_data_may_be_stored() {
    let tenant = Tenant::new(&SERVER);
    let other = Tenant::new(&SERVER);
    let staff = Person::staff(&SERVER).client();
    let form = |practices: &[&str]| {
        let named = practices.iter().fold(FormData::default(), |form, id| form.text("practice_id", id));
        named.file("file", "fax.pdf", &pdf(2000))
    };
    let (own, others) = (tenant.id.to_string(), other.id.to_string());
    upload(&staff, form(&[&own, &others])).refused(422, "validation_failed");
    let bulk = staff.with("Content-Type", FormData::CONTENT_TYPE);
    let twice = form(&[&own]).text("practice_id", &others).end();
    let answer = bulk.post("/api/v1/documents/bulk", twice);
    answer.refused(422, "validation_failed");
    let unknown = "01a202f1-cebf-7eec-a4f5-b2b1130f5505";
    upload(&staff, form(&[unknown])).refused(404, "not_found");
    let unsigned = Tenant::on(&SERVER, Terms { signed: false, ..Terms::default() });
    let answer = upload(&staff, form(&[&unsigned.id.to_string()]));
    answer.expect(403);
    assert_eq!(tenant.count("documents"), 0);
}

/// A practice that staff cannot upload for is refused when its file begins: the rest of the form never comes.
#[test]
fn staff_upload_only_for_an_active_practice_with_an_agreement() {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let tenant = Tenant::new(&server);
    let worker = Worker::on(&tenant);
    let on = |active, signed| {
        let terms = Terms { active, signed, ..Terms::default() };
        Tenant::on(&server, terms).id.to_string()
    };
    for (what, practice, status) in [
        ("no agreement", on(true, false), 403),
        ("inactive", on(false, true), 403),
        ("unknown", "019aa33c-7d10-7c41-9b2a-8f1e2d3c4b5a".to_owned(), 404),
    ] {
        for target in [DOCUMENTS, "/api/v1/documents/bulk"] {
            let form = FormData::default().text("practice_id", &practice);
            let form = form.file("file", "fax.pdf", &pdf(2_000_000)).end();
            let sender = worker
                .client
                .with("Content-Type", FormData::CONTENT_TYPE)
                .with("Content-Length", &form.len().to_string());
            let mut connection = sender.connect();
            let head = sender.head("POST", target);
            connection.write(format!("{head}\r\n").as_bytes()).unwrap();
            connection.write(&form[..4000]).unwrap();
            let answer = connection.read(false).unwrap();
            let text = String::from_utf8_lossy(&answer.body);
            assert_eq!(answer.status, status, "{what}: {text}");
        }
    }
    assert_eq!((objects(&server), loose(&server)), (0, 0));
    assert_eq!(blobs(server.state()).len(), 0);
    let rows = server.database().number("SELECT count(*) AS n FROM documents", &[]);
    assert_eq!(rows, 0);
}
