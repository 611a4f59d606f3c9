//! The records of a return, section by section. A page has the two parts of each record's key, and the record.
//! `{"key_version", "sealed"}` stands for a value that is opened before it is shown.

use super::export::{ExportPosition, Section};
use crate::prelude::*;
use serde_json::{Map, Value};

/// A record and its key in its section, as two parts.
pub(super) type Record = (String, String, Map<String, Value>);

/// The records after a position of their section. `until` is the time of the request: the return leaves out its own audit
/// rows.
pub(super) fn page(practice: PracticeId, at: &ExportPosition, most: usize, until: Instant) -> Query<Vec<Record>> {
    let (major, minor) = (&at.major, &at.minor);
    /// A section: its table, the two parts of a record's key, their order, which records are read, and the record. One
    /// value may have 2 MB.
    macro_rules! section {
        ($table:literal by $order:literal as ($major:literal, $minor:literal), $rows:literal, $line:expr; $($value:ident),+) => {{
            const TABLE: &str = $table;
            const ORDER: &str = $order;
            const MAJOR: &str = $major;
            const MINOR: &str = $minor;
            const ROWS: &str = $rows;
            const LINE: &str = $line;
            select!(
                "data_jobs.page",
                "SELECT json_group_array(json_array(major, minor, json(line))) AS json FROM (
                   SELECT *, row_number() OVER keys AS n, sum(length(CAST(line AS BLOB))) OVER keys AS size FROM (
                     SELECT row_number() OVER (ORDER BY {ORDER}) AS place, {MAJOR} AS major, {MINOR} AS minor, {LINE} AS line
                     FROM (SELECT * FROM {TABLE} WHERE {ROWS} ORDER BY {ORDER} LIMIT CAST({most} AS INTEGER)) t)
                   WINDOW keys AS (ORDER BY place)) WHERE n = 1 OR size <= 900000"
                [TABLE, ORDER, MAJOR, MINOR, ROWS, LINE, NAMED];
                $($value),+
            )
        }};
        ($table:literal of a claim, $line:expr) => {
            section!(
                $table by "claim_id, id" as ("t.claim_id", "t.id"),
                "practice_id = {practice} AND (claim_id, id) > ({major}, {minor})", $line; practice, major, minor, most
            )
        };
        ($table:literal, $line:expr) => {
            section!($table by "id" as ("t.id", "''"), "practice_id = {practice} AND id > {major}", $line; practice, major, most)
        };
    }
    let select = match at.section {
        Section::Practice => section!(
            "practices" by "id" as ("t.id", "''"), "id = {practice} AND id > {major}", PRACTICE; practice, major, most
        ),
        Section::Member => section!("users", MEMBER),
        Section::Agreement => section!("agreements", AGREEMENT),
        Section::ApiKey => section!("api_keys", API_KEY),
        Section::ApiToken => section!("api_tokens", API_TOKEN),
        Section::Submission => section!("submissions", SUBMISSION),
        Section::Claim => section!("claims", CLAIM),
        Section::ClaimEvent => section!(
            "claim_history" by "claim_id, version" as ("t.claim_id", "CAST(t.version AS TEXT)"),
            "practice_id = {practice} AND (claim_id, version) > ({major}, CAST({minor} AS INTEGER))", CLAIM_EVENT;
            practice, major, minor, most
        ),
        Section::Note => section!("claim_notes" of a claim, NOTE),
        Section::Report => section!("reports", REPORT),
        Section::Case => section!("cases", CASE),
        Section::SigningLink => section!("signing_links" of a claim, SIGNING_LINK),
        Section::Signature => section!("signatures" of a claim, SIGNATURE),
        Section::Webhook => section!("webhooks", WEBHOOK),
        Section::Delivery => section!(
            "deliveries" by "webhook_id, id" as ("t.webhook_id", "t.id"),
            "practice_id = {practice} AND (webhook_id, id) > ({major}, {minor})", DELIVERY; practice, major, minor, most
        ),
        Section::DataJob => section!(
            "data_jobs" by "id" as ("t.id", "''"),
            "practice_id = {practice} AND id > {major} AND requested_at < CAST({until} AS INTEGER)", DATA_JOB;
            practice, major, most, until
        ),
        Section::Audit => section!(
            "audit" by "id" as ("t.id", "''"),
            "practice_id = {practice} AND id > {major} AND at < CAST({until} AS INTEGER)", AUDIT;
            practice, major, most, until
        ),
        Section::Document => section!("documents", DOCUMENT),
    };
    select.or_default()
}

/// The fields that name a claim `c` in a list of claims.
const NAMED: &str = "json_object('id', c.id, 'claim_number', c.claim_number)";

const PRACTICE: &str = "json_object('id', t.id, 'name', t.name, 'state', t.state, 'appeal_button', t.appeal_button,
       'single_session', t.single_session, 'created_at', t.created_at, 'address', json(t.address), 'npi', t.npi,
       'tax_id', t.tax_id, 'phone', t.phone, 'time_zone', t.time_zone,
       'document_settings', json((SELECT json_object('retention_days', m.retention_days, 'legal_hold', m.legal_hold)
         FROM document_settings m WHERE m.practice_id = t.id)),
       'sso_required', t.sso_required,
       'sso_providers', json((SELECT json_group_array(json_object('id', m.id, 'kind', m.kind, 'name', m.name,
           'configured', m.configured, 'entity_id', m.entity_id, 'contexts', json(m.contexts),
           'idp_initiated', m.idp_initiated, 'created_at', m.created_at))
         FROM sso_providers m WHERE m.practice_id = t.id)),
       'domains', json((SELECT json_group_array(json_object('id', m.id, 'domain', m.domain,
           'created_at', m.created_at, 'verified_at', m.verified_at))
         FROM practice_domains m WHERE m.practice_id = t.id)))";

const MEMBER: &str = "json_object('id', t.id, 'role', t.role, 'state', t.state, 'email', t.email, 'name', t.name, 'created_at', t.created_at)";

const AGREEMENT: &str = "json_object('id', t.id, 'kind', t.kind, 'version', t.version, 'signer_name', t.signer_name,
       'signer_title', t.signer_title, 'signed_at', t.signed_at, 'signed_by', t.signed_by, 'signed_from', t.signed_from,
       'ended_at', t.ended_at)";

const API_KEY: &str =
    "json_object('id', t.id, 'name', t.name, 'prefix', t.hint, 'scopes', t.scopes, 'created_at', t.created_at,
       'created_by', t.created_by, 'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
       'replaced_by', t.replaced_by)";

const API_TOKEN: &str =
    "json_object('id', t.id, 'user_id', t.user_id, 'name', t.name, 'prefix', t.hint, 'scopes', t.scopes,
       'created_at', t.created_at, 'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
       'replaced_by', t.replaced_by)";

const SUBMISSION: &str = "json_object('id', t.id, 'api_key_id', t.api_key_id, 'actor', t.actor, 'request_id', t.request_id, 'received_at', t.received_at)";

const CLAIM: &str =
    "json_object('id', t.id, 'claim_number', t.claim_number, 'submission_id', t.submission_id, 'version', t.version,
       'status', t.status, 'signing_status', t.signing_status, 'received_at', t.received_at, 'updated_at', t.updated_at,
       'payer_claim_number', t.payer_claim_number, 'payer_name', t.payer_name, 'date_of_service', t.date_of_service,
       'denial_date', t.denial_date, 'plan_type', t.plan_type, 'billed_cents', t.billed_cents,
       'denied_cents', t.denied_cents, 'adjustment_codes', json(t.adjustment_codes), 'appeal_due', t.appeal_due,
       'appeal_due_from', t.appeal_due_from, 'letter_denied', t.letter_denied, 'letter_plan', t.letter_plan,
       'letter_due', t.letter_due, 'letter_counts', t.letter_counts, 'letter_by', t.letter_by, 'letter_at', t.letter_at,
       'taken_by', t.taken_by, 'report_id', t.report_id, 'case_id', t.case_id,
       'recovered_cents', t.recovered_cents, 'closing_reason', t.closing_reason, 'key_version', t.key_version,
       'sealed', t.sealed,
       'levels', json((SELECT json_group_array(json_object('case_id', m.case_id, 'level', m.level, 'filed', m.filed,
           'recovered_cents', m.recovered_cents, 'recovered_at', m.recovered_at, 'stands', m.stands))
         FROM level_claims m WHERE m.practice_id = t.practice_id AND m.claim_id = t.id)))";

const CLAIM_EVENT: &str =
    "json_object('claim_id', t.claim_id, 'version', t.version, 'at', t.at, 'kind', t.kind, 'status', t.status,
       'actor', t.actor, 'request_id', t.request_id, 'detail', json(t.detail))";

const NOTE: &str =
    "json_object('claim_id', t.claim_id, 'id', t.id, 'at', t.at, 'author', t.author, 'key_version', t.key_version,
       'sealed', t.sealed)";

const REPORT: &str = "json_object('id', t.id, 'delivered_at', t.delivered_at, 'delivered_by', t.delivered_by,
           'claims', json((SELECT json_group_array({NAMED}) FROM report_claims m CROSS JOIN claims c
             WHERE m.practice_id = t.practice_id AND m.report_id = t.id AND c.practice_id = m.practice_id
               AND c.id = m.claim_id)))";

const CASE: &str = "json_object('id', t.id, 'payer_name', t.payer_name, 'version', t.version, 'opened_at', t.opened_at,
           'opened_by', t.opened_by,
           'claims', json((SELECT json_group_array(json_object('claim', {NAMED}, 'joined_at', m.joined_at,
               'outcome', m.outcome, 'recovered_cents', m.recovered_cents, 'closing_reason', m.closing_reason,
               'decided_at', m.decided_at)) FROM case_claims m CROSS JOIN claims c
             WHERE m.practice_id = t.practice_id AND m.case_id = t.id AND c.practice_id = m.practice_id
               AND c.id = m.claim_id)),
           'levels', json((SELECT json_group_array(json_object('level', l.level, 'kind', l.kind, 'due_on', l.due_on,
               'filed_on', l.filed_on, 'decided_on', l.decided_on, 'outcome', l.outcome, 'decision_due', l.decision_due,
               'decision_source', l.decision_source, 'follow_up_on', l.follow_up_on, 'begun_at', l.begun_at,
               'begun_by', l.begun_by)) FROM (SELECT * FROM case_levels
             WHERE practice_id = t.practice_id AND case_id = t.id ORDER BY level) l)))";

const SIGNING_LINK: &str =
    "json_object('claim_id', t.claim_id, 'id', t.id, 'created_at', t.created_at, 'created_by', t.created_by,
       'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'used_at', t.used_at, 'attempts', t.attempts)";

const SIGNATURE: &str =
    "json_object('claim_id', t.claim_id, 'id', t.id, 'link_id', t.link_id, 'signed_at', t.signed_at,
       'key_version', t.key_version, 'sealed', t.sealed)";

const WEBHOOK: &str =
    "json_object('id', t.id, 'url', t.url, 'events', t.events, 'state', t.state, 'created_at', t.created_at,
       'created_by', t.created_by, 'failing_since', t.failing_since, 'disabled_at', t.disabled_at,
       'old_until', t.old_until)";

const DELIVERY: &str =
    "json_object('webhook_id', t.webhook_id, 'id', t.id, 'kind', t.kind, 'body', t.body, 'state', t.state,
       'attempts', t.attempts, 'created_at', t.created_at, 'next_at', t.next_at, 'last_at', t.last_at,
       'last_status', t.last_status, 'last_error', t.last_error, 'tested_at', t.tested_at)";

const DATA_JOB: &str = "json_object('id', t.id, 'kind', t.kind, 'state', t.state, 'requested_at', t.requested_at,
       'requested_by', t.requested_by, 'due_at', t.due_at, 'begun_at', t.begun_at, 'finished_at', t.finished_at,
       'totals', json(t.totals), 'counts', json(t.counts), 'bytes', t.bytes, 'unreadable', t.unreadable)";

const AUDIT: &str = "json_object('id', t.id, 'at', t.at, 'actor', t.actor, 'action', t.action, 'record', t.record,
       'request_id', t.request_id, 'detail', json(t.detail), 'address', t.address, 'session_id', t.session_id,
       'seq', t.seq)";

const DOCUMENT: &str =
    "json_object('id', t.id, 'claim_id', t.claim_id, 'kind', t.kind, 'state', t.state, 'content_type', t.content_type,
       'size', t.size, 'sha256', t.sha256, 'uploaded_by', t.uploaded_by, 'uploaded_at', t.uploaded_at,
       'scans', t.scans, 'scan_at', t.scan_at, 'key_version', t.key_version, 'sealed', t.sealed,
       'uses', json((SELECT json_group_array(json_object('kind', m.kind, 'record_id', m.record_id,
           'attached_by', m.attached_by, 'attached_at', m.attached_at))
         FROM document_uses m WHERE m.practice_id = t.practice_id AND m.document_id = t.id)))";
