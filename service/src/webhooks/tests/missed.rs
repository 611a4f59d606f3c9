//! Messages that endpoints miss while they are switched off.

use super::deliveries::told;
use crate::webhooks::attempt::{KEPT_MS, MISSED_MS};
use crate::webhooks::missed::{self, MISSED_MAX};
use crate::webhooks::sweep::forget;
use overturn_core::base::instant::Instant;
use overturn_core::plan::Plan;
use overturn_store::testing::Fixture;

#[test]
fn an_endpoint_that_is_switched_off_misses_a_message_for_a_week_and_a_removed_one_for_good() {
    for (state, expected) in [("disabled", 1), ("removed", 0)] {
        let mut f = Fixture::new();
        let (_, first) = told(&mut f);
        f.db.execute("UPDATE webhooks SET state = ?1", [state]).unwrap();
        f.db.execute_batch("DELETE FROM deliveries").unwrap();
        let (ctx, _) = super::deliveries::tell_again(&mut f, first);
        let missed = "SELECT count(*) FROM deliveries WHERE state = 'failed' AND attempts = 0
                      AND last_error = 'endpoint_inactive' AND last_at IS NULL";
        assert_eq!(f.count(missed), expected, "{state}");
        for (after, left) in [(MISSED_MS - 1, expected), (MISSED_MS + 1, 0)] {
            f.commit(&ctx, (Vec::new(), forget(ctx.now.plus(after)).into())).unwrap();
            assert_eq!(f.count("SELECT count(*) FROM deliveries"), left, "{state}");
        }
    }
}

#[test]
fn attempts_stay_as_long_as_before() {
    let mut f = Fixture::new();
    let (ctx, _) = told(&mut f);
    let tried = format!("UPDATE deliveries SET state = 'failed', attempts = 3, last_at = {}", ctx.now.0);
    f.db.execute_batch(&tried).unwrap();
    for (after, left) in [(MISSED_MS + 1, 1), (KEPT_MS + 1, 0)] {
        f.commit(&ctx, (Vec::new(), forget(ctx.now.plus(after)).into())).unwrap();
        assert_eq!(f.count("SELECT count(*) FROM deliveries"), left);
    }
}

#[test]
fn every_statement_of_missed_messages_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let read = missed::missed("session", delivery.webhook_id, Instant(0));
    let read = read.statement();
    let harmless = ["VIRTUAL TABLE", "CONSTANT ROW"];
    f.assert_indexed(read, &harmless);
    let steps = f.plan(read);
    assert!(steps.iter().any(|step| step.contains("deliveries_failed")), "{steps:?}");
    let forget = f.statements(&ctx, forget(ctx.now).into());
    let steps = f.plan(&forget[1]);
    assert!(steps.iter().any(|step| step.contains("deliveries_missed")), "{steps:?}");
    f.assert_indexed(&forget[1], &harmless);
    let again = missed::again(delivery.practice_id, delivery.webhook_id, &[delivery.id; MISSED_MAX], ctx.now);
    let plan = Plan::of_operator(&ctx, vec![again]);
    for statement in f.lower(&plan).statements {
        f.assert_indexed(&statement, &harmless);
    }
}
