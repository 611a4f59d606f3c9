//! The statements of passkeys and of spent proofs.

/// `?1` the account, `?2` the passkey, `?3` its credential id, `?4` its public key, `?5` its counter, `?6` whether it may
/// be synced, `?7` whether it is, `?8` its transports, `?9` its name, `?10` now.
pub(crate) const INSERT: &str =
    "INSERT INTO passkeys (user_id, id, credential_id, public_key, sign_count, backup_eligible, backed_up,
       transports, name, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (user_id, id) DO NOTHING";

/// `?1` the account, `?2` the passkey, `?3` its name.
pub(crate) const RENAME: &str = "UPDATE passkeys SET name = ?3 WHERE user_id = ?1 AND id = ?2";

/// `?1` the account, `?2` the passkey, `?3` its counter, `?4` whether it is synced, `?5` now.
pub(crate) const USE: &str = "UPDATE passkeys SET sign_count = ?3, backed_up = ?4, last_used_at = ?5
     WHERE user_id = ?1 AND id = ?2";

/// `?1` the account, `?2` the passkey.
pub(crate) const DELETE: &str = "DELETE FROM passkeys WHERE user_id = ?1 AND id = ?2";

/// `?1` the account.
pub(crate) const DELETE_ALL: &str = "DELETE FROM passkeys WHERE user_id = ?1";

/// `?1` the hash, `?2` its end.
pub(crate) const SPEND_PROOF: &str =
    "INSERT INTO spent_proofs (hash, expires_at) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";

/// `?1` now. Deletes at most ten rows, so that a sign-in stays quick.
pub(crate) const FORGET_PROOFS: &str = "DELETE FROM spent_proofs
     WHERE hash IN (SELECT hash FROM spent_proofs WHERE expires_at <= ?1 LIMIT 10)";

/// A passkey `k`, as `core::accounts::passkeys::StoredPasskey` reads it.
macro_rules! passkey {
    () => {
        "json_object('id', k.id, 'user_id', k.user_id, 'name', k.name, 'created_at', k.created_at,
           'last_used_at', k.last_used_at, 'credential', json_object('id', k.credential_id, 'public_key', k.public_key,
             'sign_count', k.sign_count, 'backup_eligible', json(iif(k.backup_eligible = 1, 'true', 'false')),
             'backed_up', json(iif(k.backed_up = 1, 'true', 'false')), 'transports', json(k.transports)))"
    };
}

/// `?1` the caller's hash. All passkeys of the caller, the oldest first.
pub(crate) const PASSKEYS: &str = concat!(
    "SELECT json_group_array(",
    passkey!(),
    ") AS json FROM (SELECT * FROM passkeys WHERE user_id = (SELECT user_id FROM callers WHERE hash = ?1) ORDER BY id) k"
);

/// `?1` a continuation's hash. All passkeys of its account.
pub(crate) const PASSKEYS_OF_CONTINUATION: &str = concat!(
    "SELECT json_group_array(",
    passkey!(),
    ") AS json FROM (SELECT * FROM passkeys WHERE user_id = (SELECT user_id FROM continuations WHERE hash = ?1) ORDER BY id) k"
);

/// `?1` the caller's hash, `?2` the passkey. No row for another person's passkey.
pub(crate) const OWN_PASSKEY: &str = concat!(
    "SELECT json_object('passkey', ",
    passkey!(),
    ", 'is_last', json(iif(EXISTS (SELECT 1 FROM factors f WHERE f.user_id = k.user_id AND f.confirmed_at IS NOT NULL)
         OR EXISTS (SELECT 1 FROM passkeys o WHERE o.user_id = k.user_id AND o.id <> k.id), 'false', 'true'))) AS json
     FROM passkeys k WHERE k.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND k.id = ?2"
);

/// `?1` the hash of a proof.
pub(crate) const PROOF_IS_SPENT: &str =
    "SELECT iif(EXISTS (SELECT 1 FROM spent_proofs WHERE hash = ?1), 'true', 'false') AS json";

/// `?1` a credential id. Its passkey with the account, which is active.
pub(crate) const PASSKEY_OF_CREDENTIAL: &str = concat!(
    "SELECT json_object('passkey', ",
    passkey!(),
    ", 'account', ",
    account!(),
    ") AS json FROM passkeys k JOIN users u ON u.id = k.user_id AND u.state = 'active'
       LEFT JOIN practices p ON p.id = u.practice_id
     WHERE k.credential_id = ?1"
);
