//! What those who work send, and what they see.

use overturn_tests::prelude::*;
use overturn_tests::wire::Connection;
use std::collections::BTreeMap;
use uuid::Uuid;

const DENIALS: &str = "/api/v1/denials";

/// What staff wrote with an `Idempotency-Key`, and is sent again later.
pub(super) struct Noted {
    path: String,
    key: String,
    pub(super) id: Value,
}

impl Noted {
    pub(super) fn new(worker: &Worker, claim: &str) -> Self {
        let (path, key) = (worker.of_practice(&format!("claims/{claim}/notes")), Uuid::new_v4().to_string());
        let mut noted = Self { path, key, id: Value::Null };
        noted.id = noted.send(worker);
        noted
    }

    pub(super) fn send(&self, worker: &Worker) -> Value {
        let made = worker.client.with("Idempotency-Key", &self.key).post(&self.path, r#"{"text":"x"}"#);
        made.expect(201);
        made.json["id"].clone()
    }
}

/// An upload whose last bytes wait.
pub(super) struct Upload {
    connection: Connection,
    rest: Vec<u8>,
}

impl Upload {
    /// Sends all but so many bytes of a file.
    pub(super) fn begin(owner: &Client, path: &str, left: usize) -> Self {
        let mut form = FormData::default().file("file", "a.pdf", &pdf()).end();
        let sender = owner.with("Content-Type", FormData::CONTENT_TYPE).with("Content-Length", &form.len().to_string());
        let (mut connection, rest) = (sender.connect(), form.split_off(form.len() - left));
        connection.write(format!("{}\r\n", sender.head("POST", path)).as_bytes()).unwrap();
        connection.write(&form).unwrap();
        Self { connection, rest }
    }

    pub(super) fn end(mut self) {
        self.connection.write(&self.rest).unwrap();
        self.connection.read(false).unwrap().expect(201);
    }
}

/// Reads on from a cursor, and notes how often each claim came in each status.
pub(super) fn follow(reader: &Client, cursor: &mut String, seen: &mut BTreeMap<(String, String), usize>) {
    loop {
        let page = reader.get(&format!("{DENIALS}?changes_after={cursor}&limit=100"));
        page.expect(200);
        for claim in page.json["denials"].as_array().unwrap() {
            let text = |key: &str| claim[key].as_str().unwrap().to_owned();
            *seen.entry((text("claim_number"), text("status"))).or_default() += 1;
        }
        page.json["changes_cursor"].as_str().unwrap().clone_into(cursor);
        if page.json["more"] == false {
            return;
        }
    }
}

pub(super) fn pdf() -> Vec<u8> {
    b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n".to_vec()
}
