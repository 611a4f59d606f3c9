//! The counts of claims and the names of payers. [`Fixture::run`] compares them with the claims after every batch of
//! every test; the tests here add the batches and the orders of events that matter most.

use crate::summaries::counting;
use crate::testing::{Fixture, batch, claim, due, send_of};
use std::collections::BTreeMap;

#[test]
fn a_send_writes_no_counts_and_the_job_of_each_minute_two_rows_for_each_deadline() {
    let mut f = Fixture::new();
    f.send(&batch(0..100), |_| {});
    assert_eq!(f.count("SELECT count(*) FROM claim_counts"), 0);
    assert_eq!(f.count("SELECT sum(claims) FROM claim_figures"), 100);
    for _ in 0..2 {
        count(&mut f);
        assert_eq!(f.count("SELECT count(*) FROM claim_counts"), 2);
        assert_eq!(f.count("SELECT sum(claims) FROM claim_counts"), 200);
        assert_eq!(f.count("SELECT count(*) FROM uncounted_claims"), 0);
    }
    assert_eq!(f.count("SELECT count(*) FROM payers"), 1);
    let unnumbered = f.db.execute("UPDATE claims SET status = 'closed'", []);
    assert!(unnumbered.is_err(), "a counted claim changes with its number");
}

#[test]
fn a_practice_whose_claims_were_destroyed_is_counted_from_the_first_number_again() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    count(&mut f);
    f.send(&batch(3..5), |_| {});
    f.db.execute("DELETE FROM claims", []).unwrap();
    f.assert_counted();
    assert_eq!(f.count("SELECT (SELECT count(*) FROM claim_figures) + sum(counted) FROM practices"), 0);
    f.send(&batch(0..3), |_| {});
    count(&mut f);
    assert_eq!(f.count("SELECT sum(claims) FROM claim_counts"), 6);
}

/// Runs the job of each minute.
fn count(f: &mut Fixture) {
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), counting::count().into())).unwrap();
    f.assert_counted();
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
            if n % 5 == 2 {
                count(&mut f);
            }
            if n % 4 == 3 {
                let status = ["reviewing", "recovered", "closed", "in_appeal"][n / 4 % 4];
                f.db.execute(
                    "UPDATE claims SET status = ?1, changed = 1 + (SELECT max(changed) FROM claims),
                       recovered_cents = iif(?1 = 'recovered', 999999999999999999, recovered_cents)
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
