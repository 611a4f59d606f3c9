//! Claims of several practices that one request takes.

use crate::work::take;
use overturn_core::auth::person::Person;
use overturn_core::plan::work::several::SeenClaim;
use overturn_store::Statement;
use overturn_store::testing::Fixture;
use overturn_store::work::queries;

fn taking(f: &mut Fixture, asked: &[SeenClaim], staff: &Person) -> Vec<Statement> {
    let found = f.read(&queries::found(asked));
    let ctx = f.ctx();
    let to_take = take::SeveralToTake { user_id: None, claims: asked.to_vec() };
    let change = take::all_taken(&to_take, (found, None), staff, &ctx).unwrap();
    f.lower_change(change, staff, &ctx)
}

#[test]
fn the_statements_are_as_many_for_a_hundred_claims_of_twenty_practices_as_for_one() {
    let (mut f, staff) = Fixture::practices(20, 0..5);
    let claims = f.seen_claims();
    assert_eq!(claims.len(), 100);
    let one = taking(&mut f, &claims[..1], &staff);
    let hundred = taking(&mut f, &claims, &staff);
    assert_eq!(one.len(), hundred.len());
}
