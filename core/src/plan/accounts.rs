//! Accounts: stored people, second factors and mailed links.

use crate::auth::role::Role;
use crate::auth::session::{LONGEST_MS, SessionKind};
use crate::base::id::{FactorId, PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::base::totp::TotpSecret;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The life of a continuation token: 5 minutes.
pub const CONTINUATION_MS: i64 = 5 * 60_000;
/// How many codes may be tried with one continuation token.
pub const CONTINUATION_ATTEMPTS: i64 = 5;
/// The life of a sign-in or password reset link: 10 minutes.
pub const LINK_MS: i64 = 10 * 60_000;
/// The life of an invitation: 7 days.
pub const INVITATION_MS: i64 = 7 * 86_400_000;

names! {
    /// The state of an account.
    UserState {
        /// The person was invited and has not accepted yet.
        Invited = "invited",
        /// In use.
        Active = "active",
    }
}

/// A new account. `Debug` prints only its id and role.
#[derive(Clone)]
pub struct NewUser {
    pub id: UserId,
    /// Its practice; `None` exactly for staff.
    pub practice_id: Option<PracticeId>,
    pub role: Role,
    pub state: UserState,
    /// The address, as typed.
    pub email: String,
    /// The key that addresses are compared by, see [`crate::base::email::EmailAddress::key`].
    pub email_key: String,
    /// The person's name, empty until they enter it.
    pub name: String,
    /// The hash of the password, if it has one.
    pub password_hash: Option<String>,
    pub created_at: Instant,
}

impl fmt::Debug for NewUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewUser").field("id", &self.id).field("role", &self.role).finish_non_exhaustive()
    }
}

/// A new continuation token: a `402` hands it out, and it is valid for one second factor.
#[derive(Clone, Debug)]
pub struct NewContinuation {
    /// The hash of the token.
    pub hash: String,
    /// The account that passed its first factor.
    pub user_id: UserId,
    /// Its epoch at that time.
    pub epoch: i64,
    /// The session that must confirm the second factor again; `None` at sign-in.
    pub session_id: Option<SessionId>,
    /// Whether the first factor came from a provider that the practice trusts.
    pub sso: bool,
    pub expires_at: Instant,
}

names! {
    /// The purpose of a link.
    LinkKind {
        SignIn = "sign_in",
        /// Lets the person choose a new password.
        PasswordReset = "password_reset",
        /// Lets an invited person join.
        Invitation = "invitation",
    }
}

#[derive(Clone, Debug)]
pub struct NewLink {
    /// The hash of its token.
    pub hash: String,
    /// Its purpose.
    pub kind: LinkKind,
    /// The account it is for.
    pub user_id: UserId,
    /// The account's epoch when it was made: a link from before a change of rights is invalid.
    pub epoch: i64,
    pub expires_at: Instant,
}

/// A new second factor. Its secret is sealed in the store.
#[derive(Clone, Debug)]
pub struct NewFactor {
    pub id: FactorId,
    pub user_id: UserId,
    pub secret: TotpSecret,
}

/// New recovery codes, by their hashes.
#[derive(Clone, Debug)]
pub struct RecoveryCodes {
    /// Their account.
    pub user_id: UserId,
    /// Their hashes.
    pub hashes: Vec<String>,
}

/// Which sessions end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionsToEnd {
    /// One session of an account.
    One(UserId, SessionId),
    /// All sessions of an account except one.
    Others(UserId, SessionId),
    /// All sessions of an account.
    All(UserId),
    /// All sessions except the latest of each member of a practice, and except this session of one member.
    Surplus(PracticeId, UserId, SessionId),
}

/// The client's address and browser, for the list of sessions and for the audit trail. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ClientOrigin {
    pub ip: String,
    /// The browser's user agent, at most [`ClientOrigin::AGENT_MAX`] characters.
    pub agent: String,
}

impl ClientOrigin {
    /// How many characters of a user agent are stored.
    pub const AGENT_MAX: usize = 200;
}

impl core::fmt::Debug for ClientOrigin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ClientOrigin(…)")
    }
}

#[derive(Clone, Debug)]
pub struct NewSession {
    pub id: SessionId,
    pub user_id: UserId,
    /// The hash of its token, see [`crate::base::secret::SessionToken::hash`].
    pub hash: String,
    pub kind: SessionKind,
    /// Whether it began by a provider that the practice trusts.
    pub sso: bool,
    /// The epoch of the account when it was made.
    pub epoch: i64,
    /// When it was made; it ends [`LONGEST_MS`] later.
    pub created_at: Instant,
    /// When its second factor was confirmed.
    pub verified_at: Option<Instant>,
    /// The client.
    pub place: ClientOrigin,
}

impl NewSession {
    /// When it ends in any case.
    #[must_use]
    pub const fn ends_at(&self) -> Instant {
        self.created_at.plus(LONGEST_MS)
    }
}

/// A proof that is accepted once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpentProof {
    /// Its hash, as the ceremony or the assertion that it belongs to defines it.
    pub hash: String,
    /// When it could not be accepted any more in any case.
    pub expires_at: Instant,
}
