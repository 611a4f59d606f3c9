//! Messages that endpoints miss while they are switched off.

use super::deliveries::{behind, told};
use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::people::{OWNER, SESSION, session, user};
use crate::webhooks::attempt::MISSED_MS;
use crate::webhooks::missed::{missed, replayed};
use crate::webhooks::sweep::forget;
use overturn_core::base::instant::Instant;

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
fn a_replay_of_more_messages_than_fit_says_that_more_remain() {
    let mut f = Fixture::new();
    let (ctx, first) = told(&mut f);
    let people = vec![user(OWNER, first.practice_id, Role::Owner), session(SESSION, OWNER, "owner")];
    f.commit(&ctx, (Vec::new(), people)).unwrap();
    let practice_id = Some(first.practice_id);
    let owner = Person { user_id: OWNER, practice_id, ..person(Role::Owner, Action::ReplayDeliveries) };
    behind(&f, first, 101);
    f.db.execute_batch("UPDATE deliveries SET state = 'failed'").unwrap();
    for (replays, more) in [(100, true), (2, false)] {
        let found = f.read(&missed("owner", first.webhook_id, Instant(0)));
        let ctx = f.ctx();
        let change = replayed(found, Instant(0), &owner, &ctx).unwrap();
        assert_eq!(change.answer.body, serde_json::json!({ "replayed": replays, "more": more }));
        f.commit(&ctx, (change.guards, change.writes)).unwrap();
    }
}
