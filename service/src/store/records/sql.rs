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

/// The number of parameters of [`AUDIT`].
pub(crate) const AUDIT_PARAMS: usize = 11;

/// The same as [`AUDIT`] if a condition holds, whose values have the numbers from `?12` on.
pub(crate) const AUDIT_IF: &str = concat!(
    "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ",
    next_sequence!("?1"),
    " WHERE {CONDITION} ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` practice, `?2` id, `?3` kind, `?4` now, `?5` due, `?6` what it is about.
pub(crate) const INSERT_NOTICE: &str =
    "INSERT INTO notices (practice_id, id, kind, at, due_at, next_at, about) VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?6)
     ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice of the trail, `?2` the audit row. Fails if the same batch ran before.
pub(crate) const GUARD_DONE: &str =
    "INSERT INTO guards (failed) SELECT 'done' WHERE EXISTS (SELECT 1 FROM audit WHERE practice_id = ?1 AND id = ?2)";
