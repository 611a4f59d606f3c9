//! Accounts: what is stored of a person, of second factors and of the links that go out by mail.

use crate::auth::role::Role;
use crate::auth::session::{LONGEST_MS, SessionKind};
use crate::base::id::{FactorId, PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::base::totp::TotpSecret;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A continuation token lives for so long: 5 minutes.
pub const CONTINUATION_MS: i64 = 5 * 60_000;
/// So many codes may be tried with one continuation token.
pub const CONTINUATION_ATTEMPTS: i64 = 5;
/// A link to sign in or to choose a new password lives for so long: 10 minutes.
pub const LINK_MS: i64 = 10 * 60_000;
/// An invitation lives for so long: 7 days.
pub const INVITATION_MS: i64 = 7 * 86_400_000;

names! {
    /// Whether an account is in use.
    UserState {
        /// The person was invited and has not accepted yet.
        Invited = "invited",
        /// In use.
        Active = "active",
    }
}

/// An account to be made. `Debug` prints its id and role only.
#[derive(Clone)]
pub struct NewUser {
    /// Its id.
    pub id: UserId,
    /// The practice it belongs to; `None` exactly for staff.
    pub practice_id: Option<PracticeId>,
    /// What its person is.
    pub role: Role,
    /// Whether it is in use at once.
    pub state: UserState,
    /// The address, as typed.
    pub email: String,
    /// What addresses are compared by, see [`crate::base::email::EmailAddress::key`].
    pub email_key: String,
    /// What the person is called, empty until they say.
    pub name: String,
    /// The hash of the password, where there is one.
    pub password_hash: Option<String>,
    /// When it was made.
    pub created_at: Instant,
}

impl fmt::Debug for NewUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewUser")
            .field("id", &self.id)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// A continuation token to be stored: what a `402` hands out, good for one second factor.
#[derive(Clone, Debug)]
pub struct NewContinuation {
    /// The hash of the token.
    pub hash: String,
    /// The account that has shown its first factor.
    pub user_id: UserId,
    /// Its rights at that time.
    pub epoch: i64,
    /// The session that a second factor is shown again in; `None` at sign-in.
    pub session_id: Option<SessionId>,
    /// When it ends.
    pub expires_at: Instant,
}

names! {
    /// What a link does.
    LinkKind {
        /// Signs in.
        SignIn = "sign_in",
        /// Lets the person choose a new password.
        PasswordReset = "password_reset",
        /// Lets an invited person join.
        Invitation = "invitation",
    }
}

/// A link to be stored.
#[derive(Clone, Debug)]
pub struct NewLink {
    /// The hash of its token.
    pub hash: String,
    /// What it does.
    pub kind: LinkKind,
    /// The account it is for.
    pub user_id: UserId,
    /// The account's rights when it was made: a link made before a change of rights is worth nothing.
    pub epoch: i64,
    /// When it ends.
    pub expires_at: Instant,
}

/// A second factor to be stored. Its secret is sealed on the way.
#[derive(Clone, Debug)]
pub struct NewFactor {
    /// Its id.
    pub id: FactorId,
    /// Whose it is.
    pub user_id: UserId,
    /// The secret.
    pub secret: TotpSecret,
}

/// Recovery codes to be stored, by their hashes.
#[derive(Clone, Debug)]
pub struct RecoveryCodes {
    /// Whose they are.
    pub user_id: UserId,
    /// Their hashes.
    pub hashes: Vec<String>,
}

/// A session that goes on under a new token, as it must at each change of rights.
#[derive(Clone, Debug)]
pub struct SessionTurn {
    /// Whose session it is.
    pub user_id: UserId,
    /// The session.
    pub id: SessionId,
    /// The hash of the new token.
    pub hash: String,
    /// What it is good for from now on.
    pub kind: SessionKind,
    /// The rights it stands for from now on.
    pub epoch: i64,
    /// When a second factor was last shown in it.
    pub verified_at: Option<Instant>,
}

/// Which sessions end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionsToEnd {
    /// One of an account.
    One(UserId, SessionId),
    /// All of an account but one.
    Others(UserId, SessionId),
    /// All of an account.
    All(UserId),
    /// All but the latest of each member of a practice, of whom one keeps this session.
    Surplus(PracticeId, UserId, SessionId),
}

/// Where a request came from, for the people whose session it is and for the audit trail. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ClientOrigin {
    /// The address.
    pub ip: String,
    /// What the browser calls itself, at most [`ClientOrigin::AGENT_MAX`] characters.
    pub agent: String,
}

impl ClientOrigin {
    /// Most characters kept of a browser's name.
    pub const AGENT_MAX: usize = 200;
}

impl core::fmt::Debug for ClientOrigin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ClientOrigin(…)")
    }
}

/// A session to be made.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// The hash of its token, see [`crate::base::secret::SessionToken::hash`].
    pub hash: String,
    /// What it is good for.
    pub kind: SessionKind,
    /// The rights of the account that it was made under.
    pub epoch: i64,
    /// When it was made; it ends [`LONGEST_MS`] later.
    pub created_at: Instant,
    /// When a second factor was shown.
    pub verified_at: Option<Instant>,
    /// Where from.
    pub place: ClientOrigin,
}

impl NewSession {
    /// When it ends in any case.
    #[must_use]
    pub const fn ends_at(&self) -> Instant {
        self.created_at.plus(LONGEST_MS)
    }
}

/// Whose password is tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PasswordTry {
    /// The password of the account in use for an address, by the key of the address. A try for an address without an account is
    /// counted as well, so that it takes as long.
    OfAddress(String),
    /// The password of an account.
    OfAccount(UserId),
}
