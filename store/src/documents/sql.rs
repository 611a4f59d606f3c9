//! The statements of documents.

/// A document `d`, as `StoredDocument` reads it.
macro_rules! document {
    () => {
        concat!(
            "json_object('practice_id', d.practice_id, 'id', d.id, 'claim_id', d.claim_id,
               'claim_number', (SELECT c.claim_number FROM claims c WHERE c.practice_id = d.practice_id AND c.id = d.claim_id),
               'kind', d.kind, 'state', d.state, 'content_type', d.content_type, 'size', d.size, 'sha256', d.sha256,
               'key_version', d.key_version, 'sealed', d.sealed, 'uploaded_by', d.uploaded_by,
               'of_practice', json(iif((SELECT u.practice_id FROM users u WHERE u.id = d.uploaded_by) IS NULL, 'false', 'true')),
               'uploaded_at', d.uploaded_at, 'scans', d.scans,
               'uses', json((SELECT json_group_array(json_object('kind', u.kind, 'id', u.record_id)) FROM document_uses u
                 WHERE u.practice_id = d.practice_id AND u.document_id = d.id)),
               'legal_hold', json(iif(EXISTS (SELECT 1 FROM document_settings s
                 WHERE s.practice_id = d.practice_id AND s.legal_hold = 1), 'true', 'false')),
               'data_key', ",
            data_key!("d.practice_id"),
            ")"
        )
    };
}

/// One document of a practice: `?2` is its id.
macro_rules! one {
    ($practice:expr) => {
        concat!("SELECT ", document!(), " AS json FROM documents d WHERE d.practice_id = ", $practice, " AND d.id = ?2")
    };
}

/// A page of a practice; no row if there is no such practice. `?2` the id to start after, `?3` how many, `?4` a claim, `?5` a claim number, `?6` a kind, `?7` a
/// state.
macro_rules! list {
    ($practice:expr, $claim:expr) => {
        concat!(
            "SELECT json_group_array(json(",
            document!(),
            ")) AS json FROM (SELECT * FROM documents WHERE practice_id = ",
            $practice,
            " AND id < ?2 AND ",
            $claim,
            " AND (?6 IS NULL OR kind = ?6) AND (state = ?7 OR (?7 IS NULL AND state IN ('available', 'quarantined')))
               ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) d
             HAVING EXISTS (SELECT 1 FROM practices p WHERE p.id = ",
            $practice,
            ")"
        )
    };
}

/// Every document of a practice, whatever its claim.
macro_rules! of_any_claim {
    () => {
        "?4 IS NULL AND ?5 IS NULL"
    };
}

/// The documents of one claim, by its id or its number.
macro_rules! of_claim {
    ($practice:expr) => {
        concat!(
            "claim_id = coalesce(?4, (SELECT c.id FROM claims c WHERE c.practice_id = ",
            $practice,
            " AND c.claim_number = ?5)) AND (?5 IS NULL OR EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = ",
            $practice,
            " AND c.claim_number = ?5 AND c.id = claim_id))"
        )
    };
}

/// The documents that are attached to the `$kind` `?8`, and those of its claims, which `$claims` has. A claim narrows them.
macro_rules! of_record {
    ($practice:expr, $kind:literal, $claims:literal, $record:literal) => {
        concat!(
            "id IN (SELECT u.document_id FROM document_uses u
                 WHERE u.practice_id = ",
            $practice,
            " AND u.record_id = ?8 AND u.kind = '",
            $kind,
            "'
               UNION SELECT e.id FROM ",
            $claims,
            " m CROSS JOIN documents e WHERE m.practice_id = ",
            $practice,
            " AND m.",
            $record,
            " = ?8 AND e.practice_id = m.practice_id AND e.claim_id = m.claim_id)
             AND (?4 IS NULL OR claim_id = ?4) AND (?5 IS NULL OR claim_id = (SELECT c.id FROM claims c WHERE c.practice_id = ",
            $practice,
            " AND c.claim_number = ?5))"
        )
    };
}

/// Of a case.
macro_rules! of_case {
    ($practice:expr) => {
        of_record!($practice, "case", "case_claims", "case_id")
    };
}

/// Of a report.
macro_rules! of_report {
    ($practice:expr) => {
        of_record!($practice, "report", "report_claims", "report_id")
    };
}

/// `?1` the practice.
pub(crate) const ONE: &str = one!("?1");
/// `?1` the hash of the caller's credential.
pub(crate) const ONE_OF_CALLER: &str = one!(of_caller!());
/// `?1` the practice.
pub(crate) const LIST: &str = list!("?1", of_any_claim!());
/// `?1` the practice.
pub(crate) const LIST_OF_CLAIM: &str = list!("?1", of_claim!("?1"));
/// `?1` the hash of the caller's credential.
pub(crate) const LIST_OF_CALLER: &str = list!(of_caller!(), of_any_claim!());
/// `?1` the hash of the caller's credential.
pub(crate) const LIST_OF_CALLERS_CLAIM: &str = list!(of_caller!(), of_claim!(of_caller!()));
/// `?1` the practice, `?8` the case.
pub(crate) const LIST_OF_CASE: &str = list!("?1", of_case!("?1"));
/// `?1` the practice, `?8` the report.
pub(crate) const LIST_OF_REPORT: &str = list!("?1", of_report!("?1"));
/// `?1` the hash of the caller's credential, `?8` the case.
pub(crate) const LIST_OF_CALLERS_CASE: &str = list!(of_caller!(), of_case!(of_caller!()));
/// `?1` the hash of the caller's credential, `?8` the report.
pub(crate) const LIST_OF_CALLERS_REPORT: &str = list!(of_caller!(), of_report!(of_caller!()));

/// `?1` the practice, `?2` a list of `[claim id, claim number]`. The claims in this order, null for one that the practice does
/// not have. An id goes before a number.
pub(crate) const CLAIMS: &str = "SELECT json_group_array(json(found)) AS json FROM (
       SELECT coalesce(
         (SELECT json_object('id', c.id, 'claim_number', c.claim_number) FROM claims c
          WHERE c.practice_id = ?1 AND c.id = j.value ->> 0),
         (SELECT json_object('id', c.id, 'claim_number', c.claim_number) FROM claims c
          WHERE c.practice_id = ?1 AND j.value ->> 0 IS NULL AND c.claim_number = j.value ->> 1)) AS found
       FROM json_each(?2) j ORDER BY j.key)";

/// `?1` the hash of the caller's credential.
pub(crate) const SETTINGS: &str = concat!(
    "SELECT json_object('version', s.version, 'retention_days', s.retention_days, 'legal_hold', json(iif(s.legal_hold = 1, 'true', 'false'))) AS json
     FROM document_settings s WHERE s.practice_id = ",
    of_caller!()
);

/// `?1` now. Quarantined documents whose scan is due.
pub(crate) const TO_SCAN: &str = concat!(
    "SELECT json_group_array(json(",
    document!(),
    ")) AS json FROM (SELECT * FROM documents WHERE scan_at <= CAST(?1 AS INTEGER) AND state = 'quarantined'
       ORDER BY scan_at LIMIT 5) d"
);

/// `?1` now. Objects that are due to be removed.
pub(crate) const LOOSE: &str = "SELECT json_group_array(json_object('id', id, 'upload_id', upload_id)) AS json
     FROM (SELECT * FROM loose_objects WHERE due_at <= CAST(?1 AS INTEGER) ORDER BY due_at LIMIT 50)";

/// `?1` the document that an object was meant for. Only a loose object has a row.
pub(crate) const LOOSE_OBJECT: &str =
    "SELECT json_object('id', id, 'upload_id', upload_id) AS json FROM loose_objects WHERE id = ?1";

/// `?1` now, `?2` the default days, `?3` how many. Documents whose time is over: the days of the practice after the claim was final, or after
/// the upload if there is no claim. A document of an open case stays.
pub(crate) const EXPIRED: &str =
    "SELECT json_group_array(json_object('practice_id', practice_id, 'id', id, 'state', state)) AS json
     FROM (SELECT d.practice_id, d.id, d.state FROM documents d
       LEFT JOIN document_settings s ON s.practice_id = d.practice_id
       LEFT JOIN claims c ON c.practice_id = d.practice_id AND c.id = d.claim_id
       WHERE d.state IN ('available', 'quarantined') AND coalesce(s.legal_hold, 0) = 0
         AND (d.claim_id IS NULL OR c.status IN ('recovered', 'closed'))
         AND NOT EXISTS (SELECT 1 FROM document_uses u
           CROSS JOIN case_claims cc CROSS JOIN claims o
           WHERE u.practice_id = d.practice_id AND u.document_id = d.id AND u.kind = 'case'
             AND cc.practice_id = u.practice_id AND cc.case_id = u.record_id
             AND o.practice_id = cc.practice_id AND o.id = cc.claim_id AND o.status NOT IN ('recovered', 'closed'))
         AND max(d.uploaded_at, coalesce(c.updated_at, 0))
           + coalesce(s.retention_days, CAST(?2 AS INTEGER)) * 86400000 <= CAST(?1 AS INTEGER)
       LIMIT CAST(?3 AS INTEGER))";
