//! The statements that read a claim before a change, and that change claims.

/// A claim `c`, as `StoredWorkClaim` reads it.
#[macro_export]
macro_rules! stored_claim {
    () => {
        concat!(
            "json_object('id', c.id, 'claim_number', c.claim_number, 'version', c.version, 'status', c.status,
               'signing_status', c.signing_status, 'taken_by', c.taken_by, 'case_id', c.case_id, 'deadline', ",
            $crate::deadline!(),
            ", 'plan_type', c.plan_type, 'denial_date', c.denial_date, 'letter', ",
            $crate::letter!(),
            ",
               'case', json((SELECT json_object('version', o.version, 'level', coalesce((
                   SELECT l.level FROM case_levels l WHERE l.practice_id = o.practice_id AND l.case_id = o.id
                   ORDER BY l.level DESC LIMIT 1), 0))
                 FROM cases o WHERE o.practice_id = c.practice_id AND o.id = c.case_id)),
               'levels', json((SELECT json_group_array(json_object('case_id', e.case_id, 'level', e.level,
                   'filed', json(iif(e.filed = 1, 'true', 'false')), 'paid', iif(e.recovered_cents IS NULL, NULL,
                     json_object('amount', e.recovered_cents, 'at', e.recovered_at,
                       'stands', json(iif(e.stands = 1, 'true', 'false'))))))
                 FROM level_claims e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id)))"
        )
    };
}

/// `?1` the practice, `?2` the claim, as `StoredWorkClaim` reads it.
pub(crate) const CLAIM: &str =
    concat!("SELECT ", stored_claim!(), " AS json FROM claims c WHERE c.practice_id = ?1 AND c.id = ?2");

/// `?1` the practice, `?2` the claims, in this order; null for a claim that the practice does not have.
pub(crate) const CLAIMS: &str = concat!(
    "SELECT json_group_array(json(claim)) AS json FROM (
       SELECT (SELECT ",
    stored_claim!(),
    " FROM claims c WHERE c.practice_id = ?1 AND c.id = j.value) AS claim FROM json_each(?2) j ORDER BY j.key)"
);

/// `?1` claims, each an array of practice and claim: each in this order, as `several::FoundClaim` reads it.
pub(crate) const FOUND: &str = concat!(
    "SELECT json_group_array(json(found)) AS json FROM (
       SELECT json_object('practice', json((SELECT json_array(p.state, json(iif(",
    agreement!("p.id"),
    ", 'true', 'false'))) FROM practices p WHERE p.id = j.value ->> 0)), 'claim', json((SELECT ",
    stored_claim!(),
    " FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1))) AS found
       FROM json_each(?1) j ORDER BY j.key)"
);

/// `?1` the claims, each an array of practice, claim and the version that was read.
pub(crate) const GUARD_CLAIMS: &str =
    "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
         SELECT 1 FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1 AND c.version = j.value ->> 2))";

/// `?1` the changes, `?2` now, `?3` the actor, `?4` the request.
pub(crate) const INSERT_CHANGE_EVENTS: &str =
    "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
     SELECT c.practice_id, c.id, c.version + 1, ?2, j.value ->> 'kind', j.value ->> 'status', ?3, ?4, j.value -> 'detail'
     FROM json_each(?1) j CROSS JOIN claims c
     WHERE c.practice_id = j.value ->> 'practice' AND c.id = j.value ->> 'id' AND c.version = j.value ->> 'version'";

/// The new value of a column; a field that the change does not name stays.
macro_rules! set {
    ($column:literal) => {
        concat!(
            $column,
            " = iif(json_type(f.change, '$.set.",
            $column,
            "') IS NULL, ",
            $column,
            ", f.change ->> '$.set.",
            $column,
            "')"
        )
    };
}

/// `?1` the changes, `?2` now. Each practice numbers its changes. Materialized, because SQLite would otherwise loop over all
/// claims first. In this form it reads only the end of the index of numbers.
pub(crate) const UPDATE_CHANGED: &str = concat!(
    "WITH f AS MATERIALIZED (
       SELECT c.practice_id, c.claim_number, j.value AS change,
         row_number() OVER (PARTITION BY c.practice_id ORDER BY j.key) + coalesce((SELECT b.changed FROM claims b
           WHERE b.practice_id = c.practice_id AND b.changed > 0 ORDER BY b.changed DESC LIMIT 1), 0) AS n
       FROM json_each(?1) j CROSS JOIN claims c
       WHERE c.practice_id = j.value ->> 'practice' AND c.id = j.value ->> 'id' AND c.version = j.value ->> 'version')
     UPDATE claims SET status = f.change ->> 'status', signing_status = f.change ->> 'signing', version = version + 1,
       updated_at = ?2, changed = f.n,
       ",
    set!("appeal_due"),
    // The table knows no third origin, see `due_from`.
    ", appeal_due_from = iif(json_type(f.change, '$.set.appeal_due_from') IS NULL, appeal_due_from,
         iif(f.change ->> '$.set.appeal_due_from' = 'letter', 'rule', f.change ->> '$.set.appeal_due_from')), ",
    set!("letter_denied"),
    ", ",
    set!("letter_plan"),
    ", ",
    set!("letter_due"),
    ", ",
    set!("letter_counts"),
    ", ",
    set!("letter_by"),
    ", ",
    set!("letter_at"),
    ", ",
    set!("taken_by"),
    ", ",
    set!("report_id"),
    ", ",
    set!("case_id"),
    ", ",
    set!("recovered_cents"),
    ", ",
    set!("closing_reason"),
    " FROM f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number"
);
