//! The writes of a dispatcher: it leases a delivery, settles the attempt, and removes old deliveries.
//!
//! A lease belongs to the one dispatcher whose batch wrote it, so no message is posted twice at once. A lease ends by
//! itself: if its dispatcher crashes, another one takes the delivery after that.

use super::attempt::{AttemptFacts, AttemptResult, KEPT_MS, LEASE_MS, MISSED_MS};
use crate::base::instant::Instant;
use crate::plan::webhooks::{Delivery, DeliveryLease, SettledAttempt};
use crate::plan::{Guard, WebhooksGuard, WebhooksWrite, Write};
use alloc::vec::Vec;

/// Leases a delivery that is due `now`. The guard fails if the delivery is leased already, or is no longer due.
#[must_use]
pub fn lease(delivery: Delivery, now: Instant) -> (Guard, Write<'static>) {
    let until = now.plus(LEASE_MS);
    let lease = DeliveryLease { delivery, until };
    (Guard::Webhooks(WebhooksGuard::Due(delivery)), Write::Webhooks(WebhooksWrite::DeliveryLeased(lease)))
}

/// Records the result of an attempt, and whether the endpoint accepts messages.
#[must_use]
pub fn settle(delivery: Delivery, turn: AttemptFacts, verdict: AttemptResult) -> Vec<Write<'static>> {
    let AttemptResult { next, status, failure, of_endpoint, disable: _ } = verdict;
    let settled = SettledAttempt { delivery, attempt: turn.attempt, next, status, failure };
    let (practice, webhook) = (delivery.practice_id, delivery.webhook_id);
    let endpoint = of_endpoint.then_some(match failure {
        None => WebhooksWrite::EndpointWorks { practice, webhook },
        Some(_) => WebhooksWrite::EndpointFails { practice, webhook },
    });
    [WebhooksWrite::AttemptSettled(settled)].into_iter().chain(endpoint).map(Write::Webhooks).collect()
}

/// Removes old deliveries: those that have ended, and those that a switched-off endpoint missed.
#[must_use]
pub fn forget(now: Instant) -> [Write<'static>; 2] {
    let before = |kept: i64| now.plus(kept.saturating_neg());
    [WebhooksWrite::DeliveriesForgotten(before(KEPT_MS)), WebhooksWrite::MissedForgotten(before(MISSED_MS))]
        .map(Write::Webhooks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::disclosure::PracticeState;
    use crate::base::id::{MessageId, PracticeId, WebhookId};
    use crate::plan::webhooks::{Failure, Next};
    use crate::testing::test;
    use uuid::Uuid;

    const DELIVERY: Delivery = Delivery {
        practice_id: PracticeId(Uuid::nil()),
        webhook_id: WebhookId(Uuid::nil()),
        id: MessageId(Uuid::nil()),
    };
    const TURN: AttemptFacts = AttemptFacts {
        attempt: 3,
        endpoint_active: true,
        practice: PracticeState::Active,
        agreement_in_force: true,
        failing_since: None,
    };

    fn settled(failure: Option<Failure>, of_endpoint: bool) -> Vec<Write<'static>> {
        let verdict = AttemptResult { next: Next::Failed, status: None, failure, of_endpoint, disable: false };
        settle(DELIVERY, TURN, verdict)
    }

    #[test]
    fn a_lease_ends_after_its_time_and_is_guarded() {
        let (guard, write) = lease(DELIVERY, Instant(1_000));
        assert_eq!(guard, Guard::Webhooks(WebhooksGuard::Due(DELIVERY)));
        let Write::Webhooks(WebhooksWrite::DeliveryLeased(lease)) = write else { panic!("a lease") };
        assert_eq!(lease.until, Instant(1_000 + LEASE_MS));
    }

    #[test]
    fn an_attempt_says_something_of_the_endpoint_only_if_it_was_asked() {
        let not_asked = settled(Some(Failure::NoSecret), false);
        assert!(matches!(
            not_asked[..],
            [Write::Webhooks(WebhooksWrite::AttemptSettled(SettledAttempt { attempt: 3, .. }))]
        ));
        let failed = settled(Some(Failure::Refused), true);
        assert!(matches!(failed[..], [_, Write::Webhooks(WebhooksWrite::EndpointFails { .. })]));
        assert!(matches!(settled(None, true)[..], [_, Write::Webhooks(WebhooksWrite::EndpointWorks { .. })]));
    }
}
