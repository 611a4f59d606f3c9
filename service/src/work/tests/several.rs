//! Claims of several practices that one request takes.

use crate::auth::person::Person;
use crate::claim_changes::testing::seen_claims;
use crate::claim_changes::{self, SeenClaim};
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::work::take;

fn taking(f: &mut Fixture, asked: &[SeenClaim], staff: &Person) -> Vec<Statement> {
    let found = f.read(&claim_changes::found(asked));
    let ctx = f.ctx();
    let to_take = take::SeveralToTake { user_id: None, claims: asked.to_vec() };
    let change = take::all_taken(&to_take, (found, None), staff, &ctx).unwrap();
    f.lower_change(change, staff, &ctx)
}

#[test]
fn the_statements_are_as_many_for_a_hundred_claims_of_twenty_practices_as_for_one() {
    let (mut f, staff) = Fixture::practices(20, 0..5);
    let claims = seen_claims(&f);
    assert_eq!(claims.len(), 100);
    let one = taking(&mut f, &claims[..1], &staff);
    let hundred = taking(&mut f, &claims, &staff);
    assert_eq!(one.len(), hundred.len());
}

#[test]
fn one_changed_claim_or_practice_stops_the_batch_so_that_it_is_decided_again() {
    let (mut f, staff) = Fixture::practices(2, 0..2);
    let claims = seen_claims(&f);
    let late = taking(&mut f, &claims, &staff);
    let first = taking(&mut f, &claims[..1], &staff);
    f.run(&first).unwrap();
    assert_eq!(f.run(&late).unwrap_err(), DatabaseError::Conflict(FailedGuard::Record));
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 2"), 1);
    // What was read again has the new version, so the others are taken.
    let again = taking(&mut f, &claims, &staff);
    f.run(&again).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 2"), 4);

    let claims = seen_claims(&f);
    let late = taking(&mut f, &claims, &staff);
    let other = claims[3].practice_id.to_string();
    f.db.execute("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", [&other]).unwrap();
    assert_eq!(f.run(&late).unwrap_err(), DatabaseError::Conflict(FailedGuard::Credential));
    let again = taking(&mut f, &claims, &staff);
    f.run(&again).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 3"), 2);
}
