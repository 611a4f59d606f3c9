//! The statements of second factors, recovery codes and continuations.

/// `?1` the continuation's hash. Every attempt counts, whether or not it succeeds, before anything is compared.
pub(crate) const COUNT_ATTEMPT: &str =
    "UPDATE continuations SET attempts = attempts + 1 WHERE hash = ?1 AND used_at IS NULL";

/// `?1` the continuation's hash, as `core::continuation::StoredContinuation` reads it.
pub(crate) const CONTINUATION: &str = concat!(
    "SELECT json_object('account', ",
    account!(),
    ", 'epoch', c.epoch, 'session_id', c.session_id, 'sso', json(iif(c.sso = 1, 'true', 'false')), 'expires_at', c.expires_at,
       'used', json(iif(c.used_at IS NULL, 'false', 'true')), 'attempts', c.attempts,
       'factor', json((SELECT ",
    factor!(),
    " FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)),
       'recovery', json((SELECT json_group_array(r.hash) FROM recovery_codes r WHERE r.user_id = u.id AND r.used_at IS NULL)))
       AS json
     FROM continuations c JOIN users u ON u.id = c.user_id AND u.state = 'active'
       LEFT JOIN practices p ON p.id = u.practice_id
     WHERE c.hash = ?1"
);

/// `?1` the caller's hash, as `recovery::RecoveryCodesLeft` reads it.
pub(crate) const RECOVERY_CODES_LEFT: &str = "SELECT json_object('left', count(*)) AS json FROM recovery_codes
     WHERE user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND used_at IS NULL";

/// `?1` the session's hash, `?2` the factor. A factor of its person that is not confirmed yet.
pub(crate) const WAITING_FACTOR: &str = concat!(
    "SELECT ",
    factor!(),
    " AS json FROM factors f
     WHERE f.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND f.id = ?2 AND f.confirmed_at IS NULL"
);

/// `?1` the account, `?2` now.
pub(crate) const FORGET_CONTINUATIONS: &str = "DELETE FROM continuations WHERE user_id = ?1 AND expires_at <= ?2";

/// `?1` hash, `?2` the account, `?3` epoch, `?4` the session, `?5` its end, `?6` whether it follows a trusted provider.
pub(crate) const INSERT_CONTINUATION: &str =
    "INSERT INTO continuations (hash, user_id, epoch, session_id, expires_at, sso) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (hash) DO NOTHING";

/// `?1` hash, `?2` now.
pub(crate) const USE_CONTINUATION: &str = "UPDATE continuations SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL";

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

/// `?1` the account, `?2` the factor, `?3` the step.
pub(crate) const UPDATE_STEP: &str =
    "UPDATE factors SET last_step = ?3 WHERE user_id = ?1 AND id = ?2 AND coalesce(last_step, -1) < ?3";

/// `?1` the account, `?2` the hashes that stay.
pub(crate) const DELETE_RECOVERY_CODES: &str =
    "DELETE FROM recovery_codes WHERE user_id = ?1 AND hash NOT IN (SELECT value FROM json_each(?2))";

/// `?1` the account, `?2` the hashes.
pub(crate) const INSERT_RECOVERY_CODES: &str =
    "INSERT INTO recovery_codes (user_id, hash) SELECT ?1, value FROM json_each(?2) WHERE true
     ON CONFLICT (user_id, hash) DO NOTHING";

/// `?1` the account, `?2` the hash, `?3` now.
pub(crate) const USE_RECOVERY_CODE: &str =
    "UPDATE recovery_codes SET used_at = ?3 WHERE user_id = ?1 AND hash = ?2 AND used_at IS NULL";
