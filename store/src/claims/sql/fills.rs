//! The statements with which a resend fills in missing parts of a claim.

/// The claim `c` of a fill-in `j`, if it is unchanged since it was opened. A filing for a claim without a deadline does
/// not change the claim's version. So a claim whose deadline may depend on filings is checked for them.
macro_rules! as_opened {
    () => {
        "c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id'
         AND c.version = j.value ->> 'version' AND c.key_version = j.value ->> 'key_version'
         AND (j.value ->> 'filed' IS NULL OR j.value ->> 'filed' = EXISTS (SELECT 1 FROM level_claims l
           WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.filed = 1))"
    };
}

/// `?1` the practice, `?2` the claims. As `core::claims::intake::ClaimToOpen` reads them.
pub(crate) const HELD: &str = concat!(
    "SELECT json_group_array(json_object('id', c.id, 'version', c.version, 'key_version', c.key_version,
       'sealed', c.sealed, 'status', c.status, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
       'deadline', ",
    deadline!(),
    ", 'letter', ",
    letter!(),
    ", 'levels', json((SELECT json_group_array(json_object('case_id', l.case_id, 'level', l.level,
         'filed', json(iif(l.filed = 1, 'true', 'false'))))
         FROM level_claims l WHERE l.practice_id = c.practice_id AND l.claim_id = c.id)))) AS json
     FROM json_each(?2) j CROSS JOIN claims c WHERE c.practice_id = ?1 AND c.id = j.value"
);

/// `?1` the practice, `?2` the fill-ins, `?3` now, `?4` the actor, `?5` the request. Runs before the claims change,
/// together with the corrections.
pub(crate) const INSERT_EVENTS: &str = concat!(
    "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
     SELECT ?1, c.id, c.version + 1, ?3, 'filled_in', c.status, ?4, ?5,
       iif(",
    corrects!(),
    ", json_set(j.value -> 'detail', '$.before', ",
    before!(),
    ", '$.after', ",
    after!(),
    "), j.value -> 'detail')
     FROM json_each(?2) j CROSS JOIN claims c WHERE ",
    as_opened!()
);

/// `?1` the practice, `?2` the fill-ins, `?3` now. Materialized, because SQLite would otherwise loop over all claims
/// first.
pub(crate) const UPDATE: &str = concat!(
    "WITH f AS MATERIALIZED (
       SELECT c.practice_id, c.claim_number, j.value AS fill, j.key + 1 AS n FROM json_each(?2) j CROSS JOIN claims c WHERE ",
    as_opened!(),
    "), ",
    base!(),
    "
     UPDATE claims SET denial_date = coalesce(denial_date, f.fill ->> 'denial_date'),
       plan_type = coalesce(plan_type, f.fill ->> 'plan_type'),
       payer_claim_number = f.fill ->> 'payer_claim_number', billed_cents = coalesce(f.fill ->> 'billed', billed_cents),
       denied_cents = coalesce(f.fill ->> 'denied', denied_cents), present = f.fill ->> 'present',
       adjustment_codes = coalesce(f.fill -> 'codes', adjustment_codes),
       sealed = coalesce(f.fill ->> 'sealed', sealed),
       appeal_due = coalesce(f.fill ->> '$.due.date', appeal_due),
       appeal_due_from = coalesce(f.fill ->> '$.due.from', appeal_due_from),
       version = version + 1, updated_at = ?3, changed = base.n + f.n
     FROM base, f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number AND +claims.practice_id = ?1"
);
