//! The statements of sessions.

/// `?1` the session's hash, as `rows::standing` reads it. No row for an unknown one.
pub(crate) const SESSION: &str = concat!(
    "SELECT json_array(json_array(",
    standing!(),
    "), json_object('id', s.id, 'kind', s.kind, 'epoch', s.epoch, 'ends_at', s.ends_at, 'seen_at', s.seen_at,
       'verified_at', s.verified_at, 'revoked', json(iif(s.revoked_at IS NULL, 'false', 'true')),
       'sso', json(iif(s.sso = 1, 'true', 'false'))), NULL) AS json
     FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN practices p ON p.id = u.practice_id
     WHERE s.hash = ?1"
);

/// `?1` the account, `?2` the session, `?3` hash, `?4` kind, `?5` epoch, `?6` now, `?7` end, `?8` verified, `?9`
/// address, `?10` agent, `?11` whether it began by a trusted provider.
pub(crate) const INSERT_SESSION: &str =
    "INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, seen_at, ends_at, verified_at, ip, agent, sso)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (user_id, id) DO NOTHING";

/// `?1` the account, `?2` the session, `?3` now. Ends the earlier sessions if the practice allows only one.
pub(crate) const END_EARLIER_SESSIONS: &str =
    "UPDATE sessions SET revoked_at = ?3 WHERE user_id = ?1 AND id <> ?2 AND revoked_at IS NULL AND EXISTS (
       SELECT 1 FROM users u JOIN practices p ON p.id = u.practice_id WHERE u.id = ?1 AND p.single_session = 1)";

/// `?1` the account, `?2` an instant. Deletes sessions that ended before it.
pub(crate) const FORGET_SESSIONS: &str = "DELETE FROM sessions WHERE user_id = ?1 AND ends_at <= ?2";

/// `?1` the account, `?2` the session, `?3` now.
pub(crate) const END_SESSION: &str =
    "UPDATE sessions SET revoked_at = ?3 WHERE user_id = ?1 AND id = ?2 AND revoked_at IS NULL";

/// `?1` the account, `?2` the session that stays, `?3` now.
pub(crate) const END_OTHER_SESSIONS: &str =
    "UPDATE sessions SET revoked_at = ?3 WHERE user_id = ?1 AND id <> ?2 AND revoked_at IS NULL";

/// `?1` the practice, `?2` the account whose session `?3` stays, `?4` now, `?5` the last use at which a session has
/// been idle for too long. Every other member keeps the latest active session.
pub(crate) const END_SURPLUS_SESSIONS: &str = "UPDATE sessions SET revoked_at = ?4
     WHERE revoked_at IS NULL AND user_id IN (SELECT id FROM users WHERE practice_id = ?1)
       AND iif(user_id = ?2, id <> ?3, EXISTS (
         SELECT 1 FROM sessions later WHERE later.user_id = sessions.user_id AND later.id > sessions.id
           AND later.revoked_at IS NULL AND later.ends_at > ?4 AND later.seen_at > ?5 AND later.epoch = sessions.epoch))";
