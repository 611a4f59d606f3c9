//! What must hold of people, their sessions, factors and links when a batch runs.

use crate::base::id::{FactorId, PracticeId, SessionId, UserId};
use alloc::string::String;

/// What must hold of people, their sessions, factors and links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountsGuard {
    /// The password of an account is not closed.
    PasswordOpen(UserId),
    /// The account is in use and its rights are those that were read.
    InUse {
        /// The account.
        user: UserId,
        /// The number.
        epoch: i64,
    },
    /// The account is still there as it was read, in use or invited.
    Unchanged {
        /// The practice.
        practice: Option<PracticeId>,
        /// The account.
        user: UserId,
        /// The number.
        epoch: i64,
    },
    /// The continuation token of this hash can still be used.
    Continuation(String),
    /// The link of this hash can still be used.
    Link(String),
    /// No code of this time step or a later one was accepted yet.
    Step {
        /// The account.
        user: UserId,
        /// The factor.
        factor: FactorId,
        /// The time step.
        step: i64,
    },
    /// The recovery code of this hash was not used yet.
    RecoveryCode {
        /// The account.
        user: UserId,
        /// The hash.
        hash: String,
    },
    /// The practice has another owner.
    AnotherOwner {
        /// The practice.
        practice: PracticeId,
        /// The account.
        user: UserId,
    },
    /// The session is still there.
    Session {
        /// The account.
        user: UserId,
        /// The session.
        session: SessionId,
    },
}
