//! The statements that read a practice's data for its return. Each reads a page of one section: the two parts of each
//! record's key, and the record. `{"key_version", "sealed"}` stands for a value that is opened before it is shown.

/// A page: `?1` the practice, `?2` and `?3` the key to start after, `?4` how many, `?5` until when. One value may have
/// 2 MB.
macro_rules! section {
    ($table:literal, $major:literal, $minor:literal, $order:literal, $behind:literal, $line:expr) => {
        concat!(
            "SELECT json_group_array(json_array(major, minor, json(line))) AS json FROM (
               SELECT *, row_number() OVER keys AS n, sum(length(CAST(line AS BLOB))) OVER keys AS size FROM (
                 SELECT row_number() OVER (ORDER BY ",
            $order,
            ") AS place, ",
            $major,
            " AS major, ",
            $minor,
            " AS minor, ",
            $line,
            " AS line FROM (SELECT * FROM ",
            $table,
            " WHERE ",
            $behind,
            " AND ?5 = ?5 ORDER BY ",
            $order,
            " LIMIT CAST(?4 AS INTEGER)) t)
               WINDOW keys AS (ORDER BY place)) WHERE n = 1 OR size <= 900000"
        )
    };
    ($table:literal, $line:expr) => {
        section!($table, "t.id", "''", "id", "practice_id = ?1 AND id > ?2 AND ?3 = ?3", $line)
    };
    ($table:literal of a claim, $line:expr) => {
        section!($table, "t.claim_id", "t.id", "claim_id, id", "practice_id = ?1 AND (claim_id, id) > (?2, ?3)", $line)
    };
}

/// The fields that name a claim `c` in a list of claims.
macro_rules! named {
    () => {
        "json_object('id', c.id, 'claim_number', c.claim_number)"
    };
}

pub(crate) const PRACTICE: &str = section!(
    "practices",
    "t.id",
    "''",
    "id",
    "id = ?1 AND id > ?2 AND ?3 = ?3",
    "json_object('id', t.id, 'name', t.name, 'state', t.state, 'appeal_button', t.appeal_button,
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
         FROM practice_domains m WHERE m.practice_id = t.id)))"
);

pub(crate) const MEMBERS: &str = section!(
    "users",
    "json_object('id', t.id, 'role', t.role, 'state', t.state, 'email', t.email, 'name', t.name, 'created_at', t.created_at)"
);

pub(crate) const AGREEMENTS: &str = section!(
    "agreements",
    "json_object('id', t.id, 'kind', t.kind, 'version', t.version, 'signer_name', t.signer_name,
       'signer_title', t.signer_title, 'signed_at', t.signed_at, 'signed_by', t.signed_by, 'signed_from', t.signed_from,
       'ended_at', t.ended_at)"
);

pub(crate) const API_KEYS: &str = section!(
    "api_keys",
    "json_object('id', t.id, 'name', t.name, 'prefix', t.hint, 'scopes', t.scopes, 'created_at', t.created_at,
       'created_by', t.created_by, 'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at)"
);

pub(crate) const API_TOKENS: &str = section!(
    "api_tokens",
    "json_object('id', t.id, 'user_id', t.user_id, 'name', t.name, 'prefix', t.hint, 'scopes', t.scopes,
       'created_at', t.created_at, 'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
       'replaced_by', t.replaced_by)"
);

pub(crate) const SUBMISSIONS: &str = section!(
    "submissions",
    "json_object('id', t.id, 'api_key_id', t.api_key_id, 'actor', t.actor, 'request_id', t.request_id, 'received_at', t.received_at)"
);

pub(crate) const CLAIMS: &str = section!(
    "claims",
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
         FROM level_claims m WHERE m.practice_id = t.practice_id AND m.claim_id = t.id)))"
);

pub(crate) const CLAIM_EVENTS: &str = section!(
    "claim_history",
    "t.claim_id",
    "CAST(t.version AS TEXT)",
    "claim_id, version",
    "practice_id = ?1 AND (claim_id, version) > (?2, CAST(?3 AS INTEGER))",
    "json_object('claim_id', t.claim_id, 'version', t.version, 'at', t.at, 'kind', t.kind, 'status', t.status,
       'actor', t.actor, 'request_id', t.request_id, 'detail', json(t.detail))"
);

pub(crate) const NOTES: &str = section!(
    "claim_notes" of a claim,
    "json_object('claim_id', t.claim_id, 'id', t.id, 'at', t.at, 'author', t.author, 'key_version', t.key_version,
       'sealed', t.sealed)"
);

pub(crate) const REPORTS: &str = section!(
    "reports",
    concat!(
        "json_object('id', t.id, 'delivered_at', t.delivered_at, 'delivered_by', t.delivered_by,
           'claims', json((SELECT json_group_array(",
        named!(),
        ") FROM report_claims m CROSS JOIN claims c
             WHERE m.practice_id = t.practice_id AND m.report_id = t.id AND c.practice_id = m.practice_id
               AND c.id = m.claim_id)))"
    )
);

pub(crate) const CASES: &str = section!(
    "cases",
    concat!(
        "json_object('id', t.id, 'payer_name', t.payer_name, 'version', t.version, 'opened_at', t.opened_at,
           'opened_by', t.opened_by,
           'claims', json((SELECT json_group_array(json_object('claim', ",
        named!(),
        ", 'joined_at', m.joined_at,
               'outcome', m.outcome, 'recovered_cents', m.recovered_cents, 'closing_reason', m.closing_reason,
               'decided_at', m.decided_at)) FROM case_claims m CROSS JOIN claims c
             WHERE m.practice_id = t.practice_id AND m.case_id = t.id AND c.practice_id = m.practice_id
               AND c.id = m.claim_id)),
           'levels', json((SELECT json_group_array(json_object('level', l.level, 'kind', l.kind, 'due_on', l.due_on,
               'filed_on', l.filed_on, 'decided_on', l.decided_on, 'outcome', l.outcome, 'decision_due', l.decision_due,
               'decision_source', l.decision_source, 'follow_up_on', l.follow_up_on, 'begun_at', l.begun_at,
               'begun_by', l.begun_by)) FROM (SELECT * FROM case_levels
             WHERE practice_id = t.practice_id AND case_id = t.id ORDER BY level) l)))"
    )
);

pub(crate) const SIGNING_LINKS: &str = section!(
    "signing_links" of a claim,
    "json_object('claim_id', t.claim_id, 'id', t.id, 'created_at', t.created_at, 'created_by', t.created_by,
       'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'used_at', t.used_at, 'attempts', t.attempts)"
);

pub(crate) const SIGNATURES: &str = section!(
    "signatures" of a claim,
    "json_object('claim_id', t.claim_id, 'id', t.id, 'link_id', t.link_id, 'signed_at', t.signed_at,
       'key_version', t.key_version, 'sealed', t.sealed)"
);

pub(crate) const WEBHOOKS: &str = section!(
    "webhooks",
    "json_object('id', t.id, 'url', t.url, 'events', t.events, 'state', t.state, 'created_at', t.created_at,
       'created_by', t.created_by, 'failing_since', t.failing_since, 'disabled_at', t.disabled_at,
       'old_until', t.old_until)"
);

pub(crate) const DELIVERIES: &str = section!(
    "deliveries",
    "t.webhook_id",
    "t.id",
    "webhook_id, id",
    "practice_id = ?1 AND (webhook_id, id) > (?2, ?3)",
    "json_object('webhook_id', t.webhook_id, 'id', t.id, 'kind', t.kind, 'body', t.body, 'state', t.state,
       'attempts', t.attempts, 'created_at', t.created_at, 'next_at', t.next_at, 'last_at', t.last_at,
       'last_status', t.last_status, 'last_error', t.last_error)"
);

pub(crate) const DOCUMENTS: &str = section!(
    "documents",
    "json_object('id', t.id, 'claim_id', t.claim_id, 'kind', t.kind, 'state', t.state, 'content_type', t.content_type,
       'size', t.size, 'sha256', t.sha256, 'uploaded_by', t.uploaded_by, 'uploaded_at', t.uploaded_at,
       'scans', t.scans, 'scan_at', t.scan_at, 'key_version', t.key_version, 'sealed', t.sealed,
       'uses', json((SELECT json_group_array(json_object('kind', m.kind, 'record_id', m.record_id,
           'attached_by', m.attached_by, 'attached_at', m.attached_at))
         FROM document_uses m WHERE m.practice_id = t.practice_id AND m.document_id = t.id)))"
);

pub(crate) const DATA_JOBS: &str = section!(
    "data_jobs",
    "t.id",
    "''",
    "id",
    "practice_id = ?1 AND id > ?2 AND ?3 = ?3 AND requested_at < CAST(?5 AS INTEGER)",
    "json_object('id', t.id, 'kind', t.kind, 'state', t.state, 'requested_at', t.requested_at,
       'requested_by', t.requested_by, 'due_at', t.due_at, 'begun_at', t.begun_at, 'finished_at', t.finished_at,
       'totals', json(t.totals), 'counts', json(t.counts), 'bytes', t.bytes, 'unreadable', t.unreadable)"
);

pub(crate) const AUDIT: &str = section!(
    "audit",
    "t.id",
    "''",
    "id",
    "practice_id = ?1 AND id > ?2 AND ?3 = ?3 AND at < CAST(?5 AS INTEGER)",
    "json_object('id', t.id, 'at', t.at, 'actor', t.actor, 'action', t.action, 'record', t.record,
       'request_id', t.request_id, 'detail', json(t.detail), 'address', t.address, 'session_id', t.session_id,
       'seq', t.seq)"
);
