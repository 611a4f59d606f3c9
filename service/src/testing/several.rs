//! Claims of several practices, about which a staff member decides.

use super::{Fixture, batch, params};
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::plan::{Actor, Plan};
use crate::store::Statement;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::SessionId;
use rusqlite::StatementStatus;
use std::ops::Range;
use uuid::Uuid;

impl Fixture {
    /// Practices with a range of claims each, and a staff member.
    pub(crate) fn practices(count: u8, claims: Range<u32>) -> (Self, Person) {
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
            sandbox: false,
        };
        (f, staff)
    }

    /// The batch of a person's change.
    pub(crate) fn lower_change(&mut self, change: Change, by: &Person, ctx: &Ctx) -> Vec<Statement> {
        let plan =
            Plan { guards: change.guards, actor: Actor::User(by.user_id), ..Plan::of_operator(ctx, change.writes) };
        self.lower(&plan).statements
    }

    /// Practices with claims numbered from 0. Expressions over the number `n` say their status, payer, tag and deadline.
    pub(crate) fn filled(practices: u8, claims: u32, [status, payer, tag, due]: [&str; 4]) -> Self {
        let mut f = Self::new();
        for n in 2..=practices {
            let _key = f.provision(n);
        }
        let sql = format!(
            "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1)
             INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
               date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
               changed, present, appeal_due, appeal_due_from)
             SELECT p.id, 'N-' || n, printf('%08d-0000-7000-8000-', n) || substr(p.id, 25), 's', {status}, 'P', {payer},
               '2026-01-02', 1, '[]', {tag}, 1, 'x', 1, 1, n + 1, 0, {due}, iif({due} IS NULL, NULL, 'rule')
             FROM n, practices p"
        );
        f.db.execute(&sql, [claims]).unwrap();
        f.name_payers();
        f
    }

    /// The answer of a read, and how many steps of SQLite's virtual machine it takes.
    pub(crate) fn measured(&self, statement: &Statement) -> (String, i32) {
        let mut prepared = self.db.prepare(statement.sql).unwrap();
        let json = prepared.query_row(params(statement), |row| row.get(0)).unwrap();
        (json, prepared.get_status(StatementStatus::VmStep))
    }
}
