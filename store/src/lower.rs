//! A plan as statements. Pure: what it needs of keys and entropy is handed in.

mod guards;

use crate::accounts::writes as accounts;
use crate::claims::writes::{self as claims, Sent};
use crate::keyring::Keyring;
use crate::keyring::practice::{DataKey, PracticeKeys};
use crate::seal::Nonce;
use crate::settings::{data_keys, writes as settings};
use crate::signing::writes as signing;
use crate::webhooks::writes as webhooks;
use crate::work::writes as work;
use crate::{Param, Statement, records};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, Place};
use overturn_core::plan::{Guard, Plan, Write};
use std::ops::Range;

/// The batch of a plan.
#[derive(Debug)]
pub struct Batch {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// How to learn what came of the plan's claims; `None` where it is about none.
    pub learn: Option<Learn>,
}

/// How to learn what came of a plan's claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Learn {
    /// The last statement of the batch reads it.
    Last,
    /// Where the statements of `inserts` changed `created` rows, every claim was created by this very batch. Where they
    /// did not, as after a lost race or a lost answer, this statement reads what came of them.
    Inserted {
        /// The statements that insert.
        inserts: Range<usize>,
        /// How many claims there are to create.
        created: usize,
        /// What to run otherwise.
        otherwise: Statement,
    },
}

/// Why a plan cannot be written: it seals something of a practice whose data key is not at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotLower;

/// What lowering needs beside the plan.
pub struct Means<'m> {
    pub(crate) keys: &'m Keyring,
    practice: Option<&'m PracticeKeys<'m>>,
    nonce: &'m mut dyn FnMut() -> Nonce,
    /// Whether the practice's data key has sealed anything.
    used: bool,
}

impl<'m> Means<'m> {
    /// The keys of the service, those of the practice where something of one is to be sealed, and what draws a fresh random
    /// nonce.
    pub fn new(
        keys: &'m Keyring,
        practice: Option<&'m PracticeKeys<'m>>,
        nonce: &'m mut dyn FnMut() -> Nonce,
    ) -> Self {
        Self {
            keys,
            practice,
            nonce,
            used: false,
        }
    }

    /// Seals what is confidential about a record for its place, under the key that seals there now: the version to store
    /// beside it, and the blob.
    pub(crate) fn seal(
        &mut self,
        place: Place,
        text: &[u8],
    ) -> Result<(KeyVersion, String), CannotLower> {
        let nonce = (self.nonce)();
        if let Some(practice) = place.practice() {
            let data = self.data(practice).ok_or(CannotLower)?;
            let sealed = data.seal(place, text, nonce).ok_or(CannotLower)?;
            let version = data.version();
            self.used = true;
            return Ok((version, sealed));
        }
        let key = self.keys.account(self.keys.current()).ok_or(CannotLower)?;
        let sealed = key.seal(place, text, nonce).ok_or(CannotLower)?;
        Ok((key.version(), sealed))
    }

    fn data(&self, practice: PracticeId) -> Option<&'m DataKey> {
        let keys = self.practice.filter(|keys| keys.practice() == practice)?;
        keys.data()
    }

    /// The guards of a plan. Before everything that the data key sealed comes its row where it is new, and the guard that it is the
    /// practice's: in one statement with the guard of an API key, since every send has both.
    fn guards(&self, plan: &Plan<'_>) -> Vec<Statement> {
        let keys = self.practice.filter(|_| self.used);
        let sealed = keys.and_then(|keys| Some((keys.practice(), keys.data()?)));
        let mut joined = false;
        let guards = plan.guards.iter().map(|guard| match (guard, sealed) {
            (Guard::Key(caller), Some((practice, data)))
                if caller.practice_id == practice && data.new_row().is_none() =>
            {
                joined = true;
                guards::key_and_data_key(caller, data, plan)
            }
            _ => guards::guard(guard, plan),
        });
        let mut statements: Vec<Statement> = guards.collect();
        let Some((practice, data)) = sealed.filter(|_| !joined) else {
            return statements;
        };
        if let Some(new) = data.new_row() {
            statements.push(data_keys::insert(new, plan.at));
            statements.push(records::audit(plan, &new.audit, self.keys));
        }
        statements.push(data_keys::guard(practice, data));
        statements
    }
}

/// A version and a blob as parameters.
pub(crate) fn sealed((version, sealed): (KeyVersion, String)) -> [Param; 2] {
    [Param::Int(version.0), Param::Text(sealed)]
}

/// Lowers a plan to one batch.
///
/// # Errors
///
/// [`CannotLower`] when something is to be sealed under a key that is not at hand.
pub fn lower(plan: &Plan<'_>, means: &mut Means<'_>) -> Result<Batch, CannotLower> {
    let mut first: Vec<Statement> = plan.evidence().map(guards::done).into_iter().collect();
    let mut statements = Vec::new();
    let mut sent = Sent::default();
    for write in &plan.writes {
        match write {
            Write::Claims(write) => {
                claims::lower(&mut statements, (write, &mut sent), plan, means)?;
            }
            Write::Settings(write) => statements.extend(settings::lower(write, plan)),
            Write::Accounts(write) => statements.extend(accounts::lower(write, plan, means)?),
            Write::Signing(write) => statements.extend(signing::lower(write, plan, means)?),
            Write::Work(write) => statements.extend(work::lower(write, plan, means)?),
            Write::Webhooks(write) => statements.push(webhooks::lower(write, plan.at, means)?),
            Write::Audit(entry) => statements.push(records::audit(plan, entry, means.keys)),
            Write::Answer(new) => statements.extend(accounts::answer(new, plan)),
        }
    }
    first.extend(means.guards(plan));
    let outcome = sent.outcome();
    let inserts = sent.inserts_behind(first.len());
    let mut statements = [first, statements].concat();
    let learn = match outcome {
        Some(otherwise) if sent.only_new() => Some(Learn::Inserted {
            inserts,
            created: sent.numbers.len(),
            otherwise,
        }),
        Some(last) => {
            statements.push(last);
            Some(Learn::Last)
        }
        None => None,
    };
    Ok(Batch { statements, learn })
}
