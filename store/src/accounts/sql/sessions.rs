//! The statements of sessions.

/// `?1` the session's hash. The session with the facts that its person sees.
pub(crate) const SESSION_FACTS: &str =
    "SELECT json_object('id', id, 'kind', kind, 'created_at', created_at, 'ends_at', ends_at,
       'verified_at', verified_at) AS json FROM sessions WHERE hash = ?1";

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

/// `?1` the caller's hash, `?2` the session to start after, `?3` how many, `?4` now, `?5` the last use at which a
/// session has been idle for too long. The calling session counts as active, whatever its row says.
pub(crate) const SESSIONS: &str =
    "SELECT json_group_array(json_object('id', s.id, 'created_at', s.created_at, 'last_seen_at', s.seen_at,
       'ends_at', s.ends_at, 'ip', s.ip, 'agent', s.agent,
       'current', json(iif(s.hash = ?1, 'true', 'false')))) AS json
     FROM (SELECT s.* FROM sessions s JOIN users u ON u.id = s.user_id
           WHERE s.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND s.id < ?2
             AND (s.hash = ?1 OR s.revoked_at IS NULL AND s.ends_at > ?4 AND s.seen_at > ?5 AND s.epoch = u.epoch)
           ORDER BY s.id DESC LIMIT CAST(?3 AS INTEGER)) s";

/// `?1` the caller's hash, `?2` the session. No row for another person's session.
pub(crate) const OWN_SESSION: &str = "SELECT json_object('id', id, 'revoked_at', revoked_at) AS json FROM sessions
     WHERE user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND id = ?2";

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

/// `?1` the account, `?2` the session, `?3` hash, `?4` kind, `?5` epoch, `?6` verified.
pub(crate) const TURN_SESSION: &str = "UPDATE sessions SET hash = ?3, kind = ?4, epoch = ?5, verified_at = ?6
     WHERE user_id = ?1 AND id = ?2 AND revoked_at IS NULL";

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

/// `?1` the account, `?2` the session, `?3` now, `?4` the last use that is too recent to write again. Of several
/// parallel requests, one changes the row.
pub(crate) const SEEN_SESSION: &str =
    "UPDATE sessions SET seen_at = ?3 WHERE user_id = ?1 AND id = ?2 AND seen_at <= ?4";
