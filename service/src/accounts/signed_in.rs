//! The signed-in person, as they see themselves.

use crate::accounts::account::Account;
use crate::prelude::*;
use overturn_core::auth::disclosure::{AgreementState, PracticeState};
use overturn_core::auth::may::{may, may_go};
use overturn_core::auth::person::{StoredCredential, StoredPerson};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::auth::session::{IDLE_MS, LONGEST_MS, SessionKind, StoredSession};
use overturn_core::base::id::SessionId;

/// The signed-in person and the session.
#[derive(Debug, Serialize)]
pub(super) struct SignedInView {
    /// The person.
    pub(super) user: UserView,
    /// Their practice; `null` for staff.
    pub(super) practice: Option<OwnPractice>,
    /// The session; `null` for an API token.
    pub(super) session: Option<SignedInSession>,
    /// What the caller may do now.
    pub(super) may: Vec<Action>,
}

/// A practice, as its people see it.
#[derive(Debug, Serialize)]
pub(super) struct OwnPractice {
    pub(super) id: PracticeId,
    pub(super) name: String,
    /// `active` or `inactive`.
    pub(super) status: &'static str,
    pub(super) agreement: AgreementState,
    /// Whether its appeal button is on.
    pub(super) appeal_button: bool,
    /// Whether its people except owners must sign in by a provider.
    pub(super) sso_required: bool,
}

/// A session, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct SignedInSession {
    pub(super) id: SessionId,
    /// `full`, or `enrolment` for an account that may only enroll a second factor.
    pub(super) kind: SessionKind,
    /// When it began.
    pub(super) created_at: Time,
    /// When it ends in any case.
    pub(super) ends_at: Time,
    /// When it ends if it is not used.
    pub(super) idle_ends_at: Time,
    /// When its second factor was last confirmed.
    pub(super) verified_at: Option<Time>,
    /// Whether it began by a provider that the practice trusts.
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
pub(super) struct UserView {
    /// Their account.
    pub(super) id: UserId,
    /// Their name.
    pub(super) name: String,
    /// Their address.
    pub(super) email: String,
    /// Their role.
    pub(super) role: Role,
    /// Whether they have a second factor.
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
