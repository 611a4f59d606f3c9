//! What is on the disk: nothing in the clear, and nothing that can be changed unseen.

use super::remains::{blobs, documents, member, objects};
use super::{DOCUMENTS, content, pdf, upload, uploaded};
use overturn_tests::host;
use overturn_tests::prelude::*;
use overturn_tests::wire::Raw;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Text that only an uploaded file has.
const CONTENT: &str = "CANARY-CONTENT-5f1e";
/// Text that only the name of a file has.
const NAME: &str = "CANARY-NAME-5f1e";

fn server() -> Server {
    let vars = json!({ "SCANNER": "none", "LIMITS": "unlimited" });
    Server::start(State::fresh(), &vars)
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn no_file_on_the_disk_has_a_name_or_a_content_in_the_clear() {
    let server = server();
    let (tenant, member) = member(&server);
    let mut ids = Vec::new();
    for length in [100, 200_000, 6_000_000] {
        let line = format!("{CONTENT} line of a letter\n");
        let text = line.repeat(length / line.len() + 1);
        let form =
            FormData::default().text("kind", "medical_record").file("file", &format!("{NAME}.txt"), text.as_bytes());
        let answer = upload(&member, form);
        answer.expect(201);
        assert_eq!(answer.json["name"], format!("{NAME}.txt"));
        let id = &answer.json["id"];
        assert_eq!(member.exchange("GET", &content(id), None).body, text.as_bytes());
        ids.push(id.as_str().unwrap().to_owned());
    }
    assert_eq!(documents(&tenant), 3);
    let lines = server.log().lines();
    let state = server.stop();
    for line in lines {
        assert!(!line.contains(CONTENT) && !line.contains(NAME), "{line}");
    }
    let (mut bytes, mut known) = (0, 0);
    for file in state.files() {
        let content = fs::read(&file).unwrap();
        bytes += content.len();
        known += ids.iter().filter(|id| has(&content, id)).count();
        for canary in [CONTENT, NAME] {
            assert!(!has(&content, canary), "{canary} in {}", file.display());
        }
    }
    // The search sees the objects and the rows: the ids are in the clear.
    assert!(bytes > 6_000_000 && known >= ids.len(), "{bytes} {known}");
    // On workerd, each part of the large one is a file.
    let files = if host::is_native() { 3 } else { 4 };
    assert_eq!(blobs(&state).len(), files);
}

#[test]
fn a_kept_answer_has_no_name() {
    let server = server();
    let (tenant, member) = member(&server);
    let bulk = format!("{DOCUMENTS}/bulk");
    for (target, key, pointer) in [
        (DOCUMENTS, "0d7c7c52-0f5a-4a5e-8f1b-1f3c5d9a7e01", "/name"),
        (&bulk, "0d7c7c52-0f5a-4a5e-8f1b-1f3c5d9a7e02", "/results/0/document/name"),
    ] {
        let sender = member.with("Idempotency-Key", key).with("Content-Type", FormData::CONTENT_TYPE);
        let name = format!("{NAME}.txt");
        let form = || FormData::default().file("file", &name, b"A letter.\n");
        let first = sender.post(target, form().end());
        let shown = first.json.pointer(pointer);
        assert_eq!((first.status, shown), (201, Some(&json!(name))), "{target}");
        let again = sender.post(target, form().end());
        again.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        let shown = again.json.pointer(pointer);
        assert_eq!(shown, Some(&Value::Null), "{target}");
        let id = pointer.replace("name", "id");
        assert_eq!(again.json.pointer(&id), first.json.pointer(&id), "{target}");
    }
    assert_eq!((documents(&tenant), objects(&server)), (2, 2), "the second file is removed at once");
    let listed = member.get(DOCUMENTS);
    assert_eq!(listed.json["documents"][0]["name"], format!("{NAME}.txt"), "the document has its name still");
    let answers = server.database().rows("SELECT * FROM answers", &[]);
    assert!(answers.len() >= 2);
    for row in answers {
        assert!(!row.to_string().contains(NAME), "{row}");
    }
    for file in server.stop().files() {
        let content = fs::read(&file).unwrap();
        assert!(!has(&content, NAME), "{}", file.display());
    }
}

/// A document and the files of its object.
struct Kept {
    id: Value,
    bytes: Vec<u8>,
    files: Vec<PathBuf>,
}

fn kept(server: &Server, member: &Client, length: usize) -> Kept {
    let before: BTreeSet<PathBuf> = blobs(server.state()).into_iter().collect();
    let bytes = pdf(length);
    let id = uploaded(member, &bytes, "a.pdf")["id"].clone();
    let mut files = blobs(server.state());
    files.retain(|file| !before.contains(file));
    // The part that comes first is the longest one.
    files.sort_by_key(|file| std::cmp::Reverse(fs::metadata(file).unwrap().len()));
    Kept { id, bytes, files }
}

/// A download that may break off: `None` if it does.
fn download(client: &Client, id: &Value) -> Option<Raw> {
    let mut connection = client.connect();
    let head = client.head("GET", &content(id));
    connection.write(format!("{head}\r\n").as_bytes()).unwrap();
    connection.read(false).ok()
}

/// The rows about records that were changed.
fn noticed(tenant: &Tenant<'_>) -> usize {
    tenant.audit("record.tampered").len()
}

/// Waits until there are this many of them. They are written after the answer.
fn noticed_by_now(tenant: &Tenant<'_>, rows: usize, what: &str) {
    wait::until(what, || noticed(tenant) == rows);
}

/// Checks that a change of a document is noticed when it is read, and then takes it back.
fn changed(tenant: &Tenant<'_>, client: &Client, kept: &Kept, what: &str, change: impl Fn(&Kept)) {
    let sealed: Vec<_> = kept.files.iter().map(|file| fs::read(file).unwrap()).collect();
    // A binding of its own makes a new instance: each instance reports a record once.
    let client = &client.with("Tests-Bindings", "{}");
    let before = noticed(tenant);
    change(kept);
    if let Some(raw) = download(client, &kept.id) {
        assert!(raw.status >= 500, "{what}: {}", raw.status);
    }
    noticed_by_now(tenant, before + 1, what);
    let rows = tenant.audit("record.tampered");
    assert_eq!(rows[before]["record"], kept.id, "{what}");
    for (file, bytes) in kept.files.iter().zip(sealed) {
        fs::write(file, bytes).unwrap();
    }
    let read = download(client, &kept.id).unwrap();
    assert!(read.status == 200 && read.body == kept.bytes, "{what}: taken back");
}

/// Changes one byte of a file.
fn flip(file: &PathBuf, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_changed_object_is_noticed_and_never_sent_as_whole() {
    let server = server();
    let (tenant, member) = member(&server);
    for length in [1000, 300_000, 6_000_000] {
        let (one, other) = (kept(&server, &member, length), kept(&server, &member, length));
        assert_eq!(one.bytes, other.bytes);
        let changed = |what: &str, change: &dyn Fn(&Kept)| {
            changed(&tenant, &member, &one, &format!("{what}, {length}"), change);
        };
        changed("first byte", &|one| flip(&one.files[0], 0));
        changed("another document's object", &|one| {
            for (to, from) in one.files.iter().zip(&other.files) {
                fs::copy(from, to).unwrap();
            }
        });
        let last = fs::metadata(&one.files[0]).unwrap().len() - 1;
        let last = usize::try_from(last).unwrap();
        changed("last byte of a part", &|one| flip(&one.files[0], last));
        changed("zeros", &|one| fs::write(&one.files[0], vec![0; last + 1]).unwrap());
        if length > 262_200 {
            changed("chunks in another order", &|one| {
                let mut bytes = fs::read(&one.files[0]).unwrap();
                let chunk = 128 * 1024 + 16;
                let (first, rest) = bytes.split_at_mut(chunk);
                first.swap_with_slice(&mut rest[..chunk]);
                fs::write(&one.files[0], bytes).unwrap();
            });
        }
    }
}

#[test]
fn a_shorter_object_is_noticed() {
    let server = server();
    let (tenant, member) = member(&server);
    for (length, cuts) in [(1000, &[1, 1016][..]), (300_000, &[1, 200_000]), (6_000_000, &[1000, 5_000_000])] {
        for cut in cuts {
            let made = uploaded(&member, &pdf(length), "a.pdf");
            let name = format!("documents/{}", made["id"].as_str().unwrap());
            let body = json!({ "name": name, "cut": cut }).to_string();
            let client = server.client();
            let raw = client.exchange("POST", "/.tests/bucket", Some(body.as_bytes()));
            raw.expect(200);
            let before = noticed(&tenant);
            if let Some(raw) = download(&member, &made["id"]) {
                assert!(raw.status >= 500, "{length} without {cut}: {}", raw.status);
            }
            noticed_by_now(&tenant, before + 1, &format!("{length} without {cut}"));
        }
    }
}

#[test]
fn a_practice_without_an_agreement_has_no_documents() {
    let server = server();
    let tenant = Tenant::new(&server);
    let worker = Worker::on(&tenant);
    let owner = tenant.owner();
    let made = uploaded(&owner, &pdf(1000), "a.pdf");
    let id = made["id"].as_str().unwrap();
    let one = format!("{DOCUMENTS}/{id}");
    let of_staff = worker.of_practice("documents");
    let reads = |status: u16| {
        for target in [DOCUMENTS, &one, &content(&made["id"])] {
            assert_eq!(owner.exchange("GET", target, None).status, status, "{target}");
        }
        for what in ["", &format!("/{id}"), &format!("/{id}/content")] {
            let raw = worker.client.exchange("GET", &format!("{of_staff}{what}"), None);
            assert_eq!(raw.status, status, "staff, {what}");
        }
    };
    let form = || FormData::default().file("file", "b.pdf", &pdf(2000));
    let of_staff_form = || {
        let form = FormData::default().text("practice_id", &tenant.id.to_string());
        form.file("file", "b.pdf", &pdf(2000))
    };
    reads(200);
    for ended in [
        "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1 AND ended_at IS NULL",
        "UPDATE practices SET state = 'inactive' WHERE id = ?1",
    ] {
        tenant.change(ended, &[]);
        reads(403);
        upload(&owner, form()).expect(403);
        upload(&worker.client, of_staff_form()).expect(403);
        owner.delete(&one).expect(403);
    }
    assert_eq!((documents(&tenant), blobs(server.state()).len()), (1, 1));
    // The owner's download, and what staff were shown and downloaded.
    assert_eq!(tenant.audit("document.read").len(), 3);
}
