//! The signed-in person, as they see themselves.

use crate::accounts::account::Account;
use crate::auth::disclosure::{AgreementState, PracticeState};
use crate::auth::may::{may, may_go};
use crate::auth::person::{StoredCredential, StoredPerson};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::auth::session::{IDLE_MS, LONGEST_MS, SessionKind, StoredSession};
use crate::prelude::*;
use overturn_core::base::id::SessionId;

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SignedInView {
    pub(super) user: UserView,
    /// `null` for our staff.
    pub(super) practice: Option<OwnPractice>,
    /// `null` for an API token.
    pub(super) session: Option<SignedInSession>,
    /// What the caller may do now, by the role, the scopes, the kind of session, and the state of the practice and its
    /// agreement. Sensitive actions are listed as well: the second factor is asked when the person does one. A person
    /// without a second factor must first enroll one (`enrolment_needed`). A single record may allow less.
    pub(super) may: Vec<Action>,
}

/// A practice, as its people see it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OwnPractice {
    pub(super) id: PracticeId,
    pub(super) name: String,
    pub(super) status: PracticeState,
    pub(super) agreement: AgreementState,
    /// Whether its appeal button is on.
    pub(super) appeal_button: bool,
    /// Whether everyone except owners must sign in with an identity provider.
    pub(super) sso_required: bool,
}

/// The session that makes the call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SignedInSession {
    pub(super) id: SessionId,
    pub(super) kind: SessionKind,
    pub(super) created_at: Time,
    /// When it ends, even if it is in use.
    pub(super) ends_at: Time,
    /// When it ends if it is not used again. A use within a minute of an earlier one does not change it. It is never
    /// after `ends_at`.
    pub(super) idle_ends_at: Time,
    /// When the person last showed a second factor in it.
    pub(super) verified_at: Option<Time>,
    /// Whether it began at an identity provider of the practice.
    pub(super) sso: bool,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct UserView {
    pub(super) id: UserId,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) role: Role,
    /// Whether the account has a second factor.
    pub(super) two_factor: bool,
}

/// The signed-in person, by an account and what its credential may do.
pub(super) fn view(account: &Account, standing: &StoredPerson, now: Instant) -> SignedInView {
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
            status: PracticeState::stored(&facts.state),
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
