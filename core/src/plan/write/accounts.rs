//! Changes of people, their sessions, factors and links.

use crate::auth::person::Person;
use crate::auth::role::Role;
use crate::base::id::{FactorId, PracticeId, UserId};
use crate::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewSession, NewUser, PasswordTry, RecoveryCodes,
    SessionTurn, SessionsToEnd,
};
use alloc::string::String;

/// One change of people, their sessions, factors and links.
#[derive(Clone, Debug)]
pub enum AccountsWrite {
    /// An account.
    NewUser(NewUser),
    /// An invited person accepts: name, password hash, and the account is in use.
    UserJoined {
        /// The account.
        user: UserId,
        /// The name.
        name: String,
        /// The hash of the password.
        password_hash: String,
    },
    /// A password hash. The same password under newer parameters changes no rights.
    Password {
        /// The account.
        user: UserId,
        /// The hash.
        hash: String,
    },
    /// A password is about to be compared: the try counts, whatever comes of it.
    PasswordTried(PasswordTry),
    /// No password is right for an account from now on.
    PasswordClosed(UserId),
    /// Attempts at the password of an account count from the start, and it is closed no longer.
    PasswordOpened(UserId),
    /// A member's role.
    UserRole {
        /// The practice.
        practice: PracticeId,
        /// The account.
        user: UserId,
        /// The role.
        role: Role,
    },
    /// An account is no longer in use.
    UserRemoved(UserId),
    /// The rights of an account have changed: they count as this number from now on, and what was made under another
    /// is worth nothing.
    Epoch {
        /// The account.
        user: UserId,
        /// The number.
        epoch: i64,
    },
    /// A session.
    NewSession(NewSession),
    /// A session goes on under a new token.
    SessionTurned(SessionTurn),
    /// Sessions end.
    SessionsEnded(SessionsToEnd),
    /// A person's credential was used.
    CredentialUsed(Person),
    /// A sign-in, or a sensitive action, waits for its second factor.
    NewContinuation(NewContinuation),
    /// A code is about to be compared for the continuation token of this hash: the try counts, whatever comes of it.
    ContinuationTried(String),
    /// A continuation token, by its hash, has done its work.
    ContinuationUsed(String),
    /// A link that goes out by mail.
    NewLink(NewLink),
    /// A link, by its hash, has done its work.
    LinkUsed(String),
    /// A second factor that is not confirmed yet. It replaces every other that is not.
    NewFactor(NewFactor),
    /// A second factor is confirmed and replaces the one before.
    FactorConfirmed {
        /// The account.
        user: UserId,
        /// The factor.
        factor: FactorId,
    },
    /// Every second factor of an account goes, with its recovery codes.
    FactorsRemoved(UserId),
    /// The time step of the last code that was accepted.
    FactorStep {
        /// The account.
        user: UserId,
        /// The factor.
        factor: FactorId,
        /// The time step.
        step: i64,
    },
    /// Recovery codes, which replace those before.
    RecoveryCodes(RecoveryCodes),
    /// A recovery code, by its hash, was used.
    RecoveryCodeUsed {
        /// The account.
        user: UserId,
        /// The hash.
        hash: String,
    },
}
