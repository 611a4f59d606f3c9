//! The statements of the staff's work. Staff belong to no practice, so each statement about a record takes its
//! practice. Only the queue covers all practices.

/// A staff member `u`, as colleagues see them; NULL if there is none.
macro_rules! colleague {
    ($id:literal) => {
        concat!(
            "json((SELECT json_object('id', u.id, 'name', coalesce(nullif(u.name, ''), u.email)) FROM users u WHERE u.id = ",
            $id,
            "))"
        )
    };
}

/// The practice of a record.
macro_rules! practice {
    ($of:literal) => {
        concat!(
            "json((SELECT json_object('id', p.id, 'name', p.name) FROM practices p WHERE p.id = ",
            $of,
            ".practice_id))"
        )
    };
}

/// A claim `c`, as `work::claims::Stored` reads it.
macro_rules! stored {
    () => {
        concat!(
            "json_object('id', c.id, 'claim_number', c.claim_number, 'version', c.version, 'status', c.status,
               'signing_status', c.signing_status, 'taken_by', c.taken_by, 'case_id', c.case_id, 'deadline', ",
            deadline!(),
            ", 'plan_type', c.plan_type, 'denial_date', c.denial_date, 'letter', ",
            letter!(),
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

/// `?1` the practice, `?2` the claim, as `work::claims::Stored` reads it.
pub(crate) const CLAIM: &str =
    concat!("SELECT ", stored!(), " AS json FROM claims c WHERE c.practice_id = ?1 AND c.id = ?2");

/// A claim `c` with the last level of its case, as `work::letter::ClaimOfLetter` reads it.
macro_rules! of_letter {
    ($practice:expr) => {
        concat!(
            "SELECT json_object('practice_id', c.practice_id, 'claim', ",
            stored!(),
            ", 'last', json((SELECT json_object(",
            level!(),
            ") FROM case_levels l WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id
                 ORDER BY l.level DESC LIMIT 1))) AS json
             FROM claims c WHERE c.practice_id = ",
            $practice,
            " AND c.id = ?2"
        )
    };
}

/// `?1` the practice, `?2` the claim.
pub(crate) const CLAIM_OF_LETTER: &str = of_letter!("?1");

/// `?1` the caller's hash, `?2` the claim.
pub(crate) const OWN_CLAIM_OF_LETTER: &str = of_letter!(of_caller!());

/// `?1` the practice, `?2` the claims, in this order; null for a claim that the practice does not have.
pub(crate) const CLAIMS: &str = concat!(
    "SELECT json_group_array(json(claim)) AS json FROM (
       SELECT (SELECT ",
    stored!(),
    " FROM claims c WHERE c.practice_id = ?1 AND c.id = j.value) AS claim FROM json_each(?2) j ORDER BY j.key)"
);

/// `?1` claims, each an array of practice and claim: each in this order, as `several::FoundClaim` reads it.
pub(crate) const FOUND: &str = concat!(
    "SELECT json_group_array(json(found)) AS json FROM (
       SELECT json_object('practice', json((SELECT json_array(p.state, json(iif(",
    agreement!("p.id"),
    ", 'true', 'false'))) FROM practices p WHERE p.id = j.value ->> 0)), 'claim', json((SELECT ",
    stored!(),
    " FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1))) AS found
       FROM json_each(?1) j ORDER BY j.key)"
);

/// `?1` the account, as `work::take::Worker` reads it. The list of colleagues has the same accounts.
pub(crate) const WORKER: &str = "SELECT json_object('id', id, 'epoch', epoch) AS json FROM users
     WHERE id = ?1 AND practice_id IS NULL AND role = 'staff' AND state = 'active'";

pub(crate) mod cases;
pub(crate) mod levels;
pub(crate) mod outcomes;
pub(crate) mod pace;
pub(crate) mod queue;
pub(crate) mod related;
pub(crate) mod reports;

/// `?1` the practice, `?2` the claim, as `work::view::StoredView` reads it. `?3` how many of the latest events, `?4`
/// how many notes: one value may have 2 MB.
pub(crate) const CLAIM_VIEW: &str = concat!(
    "SELECT json_object('facts', json_object('id', c.id, 'practice', ",
    practice!("c"),
    ", 'version', c.version, 'claim_number', c.claim_number, 'status', c.status, 'signing_status', c.signing_status,
       'taken_by', ",
    colleague!("c.taken_by"),
    ", 'deadline', ",
    deadline!(),
    ", 'payer_claim_number', c.payer_claim_number, 'payer_name', c.payer_name, 'date_of_service', c.date_of_service,
       'denial_date', c.denial_date, 'plan_type', c.plan_type, 'letter', ",
    letter!(),
    ", 'billed_amount', c.billed_cents,
       'denied_amount', c.denied_cents, 'amount_recovered', c.recovered_cents, 'closing_reason', c.closing_reason,
       'report_id', c.report_id, 'case_id', c.case_id, 'received_at', c.received_at, 'updated_at', c.updated_at),
       'key_version', c.key_version, 'sealed', c.sealed,
       'history', json((SELECT json_group_array(json_object('version', e.version, 'at', e.at, 'kind', e.kind,
           'status', e.status, 'actor', e.actor, 'actor_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
             WHERE e.actor LIKE 'user:%' AND u.id = substr(e.actor, 6)),
           'holder_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = e.detail ->> 'taken_by'),
           'detail', json(e.detail)))
         FROM ",
    history!("?3"),
    " e)),
       'notes', json((SELECT json_group_array(json_object('id', n.id, 'at', n.at, 'author', ",
    colleague!("n.author"),
    ", 'key_version', n.key_version, 'sealed', n.sealed))
         FROM (SELECT * FROM (SELECT * FROM claim_notes WHERE practice_id = c.practice_id AND claim_id = c.id
           ORDER BY id DESC LIMIT CAST(?4 AS INTEGER)) ORDER BY id) n)),
       'signing_link', ",
    kept_link!(),
    ", 'practice_details', json((SELECT json_object(",
    practice_details!(),
    ") FROM practices p WHERE p.id = c.practice_id))) AS json
     FROM claims c WHERE c.practice_id = ?1 AND c.id = ?2"
);

/// `?1` the claims, each an array of practice, claim and the version that was read.
pub(crate) const GUARD_CLAIMS: &str =
    "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
         SELECT 1 FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1 AND c.version = j.value ->> 2))";

/// `?1` the claims, each an array of practice, claim and whether something was filed for it when it was read.
pub(crate) const GUARD_FILED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM json_each(?1) j WHERE j.value ->> 2 IS NOT EXISTS (
         SELECT 1 FROM level_claims l WHERE l.practice_id = j.value ->> 0 AND l.claim_id = j.value ->> 1 AND l.filed = 1))";

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

/// `?1` the practice, `?2` the claim, `?3` the note, `?4` now, `?5` the author, `?6` the key version, `?7` the sealed
/// text.
pub(crate) const INSERT_NOTE: &str =
    "INSERT INTO claim_notes (practice_id, claim_id, id, at, author, key_version, sealed)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (practice_id, claim_id, id) DO NOTHING";
