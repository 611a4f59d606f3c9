//! The changes of a decision, ready for one atomic batch.
//!
//! A plan may run twice, because a host that does not know whether a batch was committed runs it again. So every write
//! states the final values, not differences. The exceptions are counters of attempts, which may only count too many, and
//! leases and pages of destruction, which change nothing if they are no longer due.

use crate::plan::actor::Actor;
use crate::plan::audit::Entry;
use crate::plan::guard::Guard;
use crate::plan::write::Write;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{RequestId, SessionId};
use overturn_core::base::instant::Instant;

/// One atomic batch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions when the batch runs. The plans of the operator, of the scheduled jobs and of counters need none.
    pub guards: Vec<Guard>,
    pub actor: Actor,
    /// The instant of the request.
    pub at: Instant,
    /// When the guards look whether a credential has ended: the time of the commit.
    pub checked_at: Instant,
    pub request_id: RequestId,
    /// The IP address of the request, see [`Plan::address`].
    pub from: Option<String>,
    /// The changes, in this order.
    pub writes: Vec<Write>,
}

impl Plan {
    /// A plan of an operator's command, without guards.
    #[must_use]
    pub const fn of_operator(ctx: &Ctx, writes: Vec<Write>) -> Self {
        Self {
            guards: Vec::new(),
            actor: Actor::Operator,
            at: ctx.now,
            checked_at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes,
        }
    }

    /// The IP address for the trail. A patient's address is left out, because the trail is not encrypted: it is sealed
    /// with the signature.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self.actor {
            Actor::SigningLink(_) => None,
            _ => self.from.as_deref(),
        }
    }

    /// The session for the trail: the request's session, or the one that the first audit row names.
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        let came_in = self.guards.iter().find_map(|guard| match guard {
            Guard::Person(person) => person.session().ok(),
            _ => None,
        });
        came_in.or_else(|| self.evidence()?.session_id)
    }

    /// The audit row that shows whether the same batch ran before.
    #[must_use]
    pub fn evidence(&self) -> Option<&Entry> {
        self.writes.iter().find_map(|write| match write {
            Write::Audit(entry) => Some(entry),
            _ => None,
        })
    }
}
