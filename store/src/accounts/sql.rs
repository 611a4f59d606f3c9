//! The statements of accounts, their passwords, links and kept answers.

/// Whether an account `u` has a second factor: an authenticator app or a passkey.
macro_rules! enrolled {
    () => {
        "(EXISTS (SELECT 1 FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
           OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id))"
    };
}

/// The end of a query for a person's rights: account `u`, practice `p`.
macro_rules! standing {
    () => {
        concat!(
            "u.id, u.role, u.epoch, u.state = 'active',
         ",
            enrolled!(),
            ",
         p.id, p.state, EXISTS (SELECT 1 FROM agreements a
           WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL), p.sso_required"
        )
    };
}

/// The state of a practice `p` that its person `u` sees, as `core::accounts::account::PracticeFacts` reads it; NULL without one.
macro_rules! practice_facts {
    () => {
        concat!(
            "json(iif(p.id IS NULL, NULL, json_object('state', p.state, 'agreement', CASE WHEN ",
            agreement!("p.id"),
            " THEN 'in_force' WHEN EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa')
               THEN 'ended' ELSE 'missing' END,
             'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
             'sso_required', json(iif(p.sso_required = 1, 'true', 'false')), 'last_owner', ",
            last_owner!(),
            ")))"
        )
    };
}

/// An account `u` with its practice `p`, as `core::accounts::account::Account` reads it.
macro_rules! account {
    () => {
        concat!(
            "json_object('user_id', u.id, 'practice_id', u.practice_id, 'practice_name', p.name, 'role', u.role,
           'epoch', u.epoch, 'name', u.name, 'email', u.email, 'password_hash', u.password_hash,
           'enrolled', json(iif(",
            enrolled!(),
            ", 'true', 'false')), 'practice', ",
            practice_facts!(),
            ")"
        )
    };
}

/// An account `u` with its practice `p`, as `core::accounts::account::Account` reads it.
pub const ACCOUNT: &str = account!();

pub(crate) mod factors;
pub(crate) mod passkeys;
pub(crate) mod sessions;

/// `?1` the account.
pub(crate) const OPEN_PASSWORD: &str = "DELETE FROM password_tries WHERE user_id = ?1";

/// `?1` the caller's hash. The caller's account, as `core::accounts::account::Account` reads it.
pub(crate) const ACCOUNT_OF_CALLER: &str = concat!(
    "SELECT ",
    account!(),
    " AS json FROM users u LEFT JOIN practices p ON p.id = u.practice_id
     WHERE u.id = (SELECT user_id FROM callers WHERE hash = ?1)"
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

/// `?1` the caller's hash, `?2` the place. The earlier answer to a request, as `rows::kept` reads it.
pub(crate) const KEPT: &str = "SELECT json_array(a.fingerprint, a.status, json(a.body), a.at) AS json FROM answers a
     WHERE a.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND a.place = ?2";

/// `?1` the account, `?2` the place, `?3` the request. Fails if another request with the same idempotency key came
/// first.
pub(crate) const GUARD_ANSWER: &str = "INSERT INTO guards (failed) SELECT 'request' WHERE EXISTS (
       SELECT 1 FROM answers WHERE user_id = ?1 AND place = ?2 AND request_id <> ?3)";

/// `?1` the account, `?2` the instant before which stored answers are deleted.
pub(crate) const FORGET_ANSWERS: &str = "DELETE FROM answers WHERE user_id = ?1 AND at <= ?2";

/// `?1` the account, `?2` the place, `?3` the request, `?4` the fingerprint, `?5` the status, `?6` the body, `?7` now.
pub(crate) const INSERT_ANSWER: &str = "INSERT INTO answers (user_id, place, request_id, fingerprint, status, body, at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (user_id, place) DO NOTHING";

/// `?1` id, `?2` practice, `?3` role, `?4` state, `?5` address, `?6` its key, `?7` name, `?8` password hash, `?9` now.
pub(crate) const INSERT_USER: &str =
    "INSERT INTO users (id, practice_id, role, state, email, email_key, name, password_hash, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING";

/// `?1` the practice, `?2` the account, `?3` the role.
pub(crate) const UPDATE_ROLE: &str =
    "UPDATE users SET role = ?3 WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'";

/// `?1` the account.
pub(crate) const REMOVE_USER: &str = "UPDATE users SET state = 'removed' WHERE id = ?1";

/// `?1` the account, `?2` its new epoch.
pub(crate) const UPDATE_EPOCH: &str = "UPDATE users SET epoch = ?2 WHERE id = ?1 AND epoch < ?2";

/// `?1` the account, `?2` now.
pub(crate) const FORGET_LINKS: &str = "DELETE FROM links WHERE user_id = ?1 AND expires_at <= ?2";

/// `?1` hash, `?2` kind, `?3` the account, `?4` epoch, `?5` its end.
pub(crate) const INSERT_LINK: &str =
    "INSERT INTO links (hash, kind, user_id, epoch, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (hash) DO NOTHING";

/// `?1` the practice, as `rows::practice_standing` reads it. No row for an unknown practice.
pub(crate) const PRACTICE_STANDING: &str = concat!(
    "SELECT json_array(p.id, p.state, ",
    agreement!("p.id"),
    ", p.sso_required) AS json FROM practices p WHERE p.id = ?1"
);
