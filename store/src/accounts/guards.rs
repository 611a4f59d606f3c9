//! What must hold of people when a batch runs.

use crate::statement::{Param, Statement, optional, text};
use overturn_core::plan::AccountsGuard;

/// `?1` the account, `?2` its epoch.
const IN_USE: &str = "INSERT INTO guards (failed) SELECT 'rights' WHERE NOT EXISTS (
       SELECT 1 FROM users WHERE id = ?1 AND state = 'active' AND epoch = ?2)";

/// `?1` the practice, NULL for the staff, `?2` the account, `?3` its epoch.
const UNCHANGED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM users WHERE id = ?2 AND practice_id IS ?1 AND state <> 'removed' AND epoch = ?3)";

/// `?1` the practice, `?2` the account. Fails if the practice has no other owner.
const ANOTHER_OWNER: &str =
    concat!("INSERT INTO guards (failed) SELECT 'owner' WHERE NOT ", another_owner!("?1", "?2"));

/// `?1` the hash of a proof.
const PROOF_UNSPENT: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE EXISTS (
       SELECT 1 FROM spent_proofs WHERE hash = ?1)";

/// The statement of a guard.
pub(crate) fn lower(guard: &AccountsGuard) -> Statement {
    match guard {
        AccountsGuard::InUse { user, epoch } => Statement::new(IN_USE, vec![text(user), Param::Int(*epoch)]),
        AccountsGuard::Unchanged { practice, user, epoch } => {
            Statement::new(UNCHANGED, vec![optional(*practice), text(user), Param::Int(*epoch)])
        }
        AccountsGuard::ProofUnspent(hash) => Statement::new(PROOF_UNSPENT, vec![text(hash)]),
        AccountsGuard::AnotherOwner { practice, user } => {
            Statement::new(ANOTHER_OWNER, vec![text(practice), text(user)])
        }
    }
}
