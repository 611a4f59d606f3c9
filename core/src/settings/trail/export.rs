//! `GET /api/v1/settings/audit/export`: a trail as lines of JSON, with everything needed to check its chain elsewhere.

use super::row::TrailRow;
use crate::base::time::Time;
use crate::plan::settings::trail::Trail;
use crate::request::problem::Problem;
use crate::request::query::{ListQuery, QueryReader};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// The most rows of one answer, and the default.
pub const LIMIT_MAX: usize = 1000;

/// The requested rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Export {
    /// Most rows.
    pub limit: usize,
    /// The number of the row to start after.
    pub after: i64,
}

impl ListQuery for Export {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::tolerant(query, &["limit", "cursor"]);
        let limit = query.limit_of(LIMIT_MAX, LIMIT_MAX);
        let after = query.cursor(|text| text.parse().ok().filter(|after| *after >= 0));
        query.settle(Self { limit, after: after.unwrap_or(0) })
    }
}

#[derive(Serialize)]
struct TrailLine<'a> {
    trail: String,
    sequence: i64,
    id: &'a str,
    at: Time,
    actor: &'a str,
    action: &'a str,
    record: &'a str,
    request_id: &'a str,
    detail: Option<&'a str>,
    address: Option<&'a str>,
    session_id: Option<&'a str>,
    mac: Option<&'a str>,
    previous: &'a str,
    digest: String,
}

/// A linked row as a line, with its line feed. `None` for an unlinked one.
#[must_use]
pub fn line(trail: Trail, row: &TrailRow) -> Option<String> {
    let previous = row.previous.as_deref()?;
    let content = row.content();
    let line = TrailLine {
        trail: trail.to_string(),
        sequence: row.sequence,
        id: content.id,
        at: Time(content.at),
        actor: content.actor,
        action: content.action,
        record: content.record,
        request_id: content.request_id,
        detail: content.detail,
        address: content.address,
        session_id: content.session_id,
        mac: row.mac.as_deref(),
        previous,
        digest: row.digest(trail, previous),
    };
    let mut text = serde_json::to_string(&line).ok()?;
    text.push('\n');
    Some(text)
}
