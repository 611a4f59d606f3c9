//! The counts of claims and the names of payers. [`Fixture::run`] compares them with the claims after every batch of
//! every test; the tests here add the batches and the orders of events that matter most.

use crate::testing::{Fixture, batch, claim, due, send_of};
use std::collections::BTreeMap;

#[test]
fn a_send_counts_two_rows_for_each_deadline_and_not_for_each_claim() {
    let mut f = Fixture::new();
    let changes = |f: &Fixture| f.count("SELECT total_changes()");
    f.send(&batch(0..1), |_| {});
    let before = changes(&f);
    f.send(&batch(1..2), |_| {});
    let one = changes(&f) - before;
    let before = changes(&f);
    f.send(&batch(2..102), |_| {});
    assert_eq!(changes(&f) - before, one + 99, "the other 99 claims");
    assert_eq!(f.count("SELECT count(*) FROM claim_counts"), 2);
    assert_eq!(f.count("SELECT sum(claims) FROM claim_counts"), 204);
    assert_eq!(f.count("SELECT count(*) FROM payers"), 1);
}

/// Senders and staff who act at random, some of them at once.
#[test]
fn after_any_order_of_sends_corrections_fill_ins_and_changes_the_counts_are_those_of_the_claims() {
    for seed in 1..=12 {
        let mut f = Fixture::new();
        let mut chance = seed;
        let mut below = |n: usize| {
            chance = u64::wrapping_add(u64::wrapping_mul(chance, 6_364_136_223_846_793_005), 7);
            usize::try_from(chance >> 33).unwrap() % n
        };
        let mut some = || {
            let claims = (0..=below(4)).map(|_| {
                let number = format!("R-{}", below(9));
                let billed = ["1.00", "9999999999999999.99", "0.01"][below(3)];
                let body = match below(4) {
                    0 => claim(&number, billed),
                    1 => due(&number, "1950-01-01", billed),
                    2 => due(&number, "2026-01-02", billed),
                    _ => claim(&number, billed).replace("Acme", ["Blue", "acme"][below(2)]),
                };
                (number, body)
            });
            // A batch names each claim once.
            let claims: BTreeMap<String, String> = claims.collect();
            send_of(&claims.into_values().collect::<Vec<_>>())
        };
        for n in 0..25 {
            let (body, race) = (some(), some());
            let mut raced = n % 3 != 0;
            f.send(&body, |f| {
                if !std::mem::replace(&mut raced, true) {
                    f.send(&race, |_| {});
                }
            });
            if n % 4 == 3 {
                let status = ["reviewing", "recovered", "closed", "in_appeal"][n / 4 % 4];
                f.db.execute(
                    "UPDATE claims SET status = ?1, recovered_cents = iif(?1 = 'recovered', 999999999999999999, recovered_cents)
                     WHERE id = (SELECT id FROM claims ORDER BY updated_at, id LIMIT 1)",
                    [status],
                )
                .unwrap();
                f.assert_counted();
            }
        }
        assert!(f.count("SELECT count(*) FROM claims") > 6);
        assert!(f.count("SELECT count(*) FROM claims WHERE version > 1") > 2);
    }
}
