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

/// A page of a trail, as `core::settings::trail::events::FoundEvents` reads it. `?2` the id that all rows are before, `?3`
/// how many to read, `?4` how many to scan, then the filter: `?5` action, `?6` id of the actor, `?7` record, `?8` the first
/// id, `?9` and `?10` from and before an instant. The scan is that of [`crate::claims::sql::denials`]. `$tables` come before
/// the page, `$named` are its columns of names, `$about` is one more filter, and `$none` is true if it can match nothing.
macro_rules! trail_page {
    ($trail:expr, $tables:expr, $named:expr, $about:literal, $none:literal) => {
        concat!(
            "WITH ",
            $tables,
            "page AS MATERIALIZED (SELECT json_object('id', a.id, 'at', a.at, 'actor', a.actor, ",
            $named,
            ", 'action', a.action, 'record', a.record, 'request_id', a.request_id, 'detail', json(a.detail),
               'sequence', a.seq, 'address', a.address, 'session_id', a.session_id) AS event
             FROM (SELECT * FROM audit WHERE practice_id = ",
            $trail,
            " AND id < ?2 AND id >= ?8 ORDER BY id DESC LIMIT CAST(?4 AS INTEGER)) a
             WHERE (?5 IS NULL OR a.action = ?5)
               AND (?6 IS NULL OR substr(a.actor, instr(a.actor, ':') + 1) = ?6) AND (?7 IS NULL OR a.record = ?7)
               AND (?9 IS NULL OR a.at >= ?9) AND (?10 IS NULL OR a.at < ?10) AND ",
            $about,
            "
             LIMIT CAST(?3 AS INTEGER)), ",
            fit!("event"),
            "
             SELECT json_object('rows', json((SELECT list FROM fit)), 'cut', ",
            cut!(),
            ",
               'scanned', json(iif((SELECT found FROM fit) >= ?3 OR ",
            $none,
            ", NULL,
                 (SELECT json_object('count', count(*), 'id', min(id)) FROM (SELECT id FROM audit WHERE practice_id = ",
            $trail,
            " AND id < ?2 AND id >= ?8 ORDER BY id DESC LIMIT CAST(?4 AS INTEGER)))))) AS json"
        )
    };
}

/// `?1` the caller's hash, `?11` a claim number: only rows about its claim, its documents, its submission, its report and
/// its appeal. An actor and a record of the practice have names. Claims have numbers only while the practice may read them.
/// A row that is shown reads up to six more.
pub(crate) const AUDIT: &str = trail_page!(
    of_caller!(),
    concat!(
        "readable AS MATERIALIZED (SELECT p.id FROM practices p WHERE p.id = ",
        of_caller!(),
        " AND p.state = 'active' AND ",
        agreement!("p.id"),
        "),
         sought AS MATERIALIZED (SELECT c.practice_id, c.id, c.submission_id, c.report_id, c.case_id FROM claims c
           WHERE c.practice_id = (SELECT id FROM readable) AND c.claim_number = ?11),
         about AS MATERIALIZED (SELECT id FROM sought UNION ALL SELECT submission_id FROM sought
           UNION ALL SELECT report_id FROM sought WHERE report_id IS NOT NULL
           UNION ALL SELECT case_id FROM sought WHERE case_id IS NOT NULL
           UNION ALL SELECT d.id FROM sought CROSS JOIN documents d ON d.practice_id = sought.practice_id AND d.claim_id = sought.id), "
    ),
    "'actor_name', CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.practice_id = a.practice_id)
         WHEN 'api_key:' THEN (SELECT k.name FROM api_keys k
           WHERE k.practice_id = a.practice_id AND k.id = substr(a.actor, 9))
         WHEN 'api_token:' THEN (SELECT t.name FROM api_tokens t
           WHERE t.practice_id = a.practice_id AND t.id = substr(a.actor, 11))
       END,
       'is_staff', json(iif(EXISTS (SELECT 1 FROM users u WHERE substr(a.actor, 1, 5) = 'user:'
         AND u.id = substr(a.actor, 6) AND u.practice_id IS NULL), 'true', 'false')),
       'claim_number', coalesce(
         (SELECT c.claim_number FROM claims c WHERE c.practice_id = (SELECT id FROM readable) AND c.id = a.record),
         (SELECT c.claim_number FROM documents d CROSS JOIN claims c ON c.practice_id = d.practice_id AND c.id = d.claim_id
          WHERE d.practice_id = (SELECT id FROM readable) AND d.id = a.record)),
       'record_name', coalesce(
         (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = a.record AND u.practice_id = a.practice_id),
         (SELECT k.name FROM api_keys k WHERE k.practice_id = a.practice_id AND k.id = a.record),
         (SELECT t.name FROM api_tokens t WHERE t.practice_id = a.practice_id AND t.id = a.record),
         (SELECT p.name FROM practices p WHERE p.id = a.record AND p.id = a.practice_id))",
    "(?11 IS NULL OR a.record IN (SELECT id FROM about))",
    "(?11 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sought))"
);

/// `?1` the trail of the staff. Staff have names, as actors and as records.
pub(crate) const STAFF_AUDIT: &str = trail_page!(
    "?1",
    "",
    "'actor_name', CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.practice_id IS NULL)
       END,
       'is_staff', json(iif(substr(a.actor, 1, 5) = 'user:', 'true', 'false')), 'claim_number', NULL,
       'record_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = a.record AND u.practice_id IS NULL)",
    "1",
    "0"
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
