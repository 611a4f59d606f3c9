//! Changes of people, their sessions, factors and links, which several contexts make.

use crate::auth::role::Role;
use crate::base::id::{FactorId, PracticeId, UserId};
use crate::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewSession, NewUser, RecoveryCodes, SessionsToEnd, SpentProof,
};

/// One change of people, their sessions, factors and links.
#[derive(Clone, Debug)]
pub enum AccountsWrite {
    /// An account.
    NewUser(NewUser),
    /// Restarts the count of attempts at the password of an account, and opens it again.
    PasswordOpened(UserId),
    /// A member's role.
    UserRole {
        practice: PracticeId,
        user: UserId,
        role: Role,
    },
    /// Removes an account.
    UserRemoved(UserId),
    /// Sets the epoch of an account after a change of its rights. Everything made under another epoch is invalid.
    Epoch {
        user: UserId,
        epoch: i64,
    },
    NewSession(NewSession),
    SessionsEnded(SessionsToEnd),
    /// A continuation of a sign-in or a sensitive action, which waits for the second factor.
    NewContinuation(NewContinuation),
    /// A mailed link.
    NewLink(NewLink),
    /// A second factor that is not confirmed yet. It replaces every other unconfirmed one.
    NewFactor(NewFactor),
    /// Confirms a second factor, which replaces the earlier one.
    FactorConfirmed {
        user: UserId,
        factor: FactorId,
    },
    /// Removes every second factor of an account, and its recovery codes.
    FactorsRemoved(UserId),
    /// Recovery codes, which replace earlier ones.
    RecoveryCodes(RecoveryCodes),
    /// Marks a proof as spent, so that it is never accepted again.
    ProofSpent(SpentProof),
}
