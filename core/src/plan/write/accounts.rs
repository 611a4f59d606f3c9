//! Changes of people, their sessions, factors and links.

use crate::auth::person::Person;
use crate::auth::role::Role;
use crate::base::id::{FactorId, PasskeyId, PracticeId, UserId};
use crate::identity::passkeys::AssertedCredential;
use crate::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewPasskey, NewSession, NewUser, PasswordTry, RecoveryCodes, SessionTurn,
    SessionsToEnd, SpentProof,
};
use alloc::string::String;

/// One change of people, their sessions, factors and links.
#[derive(Clone, Debug)]
pub enum AccountsWrite {
    /// An account.
    NewUser(NewUser),
    /// An invited person accepts: sets the name and password hash, and activates the account.
    UserJoined {
        user: UserId,
        name: String,
        password_hash: String,
    },
    /// A new password hash. The same password under newer parameters changes no rights.
    Password {
        user: UserId,
        hash: String,
    },
    /// A password is about to be compared. The try counts, whatever its result.
    PasswordTried(PasswordTry),
    /// Closes the password of an account.
    PasswordClosed(UserId),
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
    /// Gives a session a new token.
    SessionTurned(SessionTurn),
    SessionsEnded(SessionsToEnd),
    /// Records the use of a person's credential.
    CredentialUsed(Person),
    /// A continuation of a sign-in or a sensitive action, which waits for the second factor.
    NewContinuation(NewContinuation),
    /// A code is about to be compared for the continuation token of this hash. The try counts, whatever its result.
    ContinuationTried(String),
    /// Marks a continuation token, by its hash, as used.
    ContinuationUsed(String),
    /// A mailed link.
    NewLink(NewLink),
    /// Marks a link, by its hash, as used.
    LinkUsed(String),
    /// A second factor that is not confirmed yet. It replaces every other unconfirmed one.
    NewFactor(NewFactor),
    /// Confirms a second factor, which replaces the earlier one.
    FactorConfirmed {
        user: UserId,
        factor: FactorId,
    },
    /// Removes every second factor of an account, and its recovery codes.
    FactorsRemoved(UserId),
    /// Records the time step of the last accepted code.
    FactorStep {
        user: UserId,
        factor: FactorId,
        /// The time step.
        step: i64,
    },
    /// Recovery codes, which replace earlier ones.
    RecoveryCodes(RecoveryCodes),
    /// Marks a proof as spent, so that it is never accepted again.
    ProofSpent(SpentProof),
    NewPasskey(NewPasskey),
    /// A new name for a passkey.
    PasskeyNamed {
        user: UserId,
        passkey: PasskeyId,
        name: String,
    },
    /// Records the use of a passkey.
    PasskeyUsed {
        user: UserId,
        passkey: PasskeyId,
        /// What the assertion says of it.
        asserted: AssertedCredential,
    },
    PasskeyRemoved {
        user: UserId,
        passkey: PasskeyId,
    },
    /// Marks a recovery code, by its hash, as used.
    RecoveryCodeUsed {
        user: UserId,
        hash: String,
    },
}
