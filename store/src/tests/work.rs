//! Changes of claims.

use super::fixture::{Fixture, batch};
use crate::work::queries;
use overturn_core::base::id::{ClaimId, PracticeId, UserId};
use overturn_core::plan::claim_changes::changes;
use overturn_core::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use overturn_core::plan::work::claim::StoredWorkClaim;
use overturn_core::plan::{Actor, Plan};

pub(super) fn ids(f: &Fixture) -> (PracticeId, Vec<ClaimId>) {
    let read = |sql: &str| {
        let text: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
        text
    };
    let practice = read("SELECT practice_id FROM claims LIMIT 1");
    let claims = read("SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY id)");
    (PracticeId(practice.parse().unwrap()), serde_json::from_str(&claims).unwrap())
}

fn stored(f: &mut Fixture, practice: PracticeId, id: ClaimId) -> StoredWorkClaim {
    f.read(&queries::claim(practice, id)).unwrap()
}

/// A plan in which a person takes claims.
pub(super) fn taking(f: &mut Fixture, claims: &[ClaimId], by: UserId) -> Plan<'static> {
    let ctx = f.ctx();
    let (practice, _) = ids(f);
    let set = ClaimEdit { taken_by: Some(Some(by)), ..ClaimEdit::default() };
    let changed = claims.iter().map(|id| {
        let stored = stored(f, practice, *id);
        ClaimChange::of(practice, &stored, ClaimEventKind::Taken).set(set)
    });
    let (guard, writes) = changes(changed.collect(), [], &ctx);
    Plan {
        guards: vec![guard],
        actor: Actor::User(by),
        at: ctx.now,
        request_id: ctx.request_id,
        from: None,
        writes: writes.into(),
    }
}

#[test]
fn changes_are_numbered_one_by_one_and_a_stale_one_stops_them_all() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let (staff, ..) = f.enrol(1);
    let (practice, claims) = ids(&f);
    let numbers = |f: &Fixture| -> Vec<i64> {
        let mut prepared = f.db.prepare("SELECT changed FROM claims ORDER BY id").unwrap();
        let rows = prepared.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = numbers(&f).into_iter().max().unwrap();
    let late = taking(&mut f, &claims[..2], staff);
    let plan = taking(&mut f, &claims[1..], staff);
    let statements = f.lower(&plan).statements;
    f.run(&statements).unwrap();
    assert_eq!(numbers(&f)[1..], [before + 1, before + 2]);
    let stopped = f.lower(&late).statements;
    assert!(f.run(&stopped).is_err());
    let (first, second) = (stored(&mut f, practice, claims[0]), stored(&mut f, practice, claims[1]));
    assert_eq!((first.version, first.taken_by), (1, None));
    assert_eq!((second.version, second.taken_by), (2, Some(staff)));
    assert_eq!(f.count("SELECT count(*) FROM claim_events WHERE kind = 'taken'"), 2);
}
