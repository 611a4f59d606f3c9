//! The statements of second factors, recovery codes and continuations.

/// `?1` the account, `?2` now.
pub(crate) const FORGET_CONTINUATIONS: &str = "DELETE FROM continuations WHERE user_id = ?1 AND expires_at <= ?2";

/// `?1` hash, `?2` the account, `?3` epoch, `?4` the session, `?5` its end, `?6` whether it follows a trusted provider.
pub(crate) const INSERT_CONTINUATION: &str =
    "INSERT INTO continuations (hash, user_id, epoch, session_id, expires_at, sso) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (hash) DO NOTHING";

/// `?1` the account. Deletes factors that were never confirmed.
pub(crate) const FORGET_FACTORS: &str = "DELETE FROM factors WHERE user_id = ?1 AND confirmed_at IS NULL";

/// `?1` the account, `?2` the factor, `?3` key version, `?4` sealed, `?5` now.
pub(crate) const INSERT_FACTOR: &str =
    "INSERT INTO factors (user_id, id, key_version, sealed, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (user_id, id) DO NOTHING";

/// `?1` the account, `?2` the factor that stays.
pub(crate) const DELETE_OTHER_FACTORS: &str = "DELETE FROM factors WHERE user_id = ?1 AND id <> ?2";

/// `?1` the account, `?2` the factor, `?3` now.
pub(crate) const CONFIRM_FACTOR: &str =
    "UPDATE factors SET confirmed_at = ?3 WHERE user_id = ?1 AND id = ?2 AND confirmed_at IS NULL";

/// `?1` the account, `?2` the hashes that stay.
pub(crate) const DELETE_RECOVERY_CODES: &str =
    "DELETE FROM recovery_codes WHERE user_id = ?1 AND hash NOT IN (SELECT value FROM json_each(?2))";

/// `?1` the account, `?2` the hashes.
pub(crate) const INSERT_RECOVERY_CODES: &str =
    "INSERT INTO recovery_codes (user_id, hash) SELECT ?1, value FROM json_each(?2) WHERE true
     ON CONFLICT (user_id, hash) DO NOTHING";

/// `?1` the account and `?2` the factor to start after. The next factors of any account.
pub(crate) const RESEAL_PAGE: &str = "SELECT json_group_array(json_array(user_id, id, key_version, sealed)) AS json
     FROM (SELECT * FROM factors WHERE (user_id, id) > (?1, ?2) ORDER BY user_id, id LIMIT 500)";

/// `?1` the re-sealed factors, `?2` the key version. A factor that got another key in between is not changed.
pub(crate) const RESEAL_FACTORS: &str = "WITH f AS MATERIALIZED (
       SELECT j.value ->> 'user_id' AS user_id, j.value ->> 'id' AS id, j.value ->> 'was' AS was,
         j.value ->> 'sealed' AS sealed
       FROM json_each(?1) j)
     UPDATE factors SET sealed = f.sealed, key_version = ?2 FROM f
     WHERE factors.user_id = f.user_id AND factors.id = f.id AND factors.key_version = f.was";
