//! What must hold of people, their sessions, factors and links when a batch runs.

use crate::statement::{Param, Statement, optional, text};
use overturn_core::plan::{AccountsGuard, Plan};

/// `?1` the account, `?2` its epoch.
const IN_USE: &str = "INSERT INTO guards (failed) SELECT 'rights' WHERE NOT EXISTS (
       SELECT 1 FROM users WHERE id = ?1 AND state = 'active' AND epoch = ?2)";

/// `?1` the account.
const PASSWORD_OPEN: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM password_tries WHERE user_id = ?1 AND closed_at IS NOT NULL)";

/// `?1` the practice, NULL for the staff, `?2` the account, `?3` its epoch.
const UNCHANGED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM users WHERE id = ?2 AND practice_id IS ?1 AND state <> 'removed' AND epoch = ?3)";

/// `?1` the continuation's hash, `?2` now.
const CONTINUATION: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM continuations WHERE hash = ?1 AND used_at IS NULL AND expires_at > ?2)";

/// `?1` the link's hash, `?2` now.
const LINK: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM links WHERE hash = ?1 AND used_at IS NULL AND expires_at > ?2)";

/// `?1` the account, `?2` the factor, `?3` the step.
const STEP: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM factors WHERE user_id = ?1 AND id = ?2 AND coalesce(last_step, -1) < ?3)";

/// `?1` the account, `?2` the code's hash.
const RECOVERY_CODE: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM recovery_codes WHERE user_id = ?1 AND hash = ?2 AND used_at IS NULL)";

/// `?1` the practice, `?2` the account. Fails if the practice has no other owner.
const ANOTHER_OWNER: &str =
    concat!("INSERT INTO guards (failed) SELECT 'owner' WHERE NOT ", another_owner!("?1", "?2"));

/// `?1` the account, `?2` the session, `?3` now.
const SESSION: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM sessions WHERE user_id = ?1 AND id = ?2 AND revoked_at IS NULL AND ends_at > ?3)";

/// `?1` the hash of a proof.
const PROOF_UNSPENT: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE EXISTS (
       SELECT 1 FROM spent_proofs WHERE hash = ?1)";

/// `?1` a credential id.
const CREDENTIAL_FREE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM passkeys WHERE credential_id = ?1)";

/// `?1` the account, `?2` the passkey, `?3` its counter.
const PASSKEY: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM passkeys WHERE user_id = ?1 AND id = ?2 AND sign_count = ?3)";

/// `?1` the account, `?2` the passkey.
const ANOTHER_FACTOR: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM factors WHERE user_id = ?1 AND confirmed_at IS NOT NULL
       UNION ALL SELECT 1 FROM passkeys WHERE user_id = ?1 AND id <> ?2)";

/// `?1` the account, `?2` the bound.
const PASSKEYS_BELOW: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE
       (SELECT count(*) FROM passkeys WHERE user_id = ?1) >= ?2";

/// The statement of a guard.
pub(crate) fn lower(guard: &AccountsGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        AccountsGuard::InUse { user, epoch } => Statement::new(IN_USE, vec![text(user), Param::Int(*epoch)]),
        AccountsGuard::PasswordOpen(user) => Statement::new(PASSWORD_OPEN, vec![text(user)]),
        AccountsGuard::Unchanged { practice, user, epoch } => {
            Statement::new(UNCHANGED, vec![optional(*practice), text(user), Param::Int(*epoch)])
        }
        AccountsGuard::Continuation(hash) => Statement::new(CONTINUATION, vec![text(hash), at]),
        AccountsGuard::Link(hash) => Statement::new(LINK, vec![text(hash), at]),
        AccountsGuard::Step { user, factor, step } => {
            Statement::new(STEP, vec![text(user), text(factor), Param::Int(*step)])
        }
        AccountsGuard::RecoveryCode { user, hash } => Statement::new(RECOVERY_CODE, vec![text(user), text(hash)]),
        AccountsGuard::ProofUnspent(hash) => Statement::new(PROOF_UNSPENT, vec![text(hash)]),
        AccountsGuard::CredentialFree(id) => Statement::new(CREDENTIAL_FREE, vec![text(id)]),
        AccountsGuard::Passkey { user, passkey, sign_count } => {
            Statement::new(PASSKEY, vec![text(user), text(passkey), Param::Int((*sign_count).into())])
        }
        AccountsGuard::AnotherFactor { user, passkey } => {
            Statement::new(ANOTHER_FACTOR, vec![text(user), text(passkey)])
        }
        AccountsGuard::PasskeysBelow { user, bound } => {
            Statement::new(PASSKEYS_BELOW, vec![text(user), Param::Int((*bound).into())])
        }
        AccountsGuard::AnotherOwner { practice, user } => {
            Statement::new(ANOTHER_OWNER, vec![text(practice), text(user)])
        }
        AccountsGuard::Session { user, session: id } => Statement::new(SESSION, vec![text(user), text(id), at]),
    }
}
