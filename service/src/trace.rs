//! What a request did, and its one log line.
//!
//! The line has ids, counts and names from this program. It has nothing from a body, a query string, an unmatched path,
//! or a header.

use crate::auth::key::Credential;
use crate::auth::person::StoredPerson;
use crate::request::limit::Verdict;
use overturn_core::base::id::{ApiKeyId, PracticeId, RequestId, UserId};
use overturn_core::base::instant::Instant;
use serde::Serialize;
use std::cell::{RefCell, RefMut};

/// The facts about a request. Handlers add to them, and the end of the request logs them.
#[derive(Default)]
pub(crate) struct Trace(RefCell<Facts>);

/// The facts of one request.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    pub(crate) route: Option<&'static str>,
    pub(crate) practice_id: Option<PracticeId>,
    pub(crate) api_key_id: Option<ApiKeyId>,
    pub(crate) user_id: Option<UserId>,
    pub(crate) limit: Option<Verdict>,
    pub(crate) d1_round_trips: u32,
    pub(crate) rows_read: u64,
    pub(crate) rows_written: u64,
    /// How many password hashes were computed.
    pub(crate) hashes: u32,
    /// How long the request's body may take to arrive, in milliseconds. `None` until the settings are read.
    pub(crate) body_time_out_ms: Option<i64>,
    /// The kind and place of an internal failure.
    pub(crate) failure: Option<String>,
}

impl Trace {
    /// The facts, to read or change.
    pub(crate) fn facts(&self) -> RefMut<'_, Facts> {
        self.0.borrow_mut()
    }

    pub(crate) fn round_trip(&self) {
        let mut facts = self.facts();
        facts.d1_round_trips = facts.d1_round_trips.saturating_add(1);
    }

    pub(crate) fn rows(&self, read: usize, written: usize) {
        let mut facts = self.facts();
        facts.rows_read = facts.rows_read.saturating_add(read as u64);
        facts.rows_written = facts.rows_written.saturating_add(written as u64);
    }

    pub(crate) fn hashed(&self) {
        let mut facts = self.facts();
        facts.hashes = facts.hashes.saturating_add(1);
    }

    pub(crate) fn caller(&self, credential: &Credential, limit: Option<Verdict>) {
        let mut facts = self.facts();
        facts.practice_id = Some(credential.practice_id);
        facts.api_key_id = Some(credential.api_key_id);
        facts.limit = limit;
    }

    pub(crate) fn person(&self, standing: &StoredPerson, limit: Option<Verdict>) {
        let mut facts = self.facts();
        facts.practice_id = standing.practice.as_ref().map(|practice| practice.id);
        facts.user_id = Some(standing.user_id);
        facts.limit = limit.or(facts.limit);
    }
}

#[derive(Serialize)]
struct LogLine<'a> {
    event: &'static str,
    request_id: RequestId,
    method: &'a str,
    route: &'static str,
    status: u16,
    duration_ms: i64,
    practice_id: Option<PracticeId>,
    api_key_id: Option<ApiKeyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    d1_round_trips: u32,
    rows_read: u64,
    rows_written: u64,
    #[serde(skip_serializing_if = "is_zero")]
    hashes: u32,
    /// The size of an isolate's wasm memory, which never shrinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_kb: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Writes the line of a finished request.
pub(crate) fn log(
    request_id: RequestId,
    method: &str,
    status: u16,
    (began, ended): (Instant, Instant),
    facts: &Facts,
    memory_kb: Option<u32>,
) {
    let line = LogLine {
        event: "request",
        request_id,
        method: known_method(method),
        route: facts.route.unwrap_or("unmatched"),
        status,
        duration_ms: ended.since(began),
        practice_id: facts.practice_id,
        api_key_id: facts.api_key_id,
        user_id: facts.user_id,
        d1_round_trips: facts.d1_round_trips,
        rows_read: facts.rows_read,
        rows_written: facts.rows_written,
        hashes: facts.hashes,
        memory_kb,
        failure: facts.failure.as_deref(),
    };
    if let Ok(line) = serde_json::to_string(&line) {
        log::info!("{line}");
    }
}

/// A method is the caller's text, so only known ones are logged.
fn known_method(method: &str) -> &'static str {
    ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}
