//! The statements of passkeys and of spent proofs.

/// `?1` the account.
pub(crate) const DELETE_ALL: &str = "DELETE FROM passkeys WHERE user_id = ?1";

/// `?1` the hash, `?2` its end.
pub(crate) const SPEND_PROOF: &str =
    "INSERT INTO spent_proofs (hash, expires_at) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";

/// `?1` now. Deletes at most ten rows, so that a sign-in stays quick.
pub(crate) const FORGET_PROOFS: &str = "DELETE FROM spent_proofs
     WHERE hash IN (SELECT hash FROM spent_proofs WHERE expires_at <= ?1 LIMIT 10)";
