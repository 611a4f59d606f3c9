//! `/api/v1/settings/audit`: the actions in a practice, with their actors.

mod export;
pub(super) mod query;
pub(crate) mod staff;
mod verify;

pub(crate) use export::{export, export_staff};
pub(crate) use verify::{verify, verify_staff};

use crate::prelude::*;
use crate::request::page::CsvRow;
use overturn_core::base::id::AuditId;
use query::AuditQuery;
use serde_json::Value;
use uuid::Uuid;

/// A row of the trail, as read.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct StoredTrailEvent {
    pub(super) id: AuditId,
    pub(super) at: Time,
    /// The actor, as [`crate::plan::Actor`] writes it.
    pub(super) actor: String,
    /// The actor's name, if it belongs to the practice.
    pub(super) actor_name: Option<String>,
    /// True if the actor is one of our staff.
    pub(super) is_staff: bool,
    pub(super) action: String,
    pub(super) record: String,
    /// The number of the claim that the record is or belongs to.
    pub(super) claim_number: Option<String>,
    /// The numbers of the claims that a search of the staff found.
    #[serde(default)]
    pub(super) claim_numbers: Vec<String>,
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

/// A row of an audit trail.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AuditRow"))]
pub(crate) struct AuditView {
    pub(super) id: AuditId,
    pub(super) at: Time,
    pub(super) actor: ActorView,
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[a-z_]+\.[a-z_]+$")))]
    pub(super) action: String,
    /// The id of the record that the action changed or opened.
    pub(super) record: String,
    /// The number of the claim that the record is or belongs to.
    pub(super) claim_number: Option<String>,
    /// The numbers of the claims that a search of our staff found. Only the staff's own trail has them.
    pub(super) claim_numbers: Vec<String>,
    /// The record's name, if it is a person, a key, a token or the practice.
    pub(super) record_name: Option<String>,
    #[cfg_attr(feature = "schema", schemars(extend("format" = "uuid")))]
    pub(super) request_id: String,
    /// More facts. They depend on the action.
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Map<String, Value>>"))]
    pub(super) detail: Option<Value>,
    /// The row's number in its trail. Numbers start at 1 and have no gaps.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) sequence: i64,
    /// The IP address that the request came from. `null` for patients, the operator and the service.
    pub(super) address: Option<String>,
    /// The session that made the request, or that a sign-in created.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "uuid")))]
    pub(super) session_id: Option<String>,
}

impl Item for AuditView {
    const LIST: &'static str = "audit";
    /// The staff's own trail names claims of all practices.
    #[cfg(feature = "schema")]
    const OF_ALL: bool = true;
}

/// The actor of a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ActorView {
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "ActorKind"))]
    pub(super) kind: String,
    /// `null` unless the type is `user`, `staff`, `api_key`, `api_token` or `signing_link`.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "uuid")))]
    pub(super) id: Option<String>,
    /// Its current name, if it belongs to the practice. Staff have names only in their own trail.
    pub(super) name: Option<String>,
}

#[cfg(feature = "schema")]
names! {
    /// What kind of actor it is.
    ActorKind {
        /// A person of the practice who is signed in.
        User = "user",
        /// A person of Overturn's staff.
        Staff = "staff",
        /// A system of the practice, by its key.
        ApiKey = "api_key",
        /// A system of the practice, by its token.
        ApiToken = "api_token",
        /// A patient, by the link to the page on which to sign.
        SigningLink = "signing_link",
        /// The operator of the service.
        Operator = "operator",
        /// The service itself.
        Service = "service",
        /// The made-up person of a sandbox, who does the work of our staff there.
        Sandbox = "sandbox",
        /// GitHub, which found a leaked key.
        Github = "github",
        /// Somebody who reported a leaked key.
        Anyone = "anyone",
    }
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
        "claim_numbers",
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
         sought AS MATERIALIZED (SELECT c.practice_id, c.id, c.submission_id, c.report_id FROM claims c
           WHERE c.practice_id = (SELECT id FROM readable) AND c.claim_number = {claim_number}),
         about AS MATERIALIZED (SELECT id FROM sought UNION ALL SELECT submission_id FROM sought
           UNION ALL SELECT report_id FROM sought WHERE report_id IS NOT NULL
           UNION ALL SELECT k.case_id FROM sought CROSS JOIN case_claims k
             ON k.practice_id = sought.practice_id AND k.claim_id = sought.id
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
        before = query.to, claim_number = query.claim_number.as_deref()
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

/// `listAudit`: Read the practice's audit trail.
///
/// Owners and admins only. The newest row comes first. *The audit trail* above says what the fields mean.
///
/// A page with a filter on `action`, `actor`, `record` or `claim_number` looks at 2,000 rows at most. So it can have fewer
/// rows than `limit`, or none, while there is a `next_cursor`. Continue until `next_cursor` is `null`.
///
/// With `Accept: text/csv`, the answer is the same page as CSV, with up to 1,000 rows. The default is then 1,000.
pub(crate) async fn list(request: ReadRequest<AuditQuery>) -> Result<GivesTable<Listed<AuditView>>, AppError> {
    let load = |query: &_| of_caller(request.credential(), query);
    request.table(load, |_, query, found| Ok(listed(query, found))).await
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
const STAFF: &str = "staff";

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
        claim_numbers: row.claim_numbers,
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
