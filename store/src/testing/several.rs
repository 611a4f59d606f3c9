//! Claims of several practices, about which a staff member decides.

use super::{Fixture, batch};
use crate::Statement;
use overturn_core::auth::person::{Person, Via};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::SessionId;
use overturn_core::plan::change::Change;
use overturn_core::plan::{Actor, Plan};
use std::ops::Range;
use uuid::Uuid;

/// A practice has at most five active endpoints. The number after the last one is at the end of its index.
const HARMLESS: [&str; 6] = [
    "SEARCH w USING PRIMARY KEY (practice_id=?)",
    "VIRTUAL TABLE",
    "CONSTANT ROW",
    "SCAN f",
    "SCAN (subquery",
    "claim_changed_once",
];

impl Fixture {
    /// Practices with a range of claims each, and a staff member.
    pub fn practices(count: u8, claims: Range<u32>) -> (Self, Person) {
        let mut f = Self::new();
        f.send(&batch(claims.clone()), |_| {});
        for n in 2..=count {
            f.key_hash = f.provision(n);
            f.send(&batch(claims.clone()), |_| {});
        }
        let (user_id, ..) = f.enrol(1);
        let staff = Person {
            user_id,
            practice_id: None,
            role: Role::Staff,
            epoch: 1,
            via: Via::Session(SessionId(Uuid::from_u128(1))),
            action: Action::Work,
            enrolled: true,
            touch: false,
            sso: false,
        };
        (f, staff)
    }

    /// The batch of a person's change.
    pub fn lower_change(&mut self, change: Change, by: &Person, ctx: &Ctx) -> Vec<Statement> {
        let plan = Plan {
            guards: change.guards,
            actor: Actor::User(by.user_id),
            at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes: change.writes,
        };
        self.lower(&plan).statements
    }

    /// Fails if a statement about claims reads more than their rows.
    pub fn assert_reads_claims(&self, statements: &[Statement]) {
        for statement in statements {
            self.assert_indexed(statement, &HARMLESS);
        }
    }
}
