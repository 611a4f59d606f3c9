//! Who sends claims.

use crate::auth::key::{self, Caller, Credential};
use crate::auth::person::Person;
use crate::auth::scope::Scope;
use crate::plan::{Actor, Guard};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use crate::store::json::json;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::Changes;
use std::collections::BTreeSet;
use std::rc::Rc;

/// An authorized sender of claims: an API key of a billing system, or a person of the practice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sender {
    /// The practice whose claims they are.
    pub practice_id: PracticeId,
    /// The actor of every change.
    pub(super) actor: Actor,
    /// What the writing batch checks again.
    pub(super) guards: Vec<Guard>,
    /// If the sender and that all claims are new is assumed and not loaded: the payers whose names are noted.
    pub(super) assumed: Option<Rc<BTreeSet<String>>>,
    /// True if the practice is a sandbox.
    pub(super) sandbox: bool,
}

impl Sender {
    /// The sender with an API key, if it may send.
    ///
    /// # Errors
    ///
    /// The refusals of [`key::authorise`].
    pub fn of_key(credential: Option<&Credential>, limit: Option<Verdict>, now: Instant) -> Result<Self, RequestError> {
        Ok(Self::from(&key::authorise(credential, limit, Scope::ClaimsWrite, now)?))
    }

    /// What the batch of these changes checks. If all claims are assumed to be new, it checks that as well.
    pub(super) fn guards_of(&self, changes: &Changes<'_>) -> Vec<Guard> {
        let guard = |guard: &Guard| match guard {
            Guard::Key(caller) if self.assumed.is_some() => {
                let numbers: Vec<&str> = changes.claim_numbers().collect();
                Guard::AllNew(caller.clone(), changes.submission_id, json(&numbers))
            }
            other => other.clone(),
        };
        self.guards.iter().map(guard).collect()
    }
}

impl From<&Caller> for Sender {
    fn from(caller: &Caller) -> Self {
        Self {
            practice_id: caller.practice_id,
            actor: Actor::ApiKey(caller.api_key_id),
            guards: vec![Guard::Key(caller.clone())],
            assumed: None,
            sandbox: caller.sandbox,
        }
    }
}

impl TryFrom<&Person> for Sender {
    type Error = RequestError;

    /// A person sends for their own practice.
    fn try_from(person: &Person) -> Result<Self, RequestError> {
        let practice_id = person.practice()?;
        Ok(Self {
            practice_id,
            actor: Actor::from(person),
            guards: vec![Guard::Person(person.clone()), Guard::Usable(practice_id)],
            assumed: None,
            sandbox: person.sandbox,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::testing::decisions::person;

    #[test]
    fn a_person_sends_for_their_own_practice_and_the_batch_checks_their_rights_again() {
        let person = person(Role::Member, Action::SendClaims);
        let practice_id = person.practice_id.unwrap();
        let guards = vec![Guard::Person(person.clone()), Guard::Usable(practice_id)];
        assert_eq!(
            Sender::try_from(&person),
            Ok(Sender { practice_id, actor: Actor::from(&person), guards, assumed: None, sandbox: false })
        );
    }

    #[test]
    fn staff_have_no_practice_to_send_for() {
        let person = Person { practice_id: None, ..person(Role::Staff, Action::SendClaims) };
        assert!(Sender::try_from(&person).is_err());
    }
}
