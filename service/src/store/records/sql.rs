//! The statements that write notices and audit rows. Only this file writes the audit trail. A trail is a practice's id,
//! or `staff`.

/// The next row number of trail `$of`. In this form SQLite reads only the end of the index.
macro_rules! next_sequence {
    ($of:literal) => {
        concat!(
            "1 + coalesce((SELECT n.seq FROM audit n WHERE n.practice_id = ",
            $of,
            " ORDER BY n.seq DESC LIMIT 1), 0)"
        )
    };
}

/// `?1` the practice, `?2` the submission, `?3` now, `?4` the actor, `?5` the request, `?6` the action, `?7` the address, `?8` the
/// session, `?9` the MAC, `?10` the claim numbers. The row has the id of its submission. Written after the claims, and only
/// where one of them is of this submission.
pub(crate) const AUDIT_SUBMISSION: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, session_id, mac, seq)
     SELECT ?1, ?2, ?3, ?4, ?6, ?2, ?5, ?7, ?8, ?9, ",
    next_sequence!("?1"),
    " WHERE EXISTS (
       SELECT 1 FROM json_each(?10) j CROSS JOIN claims c
       WHERE c.practice_id = ?1 AND c.claim_number = j.value AND c.submission_id = ?2)
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` the practice, `?2` the corrections, `?3` the audit row, `?4` now, `?5` the actor, `?6` the request, `?7` the
/// action, `?8` the address, `?9` the session, `?10` the MAC. Writes only if a correction changed something; the events say what.
pub(crate) const AUDIT_CORRECTED: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, session_id, mac, seq)
     SELECT ?1, ?3, ?4, ?5, ?7, ?6, ?6, ?8, ?9, ?10, ",
    next_sequence!("?1"),
    " WHERE EXISTS (
       SELECT 1 FROM json_each(?2) j CROSS JOIN claims c CROSS JOIN claim_events e
       WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number'
         AND e.practice_id = ?1 AND e.claim_id = c.id AND e.version = c.version
         AND e.kind = 'corrected' AND e.request_id = ?6)
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// The same for fill-ins. `?2` has each claim with the version that was read.
pub(crate) const AUDIT_FILLED_IN: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, session_id, mac, seq)
     SELECT ?1, ?3, ?4, ?5, ?7, ?6, ?6, ?8, ?9, ?10, ",
    next_sequence!("?1"),
    " WHERE EXISTS (
       SELECT 1 FROM json_each(?2) j CROSS JOIN claim_events e
       WHERE e.practice_id = ?1 AND e.claim_id = j.value ->> 'id' AND e.version = (j.value ->> 'version') + 1
         AND e.kind = 'filled_in' AND e.request_id = ?6)
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` trail, `?2` id, `?3` at, `?4` actor, `?5` action, `?6` record, `?7` request, `?8` detail, `?9` address, `?10`
/// session, `?11` MAC.
pub(crate) const AUDIT: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ",
    next_sequence!("?1"),
    ") ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` the rows, `?2` at, `?3` actor, `?4` request, `?5` address. Each row has the next number of its trail. SQLite reads
/// the trails before it inserts.
pub(crate) const AUDIT_ALL: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     SELECT j.value ->> 'trail', j.value ->> 'id', ?2, ?3, j.value ->> 'action', j.value ->> 'record', ?4,
       j.value ->> 'detail', ?5, j.value ->> 'session', j.value ->> 'mac',
       row_number() OVER (PARTITION BY j.value ->> 'trail' ORDER BY j.key) - 1 + ",
    next_sequence!("j.value ->> 'trail'"),
    " FROM json_each(?1) j WHERE true
     ON CONFLICT (practice_id, id) DO NOTHING"
);

/// The same as [`AUDIT`], but only if a mismatch limit is reached: `?12` to `?15` are the parameters of `reached`.
pub(crate) const AUDIT_REACHED: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ",
    next_sequence!("?1"),
    " WHERE ",
    reached!("?12", "?13", "?14", "?15"),
    " ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` practice, `?2` id, `?3` kind, `?4` now, `?5` due, `?6` what it is about.
pub(crate) const INSERT_NOTICE: &str =
    "INSERT INTO notices (practice_id, id, kind, at, due_at, next_at, about) VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?6)
     ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice of the trail, `?2` the audit row. Fails if the same batch ran before.
pub(crate) const GUARD_DONE: &str =
    "INSERT INTO guards (failed) SELECT 'done' WHERE EXISTS (SELECT 1 FROM audit WHERE practice_id = ?1 AND id = ?2)";
