//! The statements of the chain of audit trails. A trail is a practice's id, or `staff`.

/// The number of the next row of trail `$of`. In this form SQLite looks at the end of the index and nowhere else.
macro_rules! next_sequence {
    ($of:literal) => {
        concat!(
            "1 + coalesce((SELECT n.seq FROM audit n WHERE n.practice_id = ",
            $of,
            " AND n.seq > 0 ORDER BY n.seq DESC LIMIT 1), 0)"
        )
    };
}

/// `?1` the practice, `?2` the submission, `?3` the audit row, `?4` now, `?5` the actor, `?6` the request, `?7` the action, `?8` the
/// address, `?9` the MAC.
pub(crate) const AUDIT_SUBMISSION: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, mac, seq)
     SELECT ?1, ?3, ?4, ?5, ?7, s.id, ?6, ?8, ?9, ",
    next_sequence!("?1"),
    " FROM submissions s WHERE s.practice_id = ?1 AND s.id = ?2
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` the practice, `?2` the corrections, `?3` the audit row, `?4` now, `?5` the actor, `?6` the request, `?7` the action, `?8` the
/// address, `?9` the MAC. Only where a correction changed anything; the events say what.
pub(crate) const AUDIT_CORRECTED: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, mac, seq)
     SELECT ?1, ?3, ?4, ?5, ?7, ?6, ?6, ?8, ?9, ",
    next_sequence!("?1"),
    " WHERE EXISTS (
       SELECT 1 FROM json_each(?2) j CROSS JOIN claims c CROSS JOIN claim_events e
       WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number'
         AND e.practice_id = ?1 AND e.claim_id = c.id AND e.version = c.version
         AND e.kind = 'corrected' AND e.request_id = ?6)
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// Likewise of what was filled in, `?2` each claim with the version that it was read with.
pub(crate) const AUDIT_FILLED_IN: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, mac, seq)
     SELECT ?1, ?3, ?4, ?5, ?7, ?6, ?6, ?8, ?9, ",
    next_sequence!("?1"),
    " WHERE EXISTS (
       SELECT 1 FROM json_each(?2) j CROSS JOIN claim_events e
       WHERE e.practice_id = ?1 AND e.claim_id = j.value ->> 'id' AND e.version = (j.value ->> 'version') + 1
         AND e.kind = 'filled_in' AND e.request_id = ?6)
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` trail, `?2` id, `?3` at, `?4` actor, `?5` action, `?6` record, `?7` request, `?8` detail, `?9` address, `?10` session, `?11`
/// MAC.
pub(crate) const AUDIT: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ",
    next_sequence!("?1"),
    ") ON CONFLICT (practice_id, id) DO NOTHING"
);

/// Likewise, where a bound of mismatches is reached: `?12` to `?15` as `mismatches::reached` has them.
pub(crate) const AUDIT_REACHED: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ",
    next_sequence!("?1"),
    " WHERE ",
    crate::claims::sql::mismatches::reached!("?12", "?13", "?14", "?15"),
    " ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` a JSON list of trail and audit row, `?2` now, `?3` the actor, `?4` the request, `?5` the key version, `?6` the action, `?7` the
/// address.
pub(crate) const AUDIT_RESEAL: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, seq)
     SELECT j.value ->> 'trail', j.value ->> 'id', ?2, ?3, ?6, 'key_version:' || ?5, ?4, ?7, ",
    next_sequence!("j.value ->> 'trail'"),
    " FROM json_each(?1) j WHERE true
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// The rows `$which` of trail `?1`, in their order, as `trail::Row` reads them: as many as one value can carry, and at most `$most`.
macro_rules! rows {
    ($which:literal, $most:literal) => {
        concat!(
            "SELECT json_group_array(json_array(seq, id, at, actor, action, record, request_id, detail, address,
               session_id, mac, previous)) AS json
             FROM (SELECT a.*, sum(400 + length(record) + ifnull(length(detail), 0)) OVER (ORDER BY seq) AS size,
                     row_number() OVER (ORDER BY seq) AS n
                   FROM (SELECT * FROM audit WHERE practice_id = ?1 AND seq > ",
            $which,
            " ORDER BY seq LIMIT ",
            $most,
            ") a)
             WHERE n = 1 OR size <= 600000"
        )
    };
}

/// `?1` the trail, `?2` the number behind which to go on, `?3` how many.
pub(crate) const ROWS: &str = rows!("?2", "CAST(?3 AS INTEGER)");

/// `?1` the trail: the next rows that are not linked.
pub(crate) const UNLINKED: &str = rows!(
    "coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = ?1), 0)",
    "1000"
);

/// `?1` the trail, as `trail::Head` reads it. No row before anything is linked.
pub(crate) const HEAD: &str = "SELECT json_array(seq, digest, key_version, mac) AS json FROM trail_heads WHERE practice_id = ?1";

/// `?1` the trail, `?2` the rows with the digest before each.
pub(crate) const LINK: &str = "WITH f AS MATERIALIZED (
       SELECT j.value ->> 0 AS id, j.value ->> 1 AS previous FROM json_each(?2) j)
     UPDATE audit SET previous = f.previous FROM f
     WHERE audit.practice_id = ?1 AND audit.id = f.id AND audit.previous IS NULL";

/// `?1` the trail, `?2` number, `?3` digest, `?4` key version, `?5` MAC. A head that somebody moved further stays.
pub(crate) const MOVE_HEAD: &str =
    "INSERT INTO trail_heads (practice_id, seq, digest, key_version, mac) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (practice_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest,
       key_version = excluded.key_version, mac = excluded.mac WHERE excluded.seq > trail_heads.seq";

/// `?1` the trail behind which to go on: the next trails with rows that are not linked.
pub(crate) const BEHIND: &str = "SELECT json_group_array(trail) AS json FROM (
       SELECT t.trail FROM (SELECT id AS trail FROM practices UNION ALL SELECT 'staff') t
       WHERE t.trail > ?1 AND EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = t.trail
         AND a.seq > coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = t.trail), 0))
       ORDER BY t.trail LIMIT 25)";

/// `?1` the current key version: heads under others, each with its trail.
pub(crate) const OLD_HEADS: &str =
    "SELECT json_group_array(json_array(practice_id, json_array(seq, digest, key_version, mac))) AS json
     FROM (SELECT * FROM trail_heads WHERE key_version <> ?1 LIMIT 500)";

/// `?1` trail, `?2` number, `?3` digest, `?4` key version, `?5` MAC. One that moved on meanwhile stays.
pub(crate) const RENEW_HEAD: &str = "UPDATE trail_heads SET key_version = ?4, mac = ?5 WHERE practice_id = ?1 AND seq = ?2 AND digest = ?3";

/// `?1` the account, `?2` the session, `?3` the practice, `?4` the claim, `?5` the beginning of the window, `?6` how many patients.
/// One that was opened since counts no second time.
pub(crate) const GUARD_PATIENTS: &str =
    "INSERT INTO guards (failed) SELECT 'patients' FROM (
       SELECT c.patient_tag AS patient, max(CAST(?5 AS INTEGER), coalesce((SELECT s.verified_at FROM sessions s
         WHERE s.user_id = ?1 AND s.id = ?2), 0)) AS since
       FROM claims c WHERE c.practice_id = ?3 AND c.id = ?4) n
     WHERE NOT EXISTS (SELECT 1 FROM patients_opened o
         WHERE o.user_id = ?1 AND o.patient = n.patient AND o.at > n.since)
       AND (SELECT count(*) FROM patients_opened o WHERE o.user_id = ?1 AND o.at > n.since) >= ?6";

/// `?1` the account, `?2` the instant until which openings are forgotten.
pub(crate) const FORGET_OPENED: &str =
    "DELETE FROM patients_opened WHERE user_id = ?1 AND at <= ?2";

/// `?1` the instant until which openings are forgotten, whoever opened them.
pub(crate) const FORGET_ALL_OPENED: &str = "DELETE FROM patients_opened WHERE at <= ?1";

/// `?1` the account, `?2` the practice, `?3` the claim, `?4` now.
pub(crate) const OPEN_PATIENT: &str = "INSERT INTO patients_opened (user_id, patient, at)
     SELECT ?1, c.patient_tag, ?4 FROM claims c WHERE c.practice_id = ?2 AND c.id = ?3
     ON CONFLICT (user_id, patient) DO UPDATE SET at = max(at, excluded.at)";

/// `?1` the account, `?2` the session.
pub(crate) const GUARD_NOT_ALERTED: &str =
    "INSERT INTO guards (failed) SELECT 'done' WHERE EXISTS (
       SELECT 1 FROM sessions WHERE user_id = ?1 AND id = ?2 AND alerted_at > coalesce(verified_at, 0))";

/// `?1` the account, `?2` the session, `?3` now.
pub(crate) const ALERTED: &str =
    "UPDATE sessions SET alerted_at = ?3 WHERE user_id = ?1 AND id = ?2";

/// The addresses of the auditors in use.
pub(crate) const AUDITORS: &str = "SELECT json_group_array(email) AS json FROM users
     WHERE auditor = 1 AND state = 'active'";

/// `?1` the row after which to go on, `?2` how many: a page of the staff's own trail, as `audit::Stored` reads it. An actor has a
/// name where it is somebody of the staff.
pub(crate) const STAFF_AUDIT: &str =
    "SELECT json_group_array(json_object('id', a.id, 'at', a.at, 'actor', a.actor, 'actor_name',
       CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.role = 'staff')
       END, 'action', a.action, 'record', a.record, 'request_id', a.request_id, 'detail', json(a.detail),
       'sequence', a.seq, 'address', a.address, 'session_id', a.session_id)) AS json
     FROM (SELECT * FROM audit WHERE practice_id = 'staff' AND id < ?1
       ORDER BY id DESC LIMIT CAST(?2 AS INTEGER)) a";

/// `?1` a JSON list of practice, data key and audit row, `?2` now, `?3` the actor, `?4` the request, `?5` the action. Only for
/// keys that are there.
pub(crate) const AUDIT_DATA_KEYS: &str =
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id)
     SELECT j.value ->> 0, j.value ->> 2, ?2, ?3, ?5, j.value ->> 1, ?4
     FROM json_each(?1) j CROSS JOIN practice_keys d
     WHERE d.practice_id = j.value ->> 0 AND d.id = j.value ->> 1
     ON CONFLICT (practice_id, id) DO NOTHING";
