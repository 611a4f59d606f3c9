//! Messages that endpoints miss while they are switched off.

use super::deliveries::told;
use crate::testing::Fixture;
use crate::webhooks::attempt::MISSED_MS;
use crate::webhooks::sweep::forget;

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
