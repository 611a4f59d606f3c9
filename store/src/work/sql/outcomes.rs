//! The statements of reports and cases, as the practice of a caller sees them. `?1` is the hash of the credential.

use crate::work::sql::cases::{case_claims, in_appeal, last_level};
use crate::work::sql::reports::reported_claims;

/// The documents that are attached to a record `$of` of a kind, as `StoredAttachment` reads them.
macro_rules! attached {
    ($kind:literal, $of:literal) => {
        concat!(
            "json((SELECT json_group_array(json_object('practice_id', d.practice_id, 'id', d.id, 'key_version', d.key_version,
               'sealed', d.sealed, 'size', d.size, 'content_type', d.content_type,
               'state', d.state, 'data_key', ",
            data_key!("d.practice_id"),
            ")) FROM (SELECT d.* FROM document_uses u CROSS JOIN documents d
               WHERE u.practice_id = ",
            $of,
            ".practice_id AND u.kind = ",
            $kind,
            " AND u.record_id = ",
            $of,
            ".id AND d.practice_id = u.practice_id AND d.id = u.document_id AND d.state IN ('available', 'quarantined')
               ORDER BY d.id) d))"
        )
    };
}

/// `?2` the report to start after, `?3` how many.
pub(crate) const REPORTS: &str = concat!(
    "SELECT json_group_array(json_object('id', r.id, 'delivered_at', r.delivered_at, 'claims',
       (SELECT count(*) FROM report_claims m WHERE m.practice_id = r.practice_id AND m.report_id = r.id))) AS json
     FROM (SELECT * FROM reports WHERE practice_id = ",
    of_caller!(),
    " AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) r"
);

/// `?2` the report, as `work::outcomes::PracticeReport` reads it.
pub(crate) const REPORT: &str = concat!(
    "SELECT json_object('id', r.id, 'delivered_at', r.delivered_at, 'claims', ",
    reported_claims!(),
    ", 'documents', ",
    attached!("'report'", "r"),
    ") AS json FROM reports r WHERE r.practice_id = ",
    of_caller!(),
    " AND r.id = ?2"
);

/// `?2` the appeal to start after, `?3` how many.
pub(crate) const APPEALS: &str = concat!(
    "SELECT json_group_array(json_object('id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at,
       'claims', (SELECT count(*) FROM case_claims m WHERE m.practice_id = k.practice_id AND m.case_id = k.id),
       'in_appeal', ",
    in_appeal!(),
    ", 'level', ",
    last_level!(),
    ")) AS json FROM (SELECT * FROM cases WHERE practice_id = ",
    of_caller!(),
    " AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) k"
);

/// `?2` the appeal, as `work::outcomes::Appeal` reads it.
pub(crate) const APPEAL: &str = concat!(
    "SELECT json_object('id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at, 'claims', ",
    case_claims!(),
    ", 'levels', json((SELECT json_group_array(json_object(",
    level!(),
    ", 'begun_at', l.begun_at)) FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id
         ORDER BY level) l)), 'documents', ",
    attached!("'case'", "k"),
    ") AS json FROM cases k WHERE k.practice_id = ",
    of_caller!(),
    " AND k.id = ?2"
);
