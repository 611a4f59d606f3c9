//! The statements of a practice's settings.

/// The practice of a caller, `?1` the hash of what was presented.
macro_rules! of_caller {
    () => {
        "(SELECT practice_id FROM callers WHERE hash = ?1)"
    };
}

/// `?1` the caller's hash, `?2` the key after which to go on, `?3` how many.
pub(in crate::store) const API_KEYS: &str = concat!(
    "SELECT json_group_array(json_object('id', k.id, 'name', k.name, 'prefix', k.hint,
       'scopes', json('[\"' || replace(k.scopes, ' ', '\",\"') || '\"]'), 'created_at', k.created_at,
       'expires_at', k.expires_at, 'revoked_at', k.revoked_at, 'last_used_at', k.last_used_at)) AS json
     FROM (SELECT * FROM api_keys WHERE practice_id = ",
    of_caller!(),
    " AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) k"
);

/// `?1` the caller's hash, `?2` the key. No row for one of another practice.
pub(in crate::store) const API_KEY: &str = concat!(
    "SELECT json_object('id', k.id, 'revoked_at', k.revoked_at) AS json FROM api_keys k WHERE k.practice_id = ",
    of_caller!(),
    " AND k.id = ?2"
);

/// `?1` the practice, `?2` name, `?3` appeal button, `?4` one session: NULL leaves it.
pub(in crate::store) const UPDATE_PRACTICE: &str =
    "UPDATE practices SET name = coalesce(?2, name), appeal_button = coalesce(CAST(?3 AS INTEGER), appeal_button),
       single_session = coalesce(CAST(?4 AS INTEGER), single_session)
     WHERE id = ?1";

/// `?1` the practice, `?2` the state.
pub(in crate::store) const UPDATE_PRACTICE_STATE: &str =
    "UPDATE practices SET state = ?2 WHERE id = ?1";

/// `?1` the practice, `?2` the agreement that stays, `?3` now.
pub(in crate::store) const END_OTHER_AGREEMENTS: &str = "UPDATE agreements SET ended_at = ?3
     WHERE practice_id = ?1 AND kind = 'baa' AND id <> ?2 AND ended_at IS NULL";

/// `?1` the practice, `?2` the key, `?3` now.
pub(in crate::store) const REVOKE_API_KEY: &str =
    "UPDATE api_keys SET revoked_at = ?3 WHERE practice_id = ?1 AND id = ?2 AND revoked_at IS NULL";

/// `?1` practice, `?2` id, `?3` account, `?4` name, `?5` hash, `?6` hint, `?7` scopes, `?8` created, `?9` expires.
pub(in crate::store) const INSERT_API_TOKEN: &str =
    "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice, `?2` the token, `?3` the one that replaces it, `?4` when it ends.
pub(in crate::store) const REPLACE_API_TOKEN: &str =
    "UPDATE api_tokens SET replaced_by = ?3, expires_at = min(expires_at, CAST(?4 AS INTEGER))
     WHERE practice_id = ?1 AND id = ?2 AND replaced_by IS NULL";

/// `?1` the practice, `?2` the token, `?3` now.
pub(in crate::store) const REVOKE_API_TOKEN: &str = "UPDATE api_tokens SET revoked_at = ?3
     WHERE practice_id = ?1 AND id = ?2 AND revoked_at IS NULL";
