//! Conditions on people, which several contexts have.

use crate::base::id::{PracticeId, UserId};
use alloc::string::String;

/// A condition on people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountsGuard {
    /// The account is active and has this epoch.
    InUse { user: UserId, epoch: i64 },
    /// The account still exists, active or invited, and has this epoch.
    Unchanged { practice: Option<PracticeId>, user: UserId, epoch: i64 },
    /// The proof of this hash has not been spent.
    ProofUnspent(String),
    /// The practice has another owner.
    AnotherOwner { practice: PracticeId, user: UserId },
}
