//! The name, the content and the key of a document are where they belong: an upload, reads, and a search everywhere else.

use super::search::holds;
use overturn_core::base::id::DocumentId;
use overturn_core::base::sealed::SealedPlace;
use overturn_service::plan::documents::SealedPart;
use overturn_tests::prelude::*;
use overturn_tests::sealed::opened;
use overturn_tests::tenant::keyring;
use std::fs;
use std::sync::Arc;

const DOCUMENTS: &str = "/api/v1/documents";
const FILE_NAME: &str = "Qanaryletter.txt";
const NAME: &str = "Qanaryletter";
const CONTENT: &str = "Qanarycontent";
/// Text in parts that do not belong there.
const JUNK: &str = "Qanaryjunk";

fn upload(client: &Client, target: &str, form: FormData) -> Answer {
    let client = client.with("Content-Type", FormData::CONTENT_TYPE);
    client.post(target, form.end())
}

/// A form with one file, whose name and content have canaries.
fn form(content: &str) -> FormData {
    FormData::default().file("file", FILE_NAME, content.as_bytes())
}

/// Uploads that are refused, and reads that show neither name nor content.
fn unseen(owner: &Client, worker: &Worker<'_>, id: &str) -> Vec<Answer> {
    let bulk = format!("{DOCUMENTS}/bulk");
    let of_staff = worker.of_practice("documents");
    let broken = owner.with("Tests-Database", r#"{"1+": {"fails": "near Qanaryjunk"}}"#);
    let program = format!("MZ\u{90}\0\u{3}\0 {CONTENT}");
    vec![
        upload(owner, DOCUMENTS, form(&program)),
        upload(owner, DOCUMENTS, form(CONTENT).text(JUNK, JUNK)),
        upload(owner, DOCUMENTS, form(CONTENT).text("claim_number", JUNK)),
        upload(owner, DOCUMENTS, form(CONTENT).text("kind", JUNK)),
        upload(owner, &bulk, form(CONTENT).text("manifest", JUNK)),
        upload(owner, &bulk, form(&program)),
        upload(&broken, DOCUMENTS, form(CONTENT)),
        upload(&worker.client, DOCUMENTS, form(CONTENT)),
        worker.client.get(&of_staff),
        owner.get(&format!("{DOCUMENTS}?claim_number={JUNK}&kind={JUNK}")),
        owner.get(&format!("{DOCUMENTS}/{JUNK}")),
        owner.get("/api/v1/settings/audit?limit=100"),
        owner.delete(&format!("{DOCUMENTS}/{id}")),
        owner.get(&format!("{DOCUMENTS}?state=deleted")),
    ]
}

/// Opens the sealed value of a document. A new part of it does not compile without a canary. Returns the key of its object
/// in hexadecimal.
fn key_of(tenant: &Tenant<'_>, id: &str) -> String {
    let row = tenant.rows("SELECT * FROM documents WHERE practice_id = ?1 AND id = ?2", &[id]);
    let place = SealedPlace::Document { practice: tenant.id, id: DocumentId(id.parse().unwrap()) };
    let text = opened(tenant, &keyring(), place, &row[0]);
    let SealedPart { name, key } = serde_json::from_slice(&text).unwrap();
    assert_eq!(name, FILE_NAME);
    key
}

fn stored(state: &State, canaries: &[&str]) -> Option<String> {
    state.files().into_iter().find_map(|file| {
        let bytes = fs::read(&file).unwrap_or_default();
        let found = canaries.iter().find(|canary| holds(&bytes, canary));
        found.map(|canary| format!("{canary} in {}", file.display()))
    })
}

#[test]
fn nothing_of_a_document_is_where_it_does_not_belong() {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let tenant = Tenant::new(&server);
    let owner = tenant.owner();
    let worker = Worker::on(&tenant);
    let made = upload(&owner, DOCUMENTS, form(&format!("A letter: {CONTENT}\n")));
    made.expect(201);
    let id = made.id().to_owned();
    let one = format!("{DOCUMENTS}/{id}");
    let of_staff = format!("{}/{id}", worker.of_practice("documents"));
    // The search does find what is shown.
    for (client, target) in [(&owner, &one), (&worker.client, &of_staff)] {
        assert!(holds(client.get(target).text().as_bytes(), NAME), "{target}");
        let read = client.exchange("GET", &format!("{target}/content"), None);
        assert!(holds(&read.body, CONTENT), "{target}");
    }
    let key = key_of(&tenant, &id);
    let canaries = [NAME, CONTENT, JUNK, &key];
    let unseen = unseen(&owner, &worker, &id);
    let mut refused = 0;
    for answer in &unseen {
        refused += usize::from(answer.status >= 400);
        let said = format!("{:?} {}", answer.headers, answer.text());
        let found = canaries.iter().find(|canary| holds(said.as_bytes(), canary));
        assert_eq!(found, None, "{} {said}", answer.status);
    }
    assert_eq!(refused, 10);
    assert_eq!(stored(server.state(), &canaries), None);
    let log = Arc::clone(server.log());
    assert_eq!(stored(&server.stop(), &canaries), None);
    let lines = log.lines();
    assert!(lines.len() > unseen.len());
    for line in &lines {
        let said = canaries.iter().find(|canary| holds(line.as_bytes(), canary));
        assert_eq!(said, None, "{line}");
    }
}
