//! An HTTP client that checks every answer.

use crate::database::statement;
use crate::wire::{Connection, Raw};
use overturn_service::request::csv::MEDIA_TYPE;
use overturn_service::request::reason::Reason;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// A client with its own headers. It keeps its connections open.
#[derive(Debug)]
pub struct Client {
    port: u16,
    headers: Vec<(String, String)>,
    idle: Mutex<Vec<Connection>>,
}

impl Client {
    pub fn new(port: u16) -> Self {
        Self { port, headers: Vec::new(), idle: Mutex::default() }
    }

    /// The same client with one more header, or another value for it.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut headers = self.headers.clone();
        headers.retain(|(known, _)| known != name);
        headers.push((name.into(), value.into()));
        Self { headers, ..Self::new(self.port) }
    }

    /// The same client, whose second batch, the commit, runs and loses its answer.
    pub fn losing_commit(&self) -> Self {
        self.faulty(&json!({ "2": { "loses": "D1_ERROR: Network connection lost." } }))
    }

    /// The same client, whose second batch, the commit, comes after this statement.
    pub fn overtaken_by(&self, sql: &str, params: &[&str]) -> Self {
        self.overtaken_before(2, sql, params)
    }

    /// The same client, whose requests are overtaken by a statement before their nth batch.
    pub fn overtaken_before(&self, nth: usize, sql: &str, params: &[&str]) -> Self {
        self.faulty(&json!({ nth.to_string(): { "before": [statement(sql, params)] } }))
    }

    /// The same client, whose requests meet these faults of the database.
    pub fn faulty(&self, faults: &Value) -> Self {
        self.with("Tests-Database", &faults.to_string())
    }

    /// The same client with the current version of a record of the settings as `If-Match`. If the record cannot be read, it
    /// is the first version.
    pub fn seeing(&self, target: &str) -> Self {
        let target = target.split("/rotate_secret").next().unwrap_or(target);
        let (list, id) = target.rsplit_once('/').unwrap_or_default();
        let read = match list.rsplit('/').next() {
            Some("members") => self.get(list),
            Some("providers") => self.get("/api/v1/settings/sso"),
            _ => self.get(target),
        };
        let rows = ["members", "providers"].map(|rows| read.json[rows].as_array());
        let mut rows = rows.into_iter().flatten().flatten();
        let version = match (list.rsplit('/').next(), rows.find(|row| row["id"] == id)) {
            (_, Some(row)) => row["version"].as_i64(),
            (Some("members" | "providers"), None) => None,
            (_, None) => read.json["version"].as_i64(),
        };
        self.with("If-Match", &format!("\"{}\"", version.unwrap_or(1)))
    }

    /// `POST /api/v1/claims`.
    pub fn send(&self, body: &Value) -> Answer {
        self.post(CLAIMS, body.to_string())
    }

    /// `GET /api/v1/claims/status` of a claim number.
    pub fn status(&self, claim_number: &str) -> Answer {
        self.get(&status_of(claim_number))
    }

    pub fn get(&self, target: &str) -> Answer {
        self.request("GET", target, None)
    }

    pub fn post(&self, target: &str, body: impl AsRef<[u8]>) -> Answer {
        self.request("POST", target, Some(body.as_ref()))
    }

    pub fn patch(&self, target: &str, body: impl AsRef<[u8]>) -> Answer {
        self.request("PATCH", target, Some(body.as_ref()))
    }

    /// A `DELETE` without a body.
    pub fn delete(&self, target: &str) -> Answer {
        self.request("DELETE", target, None)
    }

    /// Any request. The answer is checked.
    pub fn request(&self, method: &str, target: &str, body: Option<&[u8]>) -> Answer {
        Answer::checked(self.exchange(method, target, body))
    }

    /// Any request, with the answer as received.
    pub fn exchange(&self, method: &str, target: &str, body: Option<&[u8]>) -> Raw {
        let answered = self.attempt(method, target, body);
        answered.expect("the server answers")
    }

    /// Any request to a server that may be killed meanwhile.
    pub fn attempt(&self, method: &str, target: &str, body: Option<&[u8]>) -> io::Result<Raw> {
        let idle = self.idle_one();
        let mut connection = idle.map_or_else(|| Connection::open(self.port), Ok)?;
        let mut bytes = self.head(method, target);
        if let Some(body) = body {
            let _written = write!(bytes, "Content-Length: {}\r\n", body.len());
        }
        let mut bytes = (bytes + "\r\n").into_bytes();
        bytes.extend_from_slice(body.unwrap_or_default());
        // The service may answer and close before it has read a long body. Its answer is there all the same.
        let written = connection.write(&bytes);
        let raw = connection.read(method == "HEAD")?;
        if written.is_ok() && raw.header("connection") != Some("close") {
            self.idle().push(connection);
        }
        // What the platform or the entrance of the tests says has no id.
        if raw.header("x-request-id").is_some() {
            check_headers(&raw);
        }
        Ok(raw)
    }

    /// The request line and headers, for tests that write the rest themselves.
    pub fn head(&self, method: &str, target: &str) -> String {
        let mut head = format!("{method} {target} HTTP/1.1\r\n");
        if !self.headers.iter().any(|(name, _)| name == "Host") {
            head.push_str("Host: 127.0.0.1\r\n");
        }
        for (name, value) in &self.headers {
            let _written = write!(head, "{name}: {value}\r\n");
        }
        head
    }

    pub fn connect(&self) -> Connection {
        Connection::open(self.port).expect("the server listens")
    }

    /// A connection that the server still keeps open.
    fn idle_one(&self) -> Option<Connection> {
        let mut idle = self.idle();
        std::iter::from_fn(|| idle.pop()).find(|one| one.is_over().is_ok_and(|is_over| !is_over))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The content type of an export: lines of JSON.
const LINES: &str = "application/x-ndjson";
/// The content type of our metadata for SAML providers.
const SAML: &str = "application/samlmetadata+xml";
const PAGE: &str = "text/html; charset=utf-8";

pub const CLAIMS: &str = "/api/v1/claims";
pub const STATUS: &str = "/api/v1/claims/status";

/// The request target for the status of a claim number.
pub fn status_of(claim_number: &str) -> String {
    format!("{STATUS}?claim_number={}", encoded(claim_number))
}

/// Text encoded for a query: every byte except letters and digits as `%XX`.
pub fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            encoded.push(byte.into());
        } else {
            let _written = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Checks the headers for browsers and caches, which every answer has.
fn check_headers(raw: &Raw) {
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("strict-transport-security", "max-age=31536000"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(raw.header(name), Some(value), "{name} of {}", raw.status);
    }
    let policy = raw.header("content-security-policy").unwrap_or_default();
    if raw.header("content-type") == Some(PAGE) {
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    } else {
        assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'");
    }
    let referrer = raw.header("referrer-policy");
    assert!(matches!(referrer, Some("same-origin" | "no-referrer")));
    let mut names = raw.headers.iter().map(|(name, _)| name);
    let cors = names.find(|name| name.starts_with("access-control-"));
    assert_eq!(cors, None, "no browser may read an answer");
}

/// An answer that passed the checks for all answers.
#[derive(Clone, Debug)]
pub struct Answer {
    raw: Raw,
    /// The body, `null` if there is none.
    pub json: Value,
}

impl Deref for Answer {
    type Target = Raw;
    fn deref(&self) -> &Raw {
        &self.raw
    }
}

impl Answer {
    /// Checks an answer against the rules for all answers.
    pub fn checked(raw: Raw) -> Self {
        static SEEN: Mutex<Option<HashSet<String>>> = Mutex::new(None);
        check_headers(&raw);
        let id = raw.header("x-request-id").expect("every answer has an id");
        let uuid: uuid::Uuid = id.parse().expect("the id of a request is a UUID");
        assert_eq!(uuid.to_string(), id);
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(seen.get_or_insert_default().insert(id.into()), "{id} again");
        drop(seen);
        let mut json = Value::Null;
        if raw.header("content-type") == Some(PAGE) {
            let permissions = raw.header("permissions-policy").unwrap_or_default();
            assert!(permissions.contains("camera=()"), "{permissions}");
        } else if !raw.body.is_empty() && !matches!(raw.header("content-type"), Some(LINES | SAML | MEDIA_TYPE)) {
            assert_eq!(raw.header("content-type"), Some("application/json"));
            json = serde_json::from_slice(&raw.body).expect("every other body is JSON");
            check_reason(raw.status, &json);
        }
        Self { raw, json }
    }

    pub fn request_id(&self) -> &str {
        self.header("x-request-id").unwrap()
    }

    /// The id of the record that the body shows.
    pub fn id(&self) -> &str {
        self.json["id"].as_str().unwrap()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn is_page(&self) -> bool {
        self.header("content-type") == Some(PAGE)
    }

    /// The problems of a `422`.
    pub fn problems(&self) -> Vec<String> {
        self.expect(422);
        assert_eq!(keys(&self.json), ["error", "errors"]);
        assert_eq!(self.json["error"], "Invalid request");
        let errors = self.json["errors"].as_array().unwrap();
        errors.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// The code and message of an error of the wider service.
    pub fn nested(&self, status: u16) -> (&str, &str) {
        assert_eq!(self.status, status, "{}", self.text());
        let error = &self.json["error"];
        assert_eq!(error["request_id"], self.request_id());
        let text = |name: &str| error[name].as_str().unwrap();
        (text("code"), text("message"))
    }

    /// Fails unless it is an error of the wider service with this status and code.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.nested(status).0, code);
    }

    /// The problems of a `422` of the wider service, each as `<field> <what is wrong with it>`.
    pub fn details(&self) -> Vec<String> {
        self.refused(422, "validation_failed");
        let details = self.json["error"]["details"].as_array().unwrap();
        let text = |detail: &Value, name: &str| detail[name].as_str().unwrap().to_owned();
        let said = |detail| format!("{} {}", text(detail, "field"), text(detail, "message"));
        details.iter().map(said).collect()
    }

    /// The message of a flat error with this status.
    pub fn refusal(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(keys(&self.json), ["error"]);
        self.json["error"].as_str().unwrap()
    }
}

/// A nested error has a known reason if its status is `402`, `403` or `409`, and none otherwise.
fn check_reason(status: u16, json: &Value) {
    let Some(error) = json["error"].as_object() else {
        return;
    };
    let reason = error.get("reason").map(|name| name.as_str().unwrap());
    let known = reason.is_some_and(|name| Reason::parse(name).is_some());
    assert_eq!(known, matches!(status, 402 | 403 | 409), "{json}");
    assert_eq!(known, reason.is_some(), "{json}");
}

/// The keys of an object, sorted.
pub fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
