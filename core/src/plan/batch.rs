//! What a decision changes: everything a host needs for one atomic batch, and no choices left.
//!
//! A plan may be carried out twice. Every write says what must be true afterwards, not what to add, so a host that
//! does not know whether a batch was committed runs it again.

use crate::base::ctx::Ctx;
use crate::base::id::{RequestId, SessionId};
use crate::base::instant::Instant;
use crate::plan::actor::Actor;
use crate::plan::audit::Entry;
use crate::plan::guard::{AccountsGuard, Guard};
use crate::plan::write::{AccountsWrite, Write};
use alloc::string::String;
use alloc::vec::Vec;

/// One atomic batch.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// What must still hold when the batch runs. Only the operator's plans need nothing.
    pub guards: Vec<Guard>,
    /// Who makes the changes.
    pub actor: Actor,
    /// The instant of the request.
    pub at: Instant,
    /// The request.
    pub request_id: RequestId,
    /// The address that the request came from, see [`Plan::address`].
    pub from: Option<String>,
    /// What to change, in this order.
    pub writes: Vec<Write<'a>>,
}

impl<'a> Plan<'a> {
    /// What the operator does from the command line. It is the operator's to know that it may.
    #[must_use]
    pub const fn of_operator(ctx: &Ctx, writes: Vec<Write<'a>>) -> Self {
        Self {
            guards: Vec::new(),
            actor: Actor::Operator,
            at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes,
        }
    }

    /// The address that the trail names. A patient's is no business of the trail, which is in the clear: it is sealed with the
    /// signature.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self.actor {
            Actor::SigningLink(_) => None,
            _ => self.from.as_deref(),
        }
    }

    /// The session that the trail names: the one that the request came in, or that a sign-in makes.
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        let came_in = self.guards.iter().find_map(|guard| match guard {
            Guard::Person(person) => person.session().ok(),
            Guard::Accounts(AccountsGuard::Session {
                user: _,
                session: id,
            }) => Some(*id),
            _ => None,
        });
        came_in.or_else(|| {
            self.writes.iter().find_map(|write| match write {
                Write::Accounts(AccountsWrite::NewSession(new)) => Some(new.id),
                _ => None,
            })
        })
    }

    /// The row of the audit trail that tells whether this very batch was carried out before.
    #[must_use]
    pub fn evidence(&self) -> Option<&Entry> {
        self.writes.iter().find_map(|write| match write {
            Write::Audit(entry) => Some(entry),
            _ => None,
        })
    }
}
