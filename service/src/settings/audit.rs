//! `/api/v1/settings/audit`: the actions in a practice, with their actors. `/api/v1/staff/audit` is the staff's own trail.

mod export;
pub(super) mod query;
mod verify;

pub(crate) use export::{export, export_staff};
pub(crate) use verify::{verify, verify_staff};

use crate::prelude::*;
use overturn_core::base::id::AuditId;
use overturn_core::request::page::CsvRow;
use overturn_core::trail::Trail;
use query::{AuditQuery, StaffAuditQuery};
use serde_json::Value;
use uuid::Uuid;

/// A row of the trail, as read.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct StoredTrailEvent {
    pub(super) id: AuditId,
    pub(super) at: Time,
    /// The actor, as [`overturn_core::plan::Actor`] writes it.
    pub(super) actor: String,
    /// The actor's name, if it belongs to the practice.
    pub(super) actor_name: Option<String>,
    /// True if the actor is one of our staff.
    pub(super) is_staff: bool,
    pub(super) action: String,
    pub(super) record: String,
    /// The number of the claim that the record is or belongs to.
    pub(super) claim_number: Option<String>,
    /// The record's name, if it is a person, a key, a token or the practice.
    pub(super) record_name: Option<String>,
    pub(super) request_id: String,
    /// Further details.
    pub(super) detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub(super) sequence: i64,
    /// The IP address. Never a patient's.
    pub(super) address: Option<String>,
    pub(super) session_id: Option<String>,
}

/// A row, as shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct AuditView {
    pub(super) id: AuditId,
    pub(super) at: Time,
    pub(super) actor: ActorView,
    pub(super) action: String,
    pub(super) record: String,
    /// The number of the claim that the record is or belongs to.
    pub(super) claim_number: Option<String>,
    /// The record's name, if it is a person, a key, a token or the practice.
    pub(super) record_name: Option<String>,
    pub(super) request_id: String,
    /// Further details.
    pub(super) detail: Option<Value>,
    /// Its number in the trail, from 1.
    pub(super) sequence: i64,
    /// The IP address. Never a patient's.
    pub(super) address: Option<String>,
    pub(super) session_id: Option<String>,
}

impl Item for AuditView {
    const LIST: &'static str = "audit";
}

/// The actor of a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct ActorView {
    /// `user`, `staff`, `api_key`, `api_token`, `signing_link`, `operator` or `service`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Its id; the operator and the service have none.
    pub(super) id: Option<String>,
    /// Its current name.
    pub(super) name: Option<String>,
}

impl CsvRow for AuditView {
    const FILE: &'static str = "audit.csv";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "at",
        "actor.type",
        "actor.id",
        "actor.name",
        "action",
        "record",
        "claim_number",
        "record_name",
        "request_id",
        "detail",
        "sequence",
        "address",
        "session_id",
    ];
}

/// The result of the statement for a page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct FoundEvents {
    /// The rows that pass the filter, at most [`AuditQuery::reads`].
    pub(super) rows: Vec<StoredTrailEvent>,
    /// True if more rows passed, but did not fit into one value of the database.
    pub(super) cut: bool,
    /// How far the scan went, if the page is not full.
    pub(super) scanned: Option<ScannedRows>,
}

/// The scanned rows of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct ScannedRows {
    /// How many, at most [`AuditQuery::scans`].
    pub(super) count: usize,
    /// The last one.
    pub(super) id: Option<AuditId>,
}

/// A page of a trail, as [`FoundEvents`] reads it. `TRAIL` is its id, `TABLES` come before the page, `NAMED` are its columns of
/// names, `ABOUT` is one more filter, and `NONE` is true if it can match nothing. The scan is that of the list of denials.
const PAGE: &str = "WITH {TABLES}page AS MATERIALIZED (SELECT json_object('id', a.id, 'at', a.at, 'actor', a.actor, {NAMED},
               'action', a.action, 'record', a.record, 'request_id', a.request_id, 'detail', json(a.detail),
               'sequence', a.seq, 'address', a.address, 'session_id', a.session_id) AS event
             FROM (SELECT * FROM audit WHERE practice_id = {TRAIL} AND id < {end} AND id >= {first}
               ORDER BY id DESC LIMIT CAST({scans} AS INTEGER)) a
             WHERE ({action} IS NULL OR a.action = {action})
               AND ({actor} IS NULL OR substr(a.actor, instr(a.actor, ':') + 1) = {actor})
               AND ({record} IS NULL OR a.record = {record})
               AND ({from} IS NULL OR a.at >= {from}) AND ({before} IS NULL OR a.at < {before}) AND {ABOUT}
             LIMIT CAST({reads} AS INTEGER)), {FIT}
             SELECT json_object('rows', json((SELECT list FROM fit)), 'cut', {CUT},
               'scanned', json(iif((SELECT found FROM fit) >= {reads} OR {NONE}, NULL,
                 (SELECT json_object('count', count(*), 'id', min(id)) FROM (SELECT id FROM audit WHERE practice_id = {TRAIL}
                   AND id < {end} AND id >= {first} ORDER BY id DESC LIMIT CAST({scans} AS INTEGER)))))) AS json";
const FIT: &str = fit!("event");
const CUT: &str = cut!();

/// A page of the trail of the caller's practice. An actor and a record of the practice have names. Claims have numbers only
/// while the practice may read them. A row that is shown reads up to six more.
pub(super) fn of_caller(caller: &str, query: &AuditQuery) -> Query<FoundEvents> {
    const TRAIL: &str = "{OF_CALLER}";
    const AGREEMENT: &str = agreement!("p.id");
    const TABLES: &str = "readable AS MATERIALIZED (SELECT p.id FROM practices p WHERE p.id = {OF_CALLER}
             AND p.state = 'active' AND {AGREEMENT}),
         sought AS MATERIALIZED (SELECT c.practice_id, c.id, c.submission_id, c.report_id, c.case_id FROM claims c
           WHERE c.practice_id = (SELECT id FROM readable) AND c.claim_number = {claim_number}),
         about AS MATERIALIZED (SELECT id FROM sought UNION ALL SELECT submission_id FROM sought
           UNION ALL SELECT report_id FROM sought WHERE report_id IS NOT NULL
           UNION ALL SELECT case_id FROM sought WHERE case_id IS NOT NULL
           UNION ALL SELECT d.id FROM sought CROSS JOIN documents d
             ON d.practice_id = sought.practice_id AND d.claim_id = sought.id), ";
    const NAMED: &str = "'actor_name', CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.practice_id = a.practice_id)
         WHEN 'api_key:' THEN (SELECT k.name FROM api_keys k
           WHERE k.practice_id = a.practice_id AND k.id = substr(a.actor, 9))
         WHEN 'api_token:' THEN (SELECT t.name FROM api_tokens t
           WHERE t.practice_id = a.practice_id AND t.id = substr(a.actor, 11))
       END,
       'is_staff', json(iif(EXISTS (SELECT 1 FROM users u WHERE substr(a.actor, 1, 5) = 'user:'
         AND u.id = substr(a.actor, 6) AND u.practice_id IS NULL), 'true', 'false')),
       'claim_number', coalesce(
         (SELECT c.claim_number FROM claims c WHERE c.practice_id = (SELECT id FROM readable) AND c.id = a.record),
         (SELECT c.claim_number FROM documents d CROSS JOIN claims c ON c.practice_id = d.practice_id AND c.id = d.claim_id
          WHERE d.practice_id = (SELECT id FROM readable) AND d.id = a.record)),
       'record_name', coalesce(
         (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = a.record AND u.practice_id = a.practice_id),
         (SELECT k.name FROM api_keys k WHERE k.practice_id = a.practice_id AND k.id = a.record),
         (SELECT t.name FROM api_tokens t WHERE t.practice_id = a.practice_id AND t.id = a.record),
         (SELECT p.name FROM practices p WHERE p.id = a.record AND p.id = a.practice_id))";
    const ABOUT: &str = "({claim_number} IS NULL OR a.record IN (SELECT id FROM about))";
    const NONE: &str = "({claim_number} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sought))";
    select!(
        "settings.audit", "{PAGE}" [PAGE, TRAIL, TABLES, NAMED, ABOUT, NONE, AGREEMENT, FIT, CUT];
        caller, end = crate::store::after(query.end_id()), reads = query.reads(), scans = query.scans(),
        action = query.action, actor = text(query.actor), record = text(query.record), first = first(query), from = query.from,
        before = query.before, claim_number = query.claim_number.as_deref()
    )
    .one()
}

/// A page of the staff's own trail. Staff have names, as actors and as records.
pub(super) fn of_staff(query: &AuditQuery) -> Query<FoundEvents> {
    const TRAIL: &str = "{trail}";
    const TABLES: &str = "";
    const NAMED: &str = "'actor_name', CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.practice_id IS NULL)
       END,
       'is_staff', json(iif(substr(a.actor, 1, 5) = 'user:', 'true', 'false')), 'claim_number', NULL,
       'record_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = a.record AND u.practice_id IS NULL)";
    const ABOUT: &str = "1";
    const NONE: &str = "0";
    select!(
        "settings.staff_audit", "{PAGE}" [PAGE, TRAIL, TABLES, NAMED, ABOUT, NONE, FIT, CUT];
        trail = Trail(None).to_string(), end = crate::store::after(query.end_id()), reads = query.reads(),
        scans = query.scans(), action = query.action, actor = text(query.actor), record = text(query.record),
        first = first(query), from = query.from, before = query.before
    )
    .one()
}

fn text(id: Option<Uuid>) -> Option<String> {
    id.map(|id| id.to_string())
}

/// The id that no row of the page is before.
fn first(query: &AuditQuery) -> String {
    text(query.first_id()).unwrap_or_default()
}

/// `GET`: a page of the practice's trail, newest first.
pub(crate) async fn list(request: ReadRequest<AuditQuery>) -> Result<Response, AppError> {
    let load = |query: &_| of_caller(request.credential(), query);
    request.table(load, |_, query, found| Ok(listed(query, found))).await
}

/// `GET /api/v1/staff/audit`: a page of the staff's own trail.
pub(crate) async fn list_staff(request: ReadRequest<StaffAuditQuery>) -> Result<Response, AppError> {
    let load = |StaffAuditQuery(query): &_| of_staff(query);
    request.table(load, |_, StaffAuditQuery(query), found| Ok(listed(query, found))).await
}

/// A page of the trail, newest first. If few rows pass the filter, it ends after the maximum scan, with a cursor.
pub(super) fn listed(query: &AuditQuery, found: FoundEvents) -> Listed<AuditView> {
    let mut rows = found.rows;
    let is_full = rows.len() > query.limit || found.cut;
    rows.truncate(query.limit);
    let last = rows.last().filter(|_| is_full).map(|row| row.id);
    let scanned = found.scanned.filter(|seen| seen.count >= query.scans());
    let next = last.or_else(|| scanned.and_then(|seen| seen.id));
    let next = next.map(|id| id.0.simple().to_string());
    Listed::new(rows.into_iter().map(view).collect(), next)
}

/// The type of an actor who is one of our staff. They are stored as `user`.
pub const STAFF: &str = "staff";

fn view(row: StoredTrailEvent) -> AuditView {
    let (kind, id) = match row.actor.split_once(':') {
        Some((kind, id)) => (kind, Some(id.into())),
        None => (&*row.actor, None),
    };
    let kind = if row.is_staff { STAFF } else { kind };
    AuditView {
        id: row.id,
        at: row.at,
        actor: ActorView { kind: kind.into(), id, name: row.actor_name },
        action: row.action,
        record: row.record,
        claim_number: row.claim_number,
        record_name: row.record_name,
        request_id: row.request_id,
        detail: row.detail,
        sequence: row.sequence,
        address: row.address,
        session_id: row.session_id,
    }
}

#[cfg(test)]
mod tests;
