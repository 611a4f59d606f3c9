//! The audit trail: append only for every statement, numbered, and chained.

mod append_only;
mod chain;
mod pages;
mod rows;

pub(super) use pages::every_filter;

use super::fixture::{Fixture, batch, claim};
use crate::settings::trail as store;
use overturn_core::base::id::PracticeId;
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::{Actor, Plan, Write};
use overturn_core::settings::trail::{Broken, ChainPlace, Checked, Linked, Trail, Why, finish, link, verify};

fn practice(f: &Fixture) -> Trail {
    let id: String = f.db.query_row("SELECT id FROM practices ORDER BY name LIMIT 1", [], |row| row.get(0)).unwrap();
    Trail(Some(PracticeId(id.parse().unwrap())))
}

/// Links one page, and returns where it stops.
fn link_page(f: &mut Fixture, trail: Trail) -> Option<Broken> {
    let (head, rows) = f.read(&(store::head(trail), store::unlinked(trail)));
    let linked = link(trail, head.as_ref(), &rows, &f.keys.trails);
    commit_links(f, trail, linked.clone());
    linked.broken
}

fn check(f: &mut Fixture, trail: Trail) -> (usize, Option<Broken>) {
    let mut checked = Checked::behind(ChainPlace::start());
    loop {
        let page = store::rows(trail, checked.place.sequence, 3);
        let (rows, head) = f.read(&(page, store::head(trail)));
        verify(trail, &mut checked, &rows, Some(&f.keys.trails));
        if let Some(broken) = checked.broken {
            return (checked.rows, Some(broken));
        }
        if rows.is_empty() || checked.is_end {
            let broken = finish(trail, &checked, head.as_ref(), Some(&f.keys.trails));
            return (checked.rows, broken);
        }
    }
}

fn why(found: (usize, Option<Broken>)) -> (i64, Why) {
    let broken = found.1.unwrap();
    (broken.sequence, broken.reason)
}

/// A plan of a person with an audit row and an address.
fn noted(f: &Fixture, practice: Option<PracticeId>, actor: Actor) -> Plan<'static> {
    let ctx = f.ctx();
    let entry = Entry::new(&ctx, 0, practice, Event::ClaimRead, "x");
    Plan {
        guards: Vec::new(),
        actor,
        at: ctx.now,
        request_id: ctx.request_id,
        from: Some("192.0.2.7".into()),
        writes: vec![Write::Audit(entry)],
    }
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
         INSERT INTO report_claims VALUES ('{of}', '{id}', '{claim}');"
    );
    f.db.execute_batch(&rows).unwrap();
    assert_eq!(link_page(&mut f, trail), None);
    f
}

fn short_of(f: &mut Fixture, trail: Trail, count: usize) -> Linked {
    let rows = f.read(&store::unlinked(trail));
    link(trail, None, &rows[..count], &f.keys.trails)
}

/// Commits what linking writes.
fn commit_links(f: &mut Fixture, trail: Trail, linked: Linked) {
    let ctx = f.ctx();
    let writes = linked.write(trail).into_iter().collect();
    f.commit(&ctx, (Vec::new(), writes)).unwrap();
}
