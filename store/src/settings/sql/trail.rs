//! The statements of the chain of audit trails. A trail is a practice's id, or `staff`.

/// The rows `$which` of trail `?1` in order, as `trail::Row` reads them: as many as fit into one value, and at most
/// `$most`.
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

/// `?1` the trail, `?2` the number to start after, `?3` how many.
pub(crate) const ROWS: &str = rows!("?2", "CAST(?3 AS INTEGER)");

/// `?1` the trail. The next unlinked rows.
pub(crate) const UNLINKED: &str =
    rows!("coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = ?1), 0)", "1000");

/// `?1` the trail, as `trail::ChainHead` reads it. No row before the first link.
pub(crate) const HEAD: &str =
    "SELECT json_array(seq, digest, key_version, mac) AS json FROM trail_heads WHERE practice_id = ?1";

/// `?1` the trail, `?2` the rows with the digest before each.
pub(crate) const LINK: &str = "WITH f AS MATERIALIZED (
       SELECT j.value ->> 0 AS id, j.value ->> 1 AS previous FROM json_each(?2) j)
     UPDATE audit SET previous = f.previous FROM f
     WHERE audit.practice_id = ?1 AND audit.id = f.id AND audit.previous IS NULL";

/// `?1` the trail, `?2` number, `?3` digest, `?4` key version, `?5` MAC. A head that is already further is not changed.
pub(crate) const MOVE_HEAD: &str =
    "INSERT INTO trail_heads (practice_id, seq, digest, key_version, mac) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (practice_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest,
       key_version = excluded.key_version, mac = excluded.mac WHERE excluded.seq > trail_heads.seq";

/// `?1` the trail to start after. The next trails with unlinked rows.
pub(crate) const BEHIND: &str = "SELECT json_group_array(trail) AS json FROM (
       SELECT t.trail FROM (SELECT id AS trail FROM practices UNION ALL SELECT 'staff') t
       WHERE t.trail > ?1 AND EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = t.trail
         AND a.seq > coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = t.trail), 0))
       ORDER BY t.trail LIMIT 25)";

/// `?1` the current key version. The heads under other versions, each with its trail.
pub(crate) const OLD_HEADS: &str =
    "SELECT json_group_array(json_array(practice_id, json_array(seq, digest, key_version, mac))) AS json
     FROM (SELECT * FROM trail_heads WHERE key_version <> ?1 LIMIT 500)";

/// `?1` trail, `?2` number, `?3` digest, `?4` key version, `?5` MAC. A head that has moved on is not changed.
pub(crate) const RENEW_HEAD: &str =
    "UPDATE trail_heads SET key_version = ?4, mac = ?5 WHERE practice_id = ?1 AND seq = ?2 AND digest = ?3";

/// The addresses of the active auditors.
pub(crate) const AUDITORS: &str = "SELECT json_group_array(email) AS json FROM users
     WHERE role = 'auditor' AND state = 'active'";
