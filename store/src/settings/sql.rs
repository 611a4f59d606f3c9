//! The statements of a practice's settings.

pub(crate) mod data_jobs;
pub(crate) mod data_keys;
pub(crate) mod trail;

/// `?1` the practice, `?2` the state.
pub(crate) const UPDATE_PRACTICE_STATE: &str = "UPDATE practices SET state = ?2 WHERE id = ?1";

/// `?1` the practice, `?2` the agreement that stays, `?3` now.
pub(crate) const END_OTHER_AGREEMENTS: &str = "UPDATE agreements SET ended_at = ?3
     WHERE practice_id = ?1 AND kind = 'baa' AND id <> ?2 AND ended_at IS NULL";

/// `?1` the practice, `?2` the key, `?3` now.
pub(crate) const REVOKE_API_KEY: &str =
    "UPDATE api_keys SET revoked_at = ?3 WHERE practice_id = ?1 AND id = ?2 AND revoked_at IS NULL";

/// `?1` id, `?2` name, `?3` state, `?4` appeal button, `?5` created.
pub(crate) const INSERT_PRACTICE: &str =
    "INSERT INTO practices (id, name, state, appeal_button, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO NOTHING";

/// `?1` practice, `?2` id, `?3` version, `?4` signer's name, `?5` signer's title, `?6` signed, `?7` by
/// which account, `?8` from which address.
pub(crate) const INSERT_AGREEMENT: &str =
    "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at, signed_by, signed_from)
     VALUES (?1, ?2, 'baa', ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` practice, `?2` id, `?3` name, `?4` hash, `?5` hint, `?6` scopes, `?7` created, `?8` expires, `?9` revoked,
/// `?10` who made it.
pub(crate) const INSERT_API_KEY: &str =
    "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at, revoked_at, created_by)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice, `?2` the key, `?3` now. An older time never replaces a newer one.
pub(crate) const TOUCH_API_KEY: &str = "UPDATE api_keys SET last_used_at = ?3
     WHERE practice_id = ?1 AND id = ?2 AND coalesce(last_used_at, 0) < ?3";
