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
