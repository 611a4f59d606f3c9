//! The statements of a practice's settings.

pub(crate) mod data_jobs;
pub(crate) mod data_keys;
pub(crate) mod sso;
pub(crate) mod trail;

/// The account of a caller, `?1` the hash of what was presented.
macro_rules! caller {
    () => {
        "(SELECT user_id FROM callers WHERE hash = ?1)"
    };
}

/// `?1` the caller's hash, `?2` a member, `?3` now, as `members::KeysLeft` reads it: the number of active keys that the
/// member made, and the other owners.
pub(crate) const KEYS_LEFT: &str = concat!(
    "SELECT json_object('keys', (SELECT count(*) FROM api_keys k WHERE k.practice_id = ",
    of_caller!(),
    " AND k.created_by = ?2 AND k.revoked_at IS NULL AND k.expires_at > ?3),
       'owners', json((SELECT json_group_array(u.email) FROM users u WHERE u.practice_id = ",
    of_caller!(),
    " AND u.role = 'owner' AND u.state = 'active' AND u.id <> ?2))) AS json"
);

/// A member `u`, as `members::MemberView` and `members::Stored` read it.
macro_rules! member {
    () => {
        concat!(
            "json_object('id', u.id, 'version', u.version, 'name', nullif(u.name, ''), 'email', u.email, 'role', u.role, 'state', u.state,
           'created_at', u.created_at, 'epoch', u.epoch, 'two_factor', json(iif(EXISTS (SELECT 1 FROM factors f
             WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL), 'true', 'false')),
           'last_seen_at', (SELECT max(s.seen_at) FROM sessions s WHERE s.user_id = u.id), 'last_owner', ",
            last_owner!(),
            ")"
        )
    };
}

/// `?1` the caller's hash, `?2` the member to start after, `?3` how many.
pub(crate) const MEMBERS: &str = concat!(
    "SELECT json_group_array(",
    member!(),
    ") AS json FROM (SELECT * FROM users WHERE practice_id = ",
    of_caller!(),
    " AND state <> 'removed' AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) u"
);

/// `?1` the caller's hash, `?2` the account. No row for another practice's.
pub(crate) const MEMBER: &str = concat!(
    "SELECT ",
    member!(),
    " AS json FROM users u WHERE u.practice_id = ",
    of_caller!(),
    " AND u.id = ?2 AND u.state <> 'removed'"
);

/// `?1` the caller's hash, `?2` the key of an address. No row for one that has no account in the practice.
pub(crate) const MEMBER_OF_ADDRESS: &str = concat!(
    "SELECT ",
    member!(),
    " AS json FROM users u WHERE u.practice_id = ",
    of_caller!(),
    " AND u.email_key = ?2 AND u.state <> 'removed'"
);

/// `?1` the caller's hash. The person who invites, and the practice.
pub(crate) const INVITER: &str = concat!(
    "SELECT json_object('practice', p.name, 'name', coalesce(nullif(u.name, ''), u.email)) AS json
     FROM users u JOIN practices p ON p.id = u.practice_id WHERE u.id = ",
    caller!()
);

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
