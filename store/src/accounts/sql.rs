//! The statements of accounts, sessions and second factors.

/// The role of an account `u`. An auditor is a staff account with a mark.
macro_rules! role {
    () => {
        "iif(u.auditor = 1, 'auditor', u.role)"
    };
}
pub(crate) use role;

/// The end of a query for a person's rights: account `u`, practice `p`.
macro_rules! standing {
    () => {
        concat!(
            "u.id, ",
            role!(),
            ", u.epoch, u.state = 'active',
         EXISTS (SELECT 1 FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL),
         p.id, p.state, EXISTS (SELECT 1 FROM agreements a
           WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL)"
        )
    };
}

/// An account `u` with its practice `p`, as `core::sign_in::Account` reads it.
macro_rules! account {
    () => {
        concat!("json_object('user_id', u.id, 'practice_id', u.practice_id, 'practice_name', p.name, 'role', ", role!(), ",
           'epoch', u.epoch, 'name', u.name, 'email', u.email, 'password_hash', u.password_hash,
           'enrolled', json(iif(EXISTS (SELECT 1 FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL),
             'true', 'false')))")
    };
}

/// A factor `f`, as `core::second_factor::StoredFactor` reads it.
macro_rules! factor {
    () => {
        "json_object('id', f.id, 'key_version', f.key_version, 'sealed', f.sealed, 'last_step', f.last_step)"
    };
}

/// `?1` the key of an address. Reads its account.
pub(crate) const ACCOUNT_OF_ADDRESS: &str = concat!(
    "SELECT ",
    account!(),
    " AS json FROM users u LEFT JOIN practices p ON p.id = u.practice_id
     WHERE u.email_key = ?1 AND u.state = 'active'"
);

/// The account in use for the key of an address `?1`, or the empty text for an address without an account. Tries at
/// such an address are counted as well, so that they take as long.
macro_rules! tried_account {
    () => {
        "coalesce((SELECT id FROM users WHERE email_key = ?1 AND state = 'active'), '')"
    };
}

/// Tries since the last right password, as `tries::Tries` reads them.
macro_rules! tries {
    ($user:expr) => {
        concat!(
            "SELECT json_object('tries', tries, 'closed', json(iif(closed_at IS NULL, 'false', 'true'))) AS json
             FROM password_tries WHERE user_id = ",
            $user
        )
    };
}

/// `?1` the key of an address.
pub(crate) const PASSWORD_TRIES: &str = tries!(tried_account!());

/// `?1` the account.
pub(crate) const PASSWORD_TRIES_OF: &str = tries!("?1");

/// `?1` the key of an address.
pub(crate) const COUNT_PASSWORD_TRY: &str = concat!(
    "INSERT INTO password_tries (user_id, tries) SELECT ",
    tried_account!(),
    ", 1 WHERE true ON CONFLICT (user_id) DO UPDATE SET tries = tries + 1"
);

/// `?1` the account.
pub(crate) const COUNT_PASSWORD_TRY_OF: &str =
    "INSERT INTO password_tries (user_id, tries) VALUES (?1, 1)
     ON CONFLICT (user_id) DO UPDATE SET tries = tries + 1";

/// `?1` the account, `?2` now.
pub(crate) const CLOSE_PASSWORD: &str =
    "INSERT INTO password_tries (user_id, tries, closed_at) VALUES (?1, 0, ?2)
     ON CONFLICT (user_id) DO UPDATE SET closed_at = ?2 WHERE closed_at IS NULL";

/// `?1` the account.
pub(crate) const OPEN_PASSWORD: &str = "DELETE FROM password_tries WHERE user_id = ?1";

/// `?1` the caller's hash. The caller's account, as `core::sign_in::Account` reads it.
pub(crate) const ACCOUNT_OF_CALLER: &str = concat!(
    "SELECT ",
    account!(),
    " AS json FROM users u LEFT JOIN practices p ON p.id = u.practice_id
     WHERE u.id = (SELECT user_id FROM callers WHERE hash = ?1)"
);

/// `?1` the session's hash. The session with the facts that its person sees.
pub(crate) const SESSION_FACTS: &str =
    "SELECT json_object('id', id, 'kind', kind, 'created_at', created_at, 'ends_at', ends_at,
       'verified_at', verified_at) AS json FROM sessions WHERE hash = ?1";

/// `?1` the continuation's hash. Every attempt counts, whether or not it succeeds, before anything is compared.
pub(crate) const COUNT_ATTEMPT: &str =
    "UPDATE continuations SET attempts = attempts + 1 WHERE hash = ?1 AND used_at IS NULL";

/// `?1` the continuation's hash, as `core::second_factor::StoredContinuation` reads it.
pub(crate) const CONTINUATION: &str = concat!(
    "SELECT json_object('account', ",
    account!(),
    ", 'epoch', c.epoch, 'session_id', c.session_id, 'expires_at', c.expires_at,
       'used', json(iif(c.used_at IS NULL, 'false', 'true')), 'attempts', c.attempts,
       'factor', (SELECT ",
    factor!(),
    " FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL),
       'recovery', json((SELECT json_group_array(r.hash) FROM recovery_codes r WHERE r.user_id = u.id AND r.used_at IS NULL)))
       AS json
     FROM continuations c JOIN users u ON u.id = c.user_id AND u.state = 'active'
       LEFT JOIN practices p ON p.id = u.practice_id
     WHERE c.hash = ?1"
);

/// `?1` the link's hash, as `core::link::StoredLink` reads it. No row if the account was removed.
pub(crate) const LINK: &str = concat!(
    "SELECT json_object('account', ",
    account!(),
    ", 'state', u.state, 'kind', l.kind, 'epoch', l.epoch, 'expires_at', l.expires_at,
       'used', json(iif(l.used_at IS NULL, 'false', 'true'))) AS json
     FROM links l JOIN users u ON u.id = l.user_id AND u.state <> 'removed'
       LEFT JOIN practices p ON p.id = u.practice_id
     WHERE l.hash = ?1"
);

/// `?1` the session's hash, `?2` the factor. A factor of its person that is not confirmed yet.
pub(crate) const WAITING_FACTOR: &str = concat!(
    "SELECT ",
    factor!(),
    " AS json FROM factors f
     WHERE f.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND f.id = ?2 AND f.confirmed_at IS NULL"
);

/// `?1` the session's hash, as `rows::standing` reads it. No row for an unknown one.
pub(crate) const SESSION: &str = concat!(
    "SELECT json_array(json_array(",
    standing!(),
    "), json_object('id', s.id, 'kind', s.kind, 'epoch', s.epoch, 'ends_at', s.ends_at, 'seen_at', s.seen_at,
       'verified_at', s.verified_at, 'revoked', json(iif(s.revoked_at IS NULL, 'false', 'true'))), NULL) AS json
     FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN practices p ON p.id = u.practice_id
     WHERE s.hash = ?1"
);

/// `?1` the token's hash, as `rows::standing` reads it. A token belongs to the practice that it was made in.
pub(crate) const TOKEN: &str = concat!(
    "SELECT json_array(json_array(",
    standing!(),
    "), NULL, json_array(t.id, t.scopes, t.expires_at, t.revoked_at IS NOT NULL, t.last_used_at)) AS json
     FROM api_tokens t JOIN users u ON u.id = t.user_id AND u.practice_id = t.practice_id
       JOIN practices p ON p.id = u.practice_id
     WHERE t.hash = ?1"
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
pub(crate) const OWN_SESSION: &str =
    "SELECT json_object('id', id, 'revoked_at', revoked_at) AS json FROM sessions
     WHERE user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND id = ?2";

/// `?1` the caller's hash, `?2` the place. The earlier answer to a request, as `rows::kept` reads it.
pub(crate) const KEPT: &str =
    "SELECT json_array(a.fingerprint, a.status, json(a.body), a.at) AS json FROM answers a
     WHERE a.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND a.place = ?2";

/// `?1` the account, `?2` the place, `?3` the request. Fails if another request with the same idempotency key came
/// first.
pub(crate) const GUARD_ANSWER: &str = "INSERT INTO guards (failed) SELECT 'request' WHERE EXISTS (
       SELECT 1 FROM answers WHERE user_id = ?1 AND place = ?2 AND request_id <> ?3)";

/// `?1` the account, `?2` the instant before which stored answers are deleted.
pub(crate) const FORGET_ANSWERS: &str = "DELETE FROM answers WHERE user_id = ?1 AND at <= ?2";

/// `?1` the account, `?2` the place, `?3` the request, `?4` the fingerprint, `?5` the status, `?6` the body, `?7` now.
pub(crate) const INSERT_ANSWER: &str =
    "INSERT INTO answers (user_id, place, request_id, fingerprint, status, body, at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (user_id, place) DO NOTHING";

/// `?1` id, `?2` practice, `?3` role, `?4` state, `?5` address, `?6` its key, `?7` name, `?8` password hash, `?9` now.
pub(crate) const INSERT_USER: &str =
    "INSERT INTO users (id, practice_id, role, auditor, state, email, email_key, name, password_hash, created_at)
     VALUES (?1, ?2, iif(?3 = 'auditor', 'staff', ?3), ?3 = 'auditor', ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING";

/// `?1` the account, `?2` the name, `?3` the password hash.
pub(crate) const JOIN_USER: &str = "UPDATE users SET state = 'active', name = ?2, password_hash = ?3 WHERE id = ?1 AND state = 'invited'";

/// `?1` the account, `?2` the password hash.
pub(crate) const UPDATE_PASSWORD: &str =
    "UPDATE users SET password_hash = ?2 WHERE id = ?1 AND state = 'active'";

/// `?1` the practice, `?2` the account, `?3` the role.
pub(crate) const UPDATE_ROLE: &str =
    "UPDATE users SET role = ?3 WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'";

/// `?1` the account.
pub(crate) const REMOVE_USER: &str = "UPDATE users SET state = 'removed' WHERE id = ?1";

/// `?1` the account, `?2` its new epoch.
pub(crate) const UPDATE_EPOCH: &str = "UPDATE users SET epoch = ?2 WHERE id = ?1 AND epoch < ?2";

/// `?1` the account, `?2` the session, `?3` hash, `?4` kind, `?5` epoch, `?6` now, `?7` end, `?8` verified, `?9`
/// address, `?10` agent.
pub(crate) const INSERT_SESSION: &str =
    "INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, seen_at, ends_at, verified_at, ip, agent)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (user_id, id) DO NOTHING";

/// `?1` the account, `?2` the session, `?3` now. Ends the earlier sessions if the practice allows only one.
pub(crate) const END_EARLIER_SESSIONS: &str =
    "UPDATE sessions SET revoked_at = ?3 WHERE user_id = ?1 AND id <> ?2 AND revoked_at IS NULL AND EXISTS (
       SELECT 1 FROM users u JOIN practices p ON p.id = u.practice_id WHERE u.id = ?1 AND p.single_session = 1)";

/// `?1` the account, `?2` an instant. Deletes sessions that ended before it.
pub(crate) const FORGET_SESSIONS: &str =
    "DELETE FROM sessions WHERE user_id = ?1 AND ends_at <= ?2";

/// `?1` the account, `?2` the session, `?3` hash, `?4` kind, `?5` epoch, `?6` verified.
pub(crate) const TURN_SESSION: &str =
    "UPDATE sessions SET hash = ?3, kind = ?4, epoch = ?5, verified_at = ?6
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

/// `?1` the practice, `?2` the token, `?3` now, `?4` the same.
pub(crate) const SEEN_TOKEN: &str = "UPDATE api_tokens SET last_used_at = ?3
     WHERE practice_id = ?1 AND id = ?2 AND coalesce(last_used_at, 0) <= ?4";

/// `?1` the account, `?2` now.
pub(crate) const FORGET_CONTINUATIONS: &str =
    "DELETE FROM continuations WHERE user_id = ?1 AND expires_at <= ?2";

/// `?1` hash, `?2` the account, `?3` epoch, `?4` the session, `?5` its end.
pub(crate) const INSERT_CONTINUATION: &str =
    "INSERT INTO continuations (hash, user_id, epoch, session_id, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (hash) DO NOTHING";

/// `?1` hash, `?2` now.
pub(crate) const USE_CONTINUATION: &str =
    "UPDATE continuations SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL";

/// `?1` the account, `?2` now.
pub(crate) const FORGET_LINKS: &str = "DELETE FROM links WHERE user_id = ?1 AND expires_at <= ?2";

/// `?1` hash, `?2` kind, `?3` the account, `?4` epoch, `?5` its end.
pub(crate) const INSERT_LINK: &str =
    "INSERT INTO links (hash, kind, user_id, epoch, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (hash) DO NOTHING";

/// `?1` hash, `?2` now.
pub(crate) const USE_LINK: &str =
    "UPDATE links SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL";

/// `?1` the account. Deletes factors that were never confirmed.
pub(crate) const FORGET_FACTORS: &str =
    "DELETE FROM factors WHERE user_id = ?1 AND confirmed_at IS NULL";

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
pub(crate) const UPDATE_STEP: &str = "UPDATE factors SET last_step = ?3 WHERE user_id = ?1 AND id = ?2 AND coalesce(last_step, -1) < ?3";

/// `?1` the account, `?2` the hashes that stay.
pub(crate) const DELETE_RECOVERY_CODES: &str = "DELETE FROM recovery_codes WHERE user_id = ?1 AND hash NOT IN (SELECT value FROM json_each(?2))";

/// `?1` the account, `?2` the hashes.
pub(crate) const INSERT_RECOVERY_CODES: &str =
    "INSERT INTO recovery_codes (user_id, hash) SELECT ?1, value FROM json_each(?2) WHERE true
     ON CONFLICT (user_id, hash) DO NOTHING";

/// `?1` the account, `?2` the hash, `?3` now.
pub(crate) const USE_RECOVERY_CODE: &str =
    "UPDATE recovery_codes SET used_at = ?3 WHERE user_id = ?1 AND hash = ?2 AND used_at IS NULL";

/// `?1` the account and `?2` the factor to start after. The next factors of any account.
pub(crate) const RESEAL_PAGE: &str =
    "SELECT json_group_array(json_array(user_id, id, key_version, sealed)) AS json
     FROM (SELECT * FROM factors WHERE (user_id, id) > (?1, ?2) ORDER BY user_id, id LIMIT 500)";

/// `?1` the re-sealed factors, `?2` the key version. A factor that got another key in between is not changed.
pub(crate) const RESEAL_FACTORS: &str = "WITH f AS MATERIALIZED (
       SELECT j.value ->> 'user_id' AS user_id, j.value ->> 'id' AS id, j.value ->> 'was' AS was,
         j.value ->> 'sealed' AS sealed
       FROM json_each(?1) j)
     UPDATE factors SET sealed = f.sealed, key_version = ?2 FROM f
     WHERE factors.user_id = f.user_id AND factors.id = f.id AND factors.key_version = f.was";

/// `?1` the practice, as `rows::practice_standing` reads it. No row for an unknown practice.
pub(crate) const PRACTICE_STANDING: &str = concat!(
    "SELECT json_array(p.id, p.state, ",
    agreement!("p.id"),
    ") AS json FROM practices p WHERE p.id = ?1"
);
