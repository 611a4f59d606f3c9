//! Conditions on people, their sessions, factors and links.

use crate::base::id::{FactorId, PasskeyId, PracticeId, SessionId, UserId};
use alloc::string::String;

/// A condition on people, their sessions, factors and links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountsGuard {
    /// The password of an account is not closed.
    PasswordOpen(UserId),
    /// The account is active and has this epoch.
    InUse { user: UserId, epoch: i64 },
    /// The account still exists, active or invited, and has this epoch.
    Unchanged { practice: Option<PracticeId>, user: UserId, epoch: i64 },
    /// The continuation token of this hash can still be used.
    Continuation(String),
    /// The link of this hash can still be used.
    Link(String),
    /// No code of this time step or a later one has been accepted yet.
    Step {
        user: UserId,
        factor: FactorId,
        /// The time step.
        step: i64,
    },
    /// The recovery code with this hash has not been used yet.
    RecoveryCode { user: UserId, hash: String },
    /// The proof of this hash has not been spent.
    ProofUnspent(String),
    /// No passkey has this credential id.
    CredentialFree(String),
    /// The passkey still exists, and its counter is the one that the assertion was judged by.
    Passkey {
        user: UserId,
        passkey: PasskeyId,
        /// The counter.
        sign_count: u32,
    },
    /// The account has another second factor than this passkey.
    AnotherFactor { user: UserId, passkey: PasskeyId },
    /// The account has fewer passkeys than this.
    PasskeysBelow { user: UserId, bound: u32 },
    /// The practice has another owner.
    AnotherOwner { practice: PracticeId, user: UserId },
    /// The session is still active.
    Session { user: UserId, session: SessionId },
}
