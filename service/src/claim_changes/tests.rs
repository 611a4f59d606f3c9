use super::*;
use crate::plan::Actor;
use crate::plan::Plan;
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::{Fixture, batch};
use overturn_core::base::id::ClaimId;

fn stored(f: &mut Fixture, practice: PracticeId, id: ClaimId) -> StoredWorkClaim {
    f.read(&claim(practice, id)).unwrap()
}

/// A batch in which a person takes claims.
fn taking(f: &mut Fixture, practice: PracticeId, claims: &[ClaimId], by: UserId) -> Vec<Statement> {
    let ctx = f.ctx();
    let set = ClaimEdit { taken_by: Some(Some(by)), ..ClaimEdit::default() };
    let changed = claims.iter().map(|id| {
        let stored = stored(f, practice, *id);
        ClaimChange::of(practice, &stored, ClaimEventKind::Taken).set(set)
    });
    let (guard, writes) = changes(changed.collect(), [], Actor::User(by), &ctx);
    let plan = Plan { guards: vec![guard], ..Plan::of_operator(&ctx, writes.into()) };
    f.lower(&plan).statements
}

#[test]
fn changes_are_numbered_one_by_one_and_a_stale_one_stops_them_all() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let (staff, ..) = f.enrol(1);
    let seen = testing::seen_claims(&f);
    let (practice, claims) = (seen[0].practice_id, seen.iter().map(|claim| claim.id).collect::<Vec<_>>());
    let numbers = |f: &Fixture| -> Vec<i64> {
        let mut prepared = f.db.prepare("SELECT changed FROM claims ORDER BY id").unwrap();
        let rows = prepared.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = numbers(&f).into_iter().max().unwrap();
    let late = taking(&mut f, practice, &claims[..2], staff);
    let made = taking(&mut f, practice, &claims[1..], staff);
    f.run(&made).unwrap();
    assert_eq!(numbers(&f)[1..], [before + 1, before + 2]);
    assert_eq!(f.run(&late).unwrap_err(), DatabaseError::Conflict(FailedGuard::Record));
    let (first, second) = (stored(&mut f, practice, claims[0]), stored(&mut f, practice, claims[1]));
    assert_eq!((first.version, first.taken_by), (1, None));
    assert_eq!((second.version, second.taken_by), (2, Some(staff)));
    assert_eq!(f.count("SELECT count(*) FROM claim_events WHERE kind = 'taken'"), 2);
}
