//! Who sends claims.

use crate::auth::key::Caller;
use crate::auth::person::Person;
use crate::base::id::PracticeId;
use crate::plan::{Actor, Guard};
use crate::request::error::RequestError;
use alloc::vec::Vec;

/// An authorized sender of claims: an API key of a billing system, or a person of the practice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sender {
    /// The practice whose claims they are.
    pub practice_id: PracticeId,
    /// The actor of every change.
    pub actor: Actor,
    /// What the writing batch checks again.
    pub(super) guards: Vec<Guard>,
}

impl From<&Caller> for Sender {
    fn from(caller: &Caller) -> Self {
        Self {
            practice_id: caller.practice_id,
            actor: Actor::ApiKey(caller.api_key_id),
            guards: [Guard::Key(caller.clone())].into(),
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
            guards: [Guard::Person(person.clone()), Guard::Readable(practice_id)].into(),
        })
    }
}
