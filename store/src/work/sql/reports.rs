//! The statements of reports.

/// The claims of a report `r`, as `work::reports::ReportedClaim` reads them.
macro_rules! reported_claims {
    () => {
        concat!(
            "json((SELECT json_group_array(json_object('id', c.id, 'claim_number', c.claim_number, 'status', c.status,
         'deadline', ",
    deadline!(),
    ", 'payer_name', c.payer_name, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
         'amount_recovered', c.recovered_cents))
       FROM (SELECT c.* FROM report_claims m CROSS JOIN claims c
         WHERE m.practice_id = r.practice_id AND m.report_id = r.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
         ORDER BY c.claim_number) c))"
        )
    };
}

pub(crate) use reported_claims;

/// `?1` the practice, `?2` the report to start after, `?3` how many.
pub(crate) const LIST: &str = concat!(
    "SELECT json_group_array(json_object('id', r.id, 'delivered_at', r.delivered_at, 'delivered_by', ",
    colleague!("r.delivered_by"),
    ", 'claims', (SELECT count(*) FROM report_claims m WHERE m.practice_id = r.practice_id AND m.report_id = r.id))) AS json
     FROM (SELECT * FROM reports WHERE practice_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) r"
);

/// `?1` the practice, `?2` the report, as `work::reports::ReportView` reads it.
pub(crate) const VIEW: &str = concat!(
    "SELECT json_object('id', r.id, 'practice', ",
    practice!("r"),
    ", 'delivered_at', r.delivered_at, 'delivered_by', ",
    colleague!("r.delivered_by"),
    ", 'claims', ",
    reported_claims!(),
    ") AS json
     FROM reports r WHERE r.practice_id = ?1 AND r.id = ?2"
);

/// `?1` the practice, `?2` the report, `?3` now, `?4` the person who delivers it.
pub(crate) const INSERT: &str =
    "INSERT INTO reports (practice_id, id, delivered_at, delivered_by) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice, `?2` the report, `?3` its claims.
pub(crate) const INSERT_CLAIMS: &str = "INSERT INTO report_claims (practice_id, report_id, claim_id)
     SELECT ?1, ?2, j.value FROM json_each(?3) j WHERE true
     ON CONFLICT (practice_id, report_id, claim_id) DO NOTHING";
