//! An account as a sign-in loads it, and as its person sees it.

use crate::auth::disclosure::AgreementState;
use crate::auth::disclosure::PracticeState;
use crate::auth::may::{may, may_go};
use crate::auth::person::{StoredCredential, StoredPerson, StoredPractice};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::auth::session::{IDLE_MS, LONGEST_MS, SessionKind, StoredSession};
use crate::base::email::EmailAddress;
use crate::base::id::{PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most characters of a person's name.
pub const NAME_MAX: usize = 200;

/// The stored facts about an active account, found by address, link or continuation. `Debug` prints only its ids and
/// role.
#[derive(Clone, Deserialize)]
pub struct Account {
    pub user_id: UserId,
    /// The practice it belongs to; `None` for staff.
    pub practice_id: Option<PracticeId>,
    pub practice_name: Option<String>,
    pub role: Role,
    /// The number of changes of its rights.
    pub epoch: i64,
    pub name: String,
    /// The address, as typed.
    pub email: String,
    /// The hash of its password, if it has one.
    pub password_hash: Option<String>,
    /// Whether it has a second factor.
    pub enrolled: bool,
    /// The state of its practice; `None` for staff.
    pub practice: Option<PracticeFacts>,
}

/// The state of a practice that its people see.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct PracticeFacts {
    /// The stored name of its state.
    pub state: String,
    pub agreement: AgreementState,
    /// Whether its appeal button is on.
    pub appeal_button: bool,
    /// Whether its people except owners must sign in by a provider.
    pub sso_required: bool,
    /// Whether the account is its last active owner.
    pub last_owner: bool,
}

impl Account {
    /// The facts that decide what its person may do in a session.
    #[must_use]
    pub fn standing(&self, session: StoredSession) -> StoredPerson {
        let practice = self.practice_id.zip(self.practice.as_ref());
        let practice = practice.map(|(id, facts)| StoredPractice {
            id,
            state: PracticeState::stored(&facts.state),
            baa_signed: facts.agreement == AgreementState::InForce,
            sso_required: facts.sso_required,
        });
        StoredPerson {
            user_id: self.user_id,
            role: self.role,
            epoch: self.epoch,
            active: true,
            enrolled: self.enrolled,
            practice,
            held: StoredCredential::Session(session),
        }
    }

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
    pub practice: Option<OwnPractice>,
    /// The session; `null` for an API token.
    pub session: Option<SignedInSession>,
    /// What the caller may do now.
    pub may: Vec<Action>,
}

/// A practice, as its people see it.
#[derive(Debug, Serialize)]
pub struct OwnPractice {
    pub id: PracticeId,
    pub name: String,
    /// `active` or `inactive`.
    pub status: &'static str,
    pub agreement: AgreementState,
    /// Whether its appeal button is on.
    pub appeal_button: bool,
    /// Whether its people except owners must sign in by a provider.
    pub sso_required: bool,
}

/// A session, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SignedInSession {
    pub id: SessionId,
    /// `full`, or `enrolment` for an account that may only enroll a second factor.
    pub kind: SessionKind,
    /// When it began.
    pub created_at: Time,
    /// When it ends in any case.
    pub ends_at: Time,
    /// When it ends if it is not used.
    pub idle_ends_at: Time,
    /// When its second factor was last confirmed.
    pub verified_at: Option<Time>,
    /// Whether it began by a provider that the practice trusts.
    pub sso: bool,
}

impl SignedInSession {
    fn of(stored: &StoredSession) -> Self {
        let idle_ends_at = stored.seen_at.plus(IDLE_MS).min(stored.ends_at);
        Self {
            id: stored.id,
            kind: stored.kind,
            created_at: Time(stored.ends_at.plus(-LONGEST_MS)),
            ends_at: Time(stored.ends_at),
            idle_ends_at: Time(idle_ends_at),
            verified_at: stored.verified_at.map(Time),
            sso: stored.sso,
        }
    }
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

/// The signed-in person, by an account and what its credential may do.
#[must_use]
pub fn view(account: &Account, standing: &StoredPerson, now: Instant) -> SignedInView {
    let practice = account.practice_id.zip(account.practice.as_ref());
    let stays = practice.is_some_and(|(_, facts)| may_go(facts.last_owner).is_err());
    let mut may = may(standing, now);
    may.retain(|action| *action != Action::Leave || !stays);
    SignedInView {
        user: UserView {
            id: account.user_id,
            name: account.name.clone(),
            email: account.email.clone(),
            role: account.role,
            two_factor: account.enrolled,
        },
        practice: practice.map(|(id, facts)| OwnPractice {
            id,
            name: account.practice_name.clone().unwrap_or_default(),
            status: PracticeState::stored(&facts.state).name(),
            agreement: facts.agreement,
            appeal_button: facts.appeal_button,
            sso_required: facts.sso_required,
        }),
        session: match &standing.held {
            StoredCredential::Session(session) => Some(SignedInSession::of(session)),
            StoredCredential::Token(_) => None,
        },
        may,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use uuid::Uuid;

    #[test]
    fn an_idle_session_ends_when_it_says_and_never_after_its_last_day() {
        let now = Instant(1_800_000_000_000);
        for (seen, ends) in [(0, LONGEST_MS), (5, IDLE_MS + 5), (0, IDLE_MS - 1)] {
            let session = StoredSession {
                id: SessionId(Uuid::nil()),
                kind: SessionKind::Full,
                epoch: 1,
                ends_at: now.plus(ends),
                seen_at: now.plus(seen),
                verified_at: None,
                revoked: false,
                sso: false,
            };
            let end = SignedInSession::of(&session).idle_ends_at.0;
            assert!(session.lasts(end.plus(-1)) && !session.lasts(end));
        }
    }
}
