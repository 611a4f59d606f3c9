//! An account as a sign-in loads it, and as its person sees it.

use crate::auth::role::Role;
use crate::auth::session::SessionKind;
use crate::base::email::EmailAddress;
use crate::base::id::{PracticeId, SessionId, UserId};
use crate::base::time::Time;
use crate::plan::settings::PracticeName;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// The stored facts about an active account, found by address, link or continuation. `Debug` prints only its ids and
/// role.
#[derive(Clone, Deserialize)]
pub struct Account {
    /// Its id.
    pub user_id: UserId,
    /// The practice it belongs to; `None` for staff.
    pub practice_id: Option<PracticeId>,
    /// The practice's name.
    pub practice_name: Option<String>,
    /// The person's role.
    pub role: Role,
    /// The number of changes of its rights.
    pub epoch: i64,
    /// The person's name.
    pub name: String,
    /// The address, as typed.
    pub email: String,
    /// The hash of its password, if it has one.
    pub password_hash: Option<String>,
    /// Whether it has a second factor.
    pub enrolled: bool,
}

impl Account {
    /// The key that its address is compared by.
    #[must_use]
    pub fn email_key(&self) -> String {
        EmailAddress::parse(&self.email).map_or_else(String::new, |email| email.key())
    }
}

impl core::fmt::Debug for Account {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Account")
            .field("user_id", &self.user_id)
            .field("practice_id", &self.practice_id)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// The signed-in person and the session.
#[derive(Debug, Serialize)]
pub struct SignedInView {
    /// The person.
    pub user: UserView,
    /// Their practice; `null` for staff.
    pub practice: Option<PracticeName>,
    /// The session; `null` for an API token.
    pub session: Option<SessionFacts>,
}

/// A person, as they see themselves.
#[derive(Debug, Serialize, Deserialize)]
pub struct UserView {
    /// Their account.
    pub id: UserId,
    /// Their name.
    pub name: String,
    /// Their address.
    pub email: String,
    /// Their role.
    pub role: Role,
    /// Whether they have a second factor.
    pub two_factor: bool,
}

/// Facts about a session that its person sees.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionFacts {
    /// Its id.
    pub id: SessionId,
    /// `full`, or `enrolment` for an account that may only enroll a second factor.
    pub kind: SessionKind,
    /// When it began.
    pub created_at: Time,
    /// When it ends in any case.
    pub ends_at: Time,
    /// When its second factor was last confirmed.
    pub verified_at: Option<Time>,
}

/// The signed-in person.
#[must_use]
pub fn view(account: &Account, session: Option<SessionFacts>) -> SignedInView {
    let name = account.practice_name.clone().unwrap_or_default();
    SignedInView {
        user: UserView {
            id: account.user_id,
            name: account.name.clone(),
            email: account.email.clone(),
            role: account.role,
            two_factor: account.enrolled,
        },
        practice: account.practice_id.map(|id| PracticeName { id, name }),
        session,
    }
}
