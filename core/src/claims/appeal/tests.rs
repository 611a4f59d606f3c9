use super::*;
use uuid::Uuid;

const FIRST: CaseId = CaseId(Uuid::from_u128(1));
const SECOND: CaseId = CaseId(Uuid::from_u128(2));

fn at(case_id: CaseId, level: i64, cents: i64, at: i64) -> AtLevel {
    let paid = Cents::new(cents).map(|amount| Paid { amount, at: Instant(at), stands: false });
    AtLevel { case_id, level, filed: true, paid }
}

fn appeal(levels: &[AtLevel]) -> Appeal {
    Appeal { levels: levels.into(), ..Appeal::default() }
}

fn ending(is_undone: bool, amount: i64, in_case: i64) -> Ending {
    Ending { is_undone, amount: Cents::new(amount), in_case: Cents::new(in_case) }
}

#[test]
fn a_claim_that_is_closed_at_the_level_of_its_amount_was_recovered_by_mistake() {
    let by_mistake = appeal(&[at(FIRST, 1, 80, 1)]);
    assert_eq!(by_mistake.close(FIRST, 1), ending(true, 0, 0));
    // The amount recorded at the earlier level counts again.
    let partly = appeal(&[at(FIRST, 1, 80, 1), at(FIRST, 2, 30, 2)]);
    assert_eq!(partly.close(FIRST, 2), ending(true, 80, 80));
    let mut stands = at(FIRST, 1, 80, 1);
    stands.paid.as_mut().unwrap().stands = true;
    assert_eq!(appeal(&[stands]).close(FIRST, 1), ending(false, 80, 80));
}

#[test]
fn payments_at_an_earlier_level_or_in_another_case_stay_and_each_case_has_its_own() {
    let partly = appeal(&[at(FIRST, 1, 80, 1), at(FIRST, 2, 0, 0)]);
    assert_eq!(partly.close(FIRST, 2), ending(false, 80, 80));
    assert_eq!(partly.close(SECOND, 1), ending(false, 80, 0));
    // The amount recorded last counts, in any case.
    let both = appeal(&[at(SECOND, 1, 30, 2), at(FIRST, 2, 80, 1)]);
    assert_eq!(both.close(SECOND, 2), ending(false, 30, 30));
    assert_eq!(both.close(FIRST, 3), ending(false, 30, 80));
    assert_eq!(both.paid_in(FIRST).map(|(level, _)| level), Some(2));
    assert_eq!(both.paid_without(SECOND, 1), Cents::new(80));
    assert_eq!(both.paid_without(FIRST, 2), Cents::new(30));
    assert_eq!(Appeal::default().close(FIRST, 1), ending(false, 0, 0));
}
