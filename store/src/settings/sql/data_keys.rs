//! The statements of practices' data keys.

/// `?1` the practice. No row if it has no data key.
pub(crate) const OF_PRACTICE: &str =
    "SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) AS json FROM practice_keys dk
     WHERE dk.practice_id = ?1 ORDER BY dk.version DESC LIMIT 1";

/// `?1` the practices. The newest key of each, in this order; null for a practice that has none.
pub(crate) const OF_PRACTICES: &str = concat!(
    "SELECT json_group_array(json(data_key)) AS json FROM (SELECT ",
    data_key!("j.value"),
    " AS data_key FROM json_each(?1) j ORDER BY j.key)"
);

/// `?1` the caller's hash. No row for an unknown caller, or if the practice has no data key.
pub(crate) const OF_CALLER: &str = "SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) AS json
     FROM callers c CROSS JOIN practice_keys dk
     WHERE c.hash = ?1 AND dk.practice_id = c.practice_id ORDER BY dk.version DESC LIMIT 1";

/// `?1` the practice, `?2` version, `?3` id, `?4` the wrapping key, `?5` wrapped, `?6` now. Does nothing if the
/// practice has a key; the guard after it detects that.
pub(crate) const INSERT: &str = "INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";

/// `?1` keys, each an array of practice, version and id. Aborts the batch if one is not its practice's data key.
pub(crate) const GUARD: &str = "INSERT INTO guards (failed) SELECT 'data_key' WHERE EXISTS (
       SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
         SELECT 1 FROM practice_keys WHERE practice_id = j.value ->> 0 AND version = j.value ->> 1 AND id = j.value ->> 2
           AND destroyed_at IS NULL))";

/// `?1` the practice, `?2` now. A key that is already destroyed is not changed.
pub(crate) const DESTROY: &str =
    "UPDATE practice_keys SET wrapped = NULL, destroyed_at = ?2 WHERE practice_id = ?1 AND destroyed_at IS NULL";
