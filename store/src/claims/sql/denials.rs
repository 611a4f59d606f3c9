//! The statements of a practice's own claims.
//!
//! A page follows the order of an index, and the filter is applied to the rows found there. A page scans a limited
//! number of claims. If that does not fill the page, `scanned` says where it stopped. This part reads only the index.

/// A claim `c`, as `core::claims::denials::StoredDenial` reads it.
macro_rules! denial {
    () => {
        concat!("json_object('id', c.id, 'claim_number', c.claim_number, 'payer_claim_number', c.payer_claim_number,
           'payer_name', c.payer_name, 'status', c.status, 'signing_status', c.signing_status, 'link', ", kept_link!(), ",
           'date_of_service', c.date_of_service, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
           'billed_cents', c.billed_cents, 'denied_cents', c.denied_cents, 'adjustment_codes', json(c.adjustment_codes),
           'appeal_due', c.appeal_due, 'appeal_due_from', ", due_from!(), ", 'letter', ", letter!(), ", 'report_id', c.report_id,
           'case_id', c.case_id, 'recovered_cents', c.recovered_cents, 'closing_reason', c.closing_reason, 'received_at', c.received_at,
           'updated_at', c.updated_at, 'changed', c.changed)")
    };
}

/// The practice `p` of a caller. `?1` is the hash of the credential.
macro_rules! practice {
    () => {
        "p AS MATERIALIZED (SELECT p.id, p.appeal_button FROM callers k JOIN practices p ON p.id = k.practice_id
           WHERE k.hash = ?1)"
    };
}

/// A page: the index column, the condition on it, and the last claim.
macro_rules! page {
    ($column: literal, $found: literal, $last: literal) => {
        concat!(
            "WITH ",
            practice!(),
            ", page AS MATERIALIZED (SELECT ",
            denial!(),
            " AS claim FROM (SELECT * FROM claims WHERE practice_id = (SELECT id FROM p) AND ",
            $found,
            " LIMIT CAST(?4 AS INTEGER)) c
               WHERE (?5 IS NULL OR c.status IN (SELECT value FROM json_each(?5)))
                 AND (?6 IS NULL OR c.payer_name = ?6 COLLATE NOCASE)
                 AND (?7 IS NULL OR coalesce(c.letter_denied, c.denial_date) >= ?7)
                 AND (?8 IS NULL OR coalesce(c.letter_denied, c.denial_date) <= ?8)
                 AND (?9 IS NULL OR c.received_at >= ?9) AND (?10 IS NULL OR c.received_at < ?10)
                 AND (?11 IS NULL OR c.updated_at >= ?11) AND (?12 IS NULL OR c.report_id = ?12)
                 AND (?13 IS NULL OR c.appeal_due >= ?13) AND (?14 IS NULL OR c.appeal_due <= ?14)
                 AND (?15 IS NULL OR c.signing_status IN (SELECT value FROM json_each(?15)))
                 AND (?16 IS NULL OR EXISTS (SELECT 1 FROM json_each(c.adjustment_codes) a WHERE a.value = ?16))
               LIMIT CAST(?3 AS INTEGER)), ",
            fit!("claim"),
            "
             SELECT json_object('practice_id', p.id, 'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
               'head', coalesce((SELECT changed FROM claims WHERE practice_id = p.id
                 ORDER BY changed DESC LIMIT 1), 0),
               'claims', json((SELECT list FROM fit)), 'cut', ",
            cut!(),
            ",
               'scanned', json(iif((SELECT found FROM fit) >= ?3, NULL, (SELECT json_object('count', count(*), ",
            $last,
            ") FROM (SELECT ",
            $column,
            " FROM claims WHERE practice_id = (SELECT id FROM p) AND ",
            $found,
            " LIMIT CAST(?4 AS INTEGER)))))) AS json FROM p"
        )
    };
}

/// `?1` the caller's hash, `?2` the claim to start after, `?3` how many to read, `?4` how many to scan, then the
/// filter: `?5` statuses, `?6` payer, `?7` and `?8` first and last day of the denial, `?9` and `?10` received from and
/// before, `?11` changed since, `?12` report, `?13` and `?14` first and last deadline, `?15` signing statuses, `?16` code. Newest
/// claims first.
pub(crate) const DENIALS: &str = page!("id", "id < ?2 ORDER BY id DESC", "'id', min(id)");

/// The same, with `?2` the change number to start after, in the order of the last changes.
pub(crate) const DENIALS_CHANGED: &str = page!("changed", "changed > ?2 ORDER BY changed", "'changed', max(changed)");

/// The same as [`DENIALS`] for the claim number `?17` only, which the primary key finds. The `+` keeps SQLite from
/// choosing the index for the order.
pub(crate) const DENIALS_OF_NUMBER: &str = page!("id", "claim_number = ?17 AND +id < ?2", "'id', min(id)");

/// The same as [`DENIALS_CHANGED`] for the claim number `?17` only.
pub(crate) const DENIALS_CHANGED_OF_NUMBER: &str =
    page!("changed", "claim_number = ?17 AND +changed > ?2", "'changed', max(changed)");

/// The same, with `?2` the deadline and `?18` the claim to start after. Open claims, the earliest deadline first, and
/// claims without one last.
pub(crate) const DENIALS_DUE: &str = page!(
    "ifnull(appeal_due, '~') || '_' || id AS place",
    "status IN ('received', 'reviewing', 'in_report', 'in_appeal') AND ifnull(appeal_due, '~') >= ?2
       AND (ifnull(appeal_due, '~'), id) > (?2, ?18)
       AND ?17 IS NULL ORDER BY ifnull(appeal_due, '~'), id",
    "'place', max(place)"
);

/// The same as [`DENIALS_DUE`] for the claim number `?17` only.
pub(crate) const DENIALS_DUE_OF_NUMBER: &str = page!(
    "ifnull(appeal_due, '~') || '_' || id AS place",
    "claim_number = ?17 AND +status IN ('received', 'reviewing', 'in_report', 'in_appeal')
       AND (ifnull(appeal_due, '~'), id) > (?2, ?18)",
    "'place', max(place)"
);

/// `?1` the caller's hash, `?2` the claim, `?3` how many events. An actor `user:<id>` is a person. No row for a claim
/// of another practice.
pub(crate) const DENIAL: &str = concat!(
    "WITH ",
    practice!(),
    " SELECT json_object('appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')), 'version', c.version, 'claim', ",
    denial!(),
    ", 'history', json((SELECT json_group_array(json_object('version', e.version, 'at', e.at, 'kind', e.kind,
         'status', e.status, 'actor', e.actor, 'detail', json(e.detail),
         'of_practice', json(iif(EXISTS (SELECT 1 FROM users u
           WHERE u.id = substr(e.actor, 6) AND u.practice_id = e.practice_id), 'true', 'false'))))
       FROM ",
    history!("?3"),
    " e))) AS json
     FROM p JOIN claims c ON c.practice_id = p.id WHERE c.id = ?2"
);

/// `?1` the caller's hash, `?2` the claim, as `denials::ClaimLink` reads it. The link is read only if a signature is needed.
/// No row for a claim of another practice.
pub(crate) const SIGNING_LINK: &str = concat!(
    "WITH ",
    practice!(),
    " SELECT json_object('practice_id', p.id, 'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')), 'claim', ",
    status_of_claim!(),
    ") AS json
     FROM p JOIN claims c ON c.practice_id = p.id WHERE c.id = ?2"
);
