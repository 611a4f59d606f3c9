//! What a caller may do, for pages that show only what is possible. [`authorise`] decides, so a page and a call never
//! disagree.

use crate::auth::person::{PageProof, Person, StoredCredential, StoredPerson, Via, authorise};
use crate::auth::rights::Action;
use crate::auth::session::SessionKind;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use overturn_core::base::instant::Instant;

/// The actions that a caller may do now. Sensitive ones are included, because the second factor is asked when the person
/// does one; so is what a person may do after enrolling one, unless the session is only for that.
#[must_use]
pub fn may(standing: &StoredPerson, now: Instant) -> Vec<Action> {
    let full = match &standing.held {
        StoredCredential::Session(session) => session.kind == SessionKind::Full,
        StoredCredential::Token(_) => false,
    };
    let allowed = |action: &Action| {
        let found = authorise(Some(standing), None, PageProof::NotNeeded, *action, now);
        match found {
            Ok(_) | Err(RequestError::TwoFactorRequired(_)) => true,
            Err(RequestError::EnrolmentRequired) => full,
            Err(_) => false,
        }
    };
    Action::ALL.into_iter().filter(allowed).collect()
}

pub const LAST_OWNER: RequestError = RequestError::Conflict(Reason::LastOwner, "the practice must keep an owner");

/// Refuses that an account leaves its practice or gives up its role, if it is the practice's last active owner. The
/// batch checks the same condition again.
///
/// # Errors
///
/// [`LAST_OWNER`].
pub const fn may_go(last_owner: bool) -> Result<(), RequestError> {
    if last_owner { Err(LAST_OWNER) } else { Ok(()) }
}

impl Person {
    /// True if the person's role allows an action that needs a session, and they have one.
    #[must_use]
    pub fn may_in_session(&self, action: Action) -> bool {
        matches!(self.via, Via::Session(_)) && action.right().roles.contains(&self.role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::disclosure::PracticeState;
    use crate::auth::person::{StoredPractice, StoredToken};
    use crate::auth::role::Role;
    use crate::auth::scope::{TokenScope, TokenScopes};
    use crate::auth::session::{LONGEST_MS, StoredSession};
    use overturn_core::base::id::{ApiTokenId, PracticeId, SessionId, UserId};
    use uuid::Uuid;

    const NOW: Instant = Instant(1_800_000_000_000);

    fn session(kind: SessionKind, sso: bool) -> StoredCredential {
        StoredCredential::Session(StoredSession {
            id: SessionId(Uuid::nil()),
            kind,
            epoch: 1,
            // Not a new session.
            ends_at: NOW.plus(LONGEST_MS / 2),
            seen_at: NOW,
            verified_at: None,
            revoked: false,
            sso,
        })
    }

    fn standing(role: Role, held: StoredCredential) -> StoredPerson {
        let practice = StoredPractice {
            id: PracticeId(Uuid::nil()),
            state: PracticeState::Active,
            baa_signed: true,
            sso_required: false,
            clock_ms: None,
        };
        StoredPerson {
            user_id: UserId(Uuid::nil()),
            role,
            epoch: 1,
            active: true,
            enrolled: true,
            practice: Role::OF_PRACTICE.contains(&role).then_some(practice),
            held,
        }
    }

    #[test]
    fn a_full_session_may_do_what_its_role_may_also_what_needs_a_factor() {
        for role in Role::ALL {
            let found = may(&standing(role, session(SessionKind::Full, false)), NOW);
            let expected = Action::ALL.into_iter();
            let expected = expected.filter(|action| action.right().roles.contains(&role));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{role:?}");
        }
    }

    #[test]
    fn what_the_practice_lacks_is_left_out() {
        let mut person = standing(Role::Owner, session(SessionKind::Full, false));
        person.practice.as_mut().unwrap().baa_signed = false;
        let found = may(&person, NOW);
        assert!(!found.contains(&Action::ReadDenials) && found.contains(&Action::SignAgreement));
        assert!(found.iter().all(|action| !action.right().agreement));
        person.practice.as_mut().unwrap().state = PracticeState::Inactive;
        assert!(may(&person, NOW).iter().all(|action| action.right().own));
        let mut member = standing(Role::Member, session(SessionKind::Full, false));
        member.practice.as_mut().unwrap().sso_required = true;
        assert!(may(&member, NOW).iter().all(|action| action.right().own));
        member.held = session(SessionKind::Full, true);
        assert!(may(&member, NOW).contains(&Action::ReadDenials));
    }

    #[test]
    fn a_session_for_enrolment_may_do_nothing_else() {
        let mut person = standing(Role::Owner, session(SessionKind::Enrolment, false));
        person.enrolled = false;
        let found = may(&person, NOW);
        assert!(found.contains(&Action::EnrolFactor));
        assert!(found.iter().all(|action| action.right().own && !action.right().sensitive));
        // A provider stood for the second factor. What is sensitive asks for one of the person's own.
        person.held = session(SessionKind::Full, true);
        let found = may(&person, NOW);
        assert!(found.contains(&Action::ManageApiKeys));
        assert!(!found.contains(&Action::EnrolFactor), "the session is not new");
    }

    #[test]
    fn a_token_may_do_what_its_scopes_and_its_person_may() {
        let token = |scopes: &[TokenScope]| {
            StoredCredential::Token(StoredToken {
                id: ApiTokenId(Uuid::nil()),
                scopes: TokenScopes::of(scopes),
                expires_at: NOW.plus(1),
                revoked: false,
                last_used_at: None,
            })
        };
        let found = may(&standing(Role::Owner, token(&[TokenScope::DenialsRead])), NOW);
        assert_eq!(found, [Action::ReadDenials]);
        let found = may(&standing(Role::Member, token(&TokenScope::ALL)), NOW);
        assert!(!found.contains(&Action::ListApiKeys) && found.contains(&Action::ReadPractice));
        assert_eq!(may(&standing(Role::Owner, token(&[])), NOW), []);
    }

    #[test]
    fn a_session_that_has_ended_may_nothing() {
        let person = standing(Role::Owner, session(SessionKind::Full, false));
        assert_eq!(may(&person, NOW.plus(LONGEST_MS)), []);
    }
}
