//! SQL fragments that several contexts use.

/// A condition: patient data of a practice may be read or changed (`crate::auth::disclosure`).
macro_rules! readable {
    ($practice:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM practices p WHERE p.id = ",
            $practice,
            " AND p.state = 'active' AND ",
            agreement!("p.id"),
            ")"
        )
    };
}

/// A condition: a practice has an agreement in force.
macro_rules! agreement {
    ($practice:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = ",
            $practice,
            " AND a.kind = 'baa' AND a.ended_at IS NULL)"
        )
    };
}

/// A condition: programs and patients of a practice may use it: it has an agreement in force, or is a sandbox.
macro_rules! usable {
    ($practice:literal) => {
        concat!("EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = ", $practice, " AND a.ended_at IS NULL)")
    };
}

/// A destruction `j` of a practice waits or runs.
macro_rules! of_open_destruction {
    ($practice:literal) => {
        concat!("j.practice_id = ", $practice, " AND j.kind = 'destruction' AND j.state IN ('waiting', 'running')")
    };
}

/// A condition: the data of a practice is to be destroyed, or is being destroyed.
macro_rules! destruction_open {
    ($practice:literal) => {
        concat!("EXISTS (SELECT 1 FROM data_jobs j WHERE ", of_open_destruction!($practice), ")")
    };
}

/// A key `k` with its practice `p`, as `auth::key::Credential` reads it.
macro_rules! credential {
    () => {
        concat!(
            "json_array(k.practice_id, k.id, k.scopes, k.expires_at, k.revoked_at IS NOT NULL, k.last_used_at,
               p.state, ",
            usable!("p.id"),
            ", p.appeal_button, iif(p.sandbox_of IS NULL, NULL, p.clock_ms))"
        )
    };
}

/// The link of a claim `c` as `KeptLink` reads it: the newest that was neither revoked nor used. Only a claim that needs a
/// signature can have one.
macro_rules! kept_link {
    () => {
        "json(CASE WHEN c.signing_status = 'needed' THEN (
           SELECT json_object('created_at', l.created_at, 'expires_at', l.expires_at, 'tries', l.attempts)
           FROM signing_links l WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.revoked_at IS NULL
             AND l.used_at IS NULL ORDER BY l.id DESC LIMIT 1) END)"
    };
}

/// The newest data key of a practice, as `StoredDataKey` reads it; NULL if it has none. Wrapped in `json`, because
/// SQLite may forget that the result of a subquery is JSON.
macro_rules! data_key {
    ($practice:expr) => {
        concat!(
            "json((SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) FROM practice_keys dk WHERE dk.practice_id = ",
            $practice,
            " ORDER BY dk.version DESC LIMIT 1))"
        )
    };
}

/// The last `$most` events of claim `c`, in order. It equals the view `claim_history` for one claim, but SQLite would
/// read the whole view here. The event `received` comes from the audit row of the submission, which has the same id.
macro_rules! history {
    ($most:literal) => {
        concat!(
            "(SELECT * FROM (
               SELECT e.practice_id, e.version, e.at, e.kind, e.status, e.actor, e.detail FROM claim_events e
               WHERE e.practice_id = c.practice_id AND e.claim_id = c.id
               UNION ALL
               SELECT a.practice_id, 1, c.received_at, 'received', 'received', a.actor, NULL
               FROM audit a WHERE a.practice_id = c.practice_id AND a.id = c.submission_id
               ORDER BY version DESC LIMIT CAST(",
            $most,
            " AS INTEGER)) ORDER BY version)"
        )
    };
}

/// The last change number among the claims of `{practice}`, as `base.n`. In this form SQLite reads only the end of the
/// index. With `max` in a subquery it would scan the whole index.
macro_rules! base {
    () => {
        "base AS MATERIALIZED (SELECT coalesce((SELECT changed FROM claims
           WHERE practice_id = {practice} ORDER BY changed DESC LIMIT 1), 0) AS n)"
    };
}

/// The rows of `page` that fit into one value of the database, as `fit`: their list, how many rows the page has, and how
/// many fit. `$row` is a row's JSON.
macro_rules! fit {
    ($row:literal) => {
        concat!(
            "fit AS MATERIALIZED (SELECT json_group_array(json(",
            $row,
            ")) FILTER (WHERE size <= 1500000) AS list, count(*) AS found, count(*) FILTER (WHERE size <= 1500000) AS fits
             FROM (SELECT ",
            $row,
            ", sum(length(CAST(",
            $row,
            " AS BLOB))) OVER (ROWS UNBOUNDED PRECEDING) AS size FROM page))"
        )
    };
}

/// Whether `page` has rows that do not fit, see `fit`.
macro_rules! cut {
    () => {
        "json(iif((SELECT fits < found FROM fit), 'true', 'false'))"
    };
}

/// The row of a message `j` of `$rows` for each endpoint that subscribes to its kind. An endpoint that is switched off misses
/// the message, which may be delivered later.
macro_rules! deliveries {
    ($rows:literal, $now:literal) => {
        concat!(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at, state, last_error, sandbox)
             SELECT w.practice_id, w.id, j.value ->> 1, j.value ->> 2, j.value ->> 3, ",
            $now,
            ", ",
            $now,
            ", iif(w.state = 'active', 'pending', 'failed'), iif(w.state = 'active', NULL, 'endpoint_inactive'),
               (SELECT o.sandbox_of IS NOT NULL FROM practices o WHERE o.id = w.practice_id)
             FROM json_each(",
            $rows,
            ") j CROSS JOIN webhooks w
             WHERE w.practice_id = j.value ->> 0 AND w.state <> 'removed'
               AND instr(' ' || w.events || ' ', ' ' || (j.value ->> 2) || ' ') > 0"
        )
    };
}

/// The origin of the deadline of a claim `c`. The claim's own date is stored as the rule's, also if the letter names it.
macro_rules! due_from {
    () => {
        "iif(c.appeal_due_from = 'rule' AND c.letter_due IS c.appeal_due, 'letter', c.appeal_due_from)"
    };
}

/// The deadline of a claim `c`.
macro_rules! deadline {
    () => {
        concat!("iif(c.appeal_due IS NULL, NULL, json_object('date', c.appeal_due, 'from', ", due_from!(), "))")
    };
}

/// What a person read in the payer's letter about a claim `c`, as `plan::work::letter::Letter` reads it.
macro_rules! letter {
    () => {
        "iif(c.letter_at IS NULL, NULL, json_object('denial_date', c.letter_denied, 'plan_type', c.letter_plan,
           'appeal_due', c.letter_due, 'counts', c.letter_counts, 'read_by', c.letter_by, 'read_at', c.letter_at))"
    };
}

/// The details of a practice `p`, as `PracticeDetails` reads them.
macro_rules! practice_details {
    () => {
        "'address', json(p.address), 'npi', p.npi, 'tax_id', p.tax_id, 'phone', p.phone, 'time_zone', p.time_zone"
    };
}
