//! The audit trail: append only for every statement, numbered, and chained.

mod append_only;
mod rows;

use super::fixture::{Fixture, batch, claim};
use crate::plan::audit::{Entry, Event};
use crate::plan::{Actor, Plan, Write};
use crate::trail::Trail;
use overturn_core::base::id::PracticeId;

fn practice(f: &Fixture) -> Trail {
    let id: String = f.db.query_row("SELECT id FROM practices ORDER BY name LIMIT 1", [], |row| row.get(0)).unwrap();
    Trail(Some(PracticeId(id.parse().unwrap())))
}

/// A plan of a person with an audit row and an address.
fn noted(f: &Fixture, practice: Option<PracticeId>, actor: Actor) -> Plan {
    let ctx = f.ctx();
    let entry = Entry::new(&ctx, 0, practice, Event::ClaimRead, "x");
    Plan { actor, from: Some("192.0.2.7".into()), ..Plan::of_operator(&ctx, vec![Write::Audit(entry)]) }
}

/// A database with some rows of every append-only table.
fn filled() -> Fixture {
    let mut f = Fixture::new();
    f.send(&batch(0..2), |_| {});
    f.send(&claim("B-1", "11.00"), |_| {});
    let (user, _, _) = f.enrol(1);
    let trail = practice(&f);
    let (of, id) = (trail.to_string(), "i");
    let claim: String = f.db.query_row("SELECT id FROM claims LIMIT 1", [], |row| row.get(0)).unwrap();
    let rows = format!(
        "INSERT INTO claim_notes VALUES ('{of}', '{claim}', '{id}', 1, '{user}', 1, 'x');
         INSERT INTO signatures VALUES ('{of}', '{claim}', '{id}', 'l', 1, 1, 'x');
         INSERT INTO reports VALUES ('{of}', '{id}', 1, '{user}');
         INSERT INTO report_claims VALUES ('{of}', '{id}', '{claim}');
         UPDATE audit SET previous = 'x' WHERE practice_id = '{of}';
         INSERT INTO trail_heads (practice_id, seq, digest, key_version, mac) VALUES ('{of}', 1, 'x', 1, 'x');"
    );
    f.db.execute_batch(&rows).unwrap();
    f
}
