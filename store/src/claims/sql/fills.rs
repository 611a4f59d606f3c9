//! The statements with which a resend fills in missing parts of a claim.

/// The claim `c` of a fill-in `j`, if it is unchanged since it was opened. A filing for a claim without a deadline does
/// not change the claim's version. So a claim whose deadline may depend on filings is checked for them, and the case whose
/// clock depends on the plan is checked for changes.
macro_rules! as_opened {
    () => {
        "c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id'
         AND c.version = j.value ->> 'version' AND c.key_version = j.value ->> 'key_version'
         AND (j.value ->> 'filed' IS NULL OR j.value ->> 'filed' = EXISTS (SELECT 1 FROM level_claims l
           WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.filed = 1))
         AND (j.value ->> 'case_version' IS NULL OR j.value ->> 'case_version' = (SELECT k.version FROM cases k
           WHERE k.practice_id = c.practice_id AND k.id = c.case_id))"
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
         FROM level_claims l WHERE l.practice_id = c.practice_id AND l.claim_id = c.id)),
       'in_case', json((SELECT json_object('id', k.id, 'version', k.version, 'levels', json((
           SELECT json_group_array(json_object('level', l.level, 'kind', l.kind, 'filed_on', l.filed_on,
             'decided_on', l.decided_on, 'decision_due', l.decision_due, 'decision_source', l.decision_source))
           FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l)))
         FROM cases k WHERE c.status = 'in_appeal' AND c.plan_type IS NULL AND k.practice_id = c.practice_id
           AND k.id = c.case_id)))) AS json
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

/// `?1` the practice, `?2` the fill-ins. Runs before the claims change. Of several claims of a case, the first day counts.
pub(crate) const UPDATE_CLOCKS: &str = concat!(
    "WITH f AS MATERIALIZED (
       SELECT j.value ->> 'case_id' AS case_id, j.value ->> 'level' AS level, min(j.value ->> 'decision_due') AS day,
         j.value ->> 'decision_source' AS source
       FROM json_each(?2) j CROSS JOIN claims c WHERE j.value ->> 'decision_due' IS NOT NULL AND ",
    as_opened!(),
    " GROUP BY 1, 2)
     UPDATE case_levels SET decision_due = f.day, decision_source = f.source
     FROM f WHERE case_levels.practice_id = ?1 AND case_levels.case_id = f.case_id AND case_levels.level = f.level
       AND (case_levels.decision_due IS NULL OR case_levels.decision_due > f.day)"
);

/// `?1` the practice, `?2` the fill-ins. Runs after the claims changed, which checks the version.
pub(crate) const RAISE_CASES: &str = "WITH f AS MATERIALIZED (
       SELECT DISTINCT j.value ->> 'case_id' AS id, j.value ->> 'case_version' AS version FROM json_each(?2) j
       WHERE j.value ->> 'decision_due' IS NOT NULL)
     UPDATE cases SET version = f.version + 1
     FROM f WHERE cases.practice_id = ?1 AND cases.id = f.id AND cases.version = f.version";
