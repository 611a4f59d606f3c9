//! Preconditions about endpoints.

use crate::statement::{Param, Statement, count, text};
use overturn_core::base::id::{PracticeId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::webhooks::Delivery;
use overturn_core::plan::{Plan, WebhooksGuard};

/// The statement of a guard.
pub(crate) fn lower(guard: &WebhooksGuard, plan: &Plan<'_>) -> Statement {
    match guard {
        WebhooksGuard::Due(delivery) => due(*delivery, plan.at),
        WebhooksGuard::FewerThan { practice, most } => fewer_than(*practice, *most),
        WebhooksGuard::Active { practice, webhook: id } => active(*practice, *id),
    }
}

/// The delivery is due, and no dispatcher has leased it.
fn due(delivery: Delivery, now: Instant) -> Statement {
    let [practice, webhook, id] = super::place(delivery);
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM deliveries WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3 AND state = 'pending'
         AND next_at <= CAST(?4 AS INTEGER))",
        [practice, webhook, id, Param::Int(now.0)],
    )
}

/// The practice has fewer endpoints than this.
fn fewer_than(practice: PracticeId, most: usize) -> Statement {
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE (
       SELECT count(*) FROM webhooks WHERE practice_id = ?1 AND state <> 'removed') >= CAST(?2 AS INTEGER)",
        [text(practice), count(most)],
    )
}

/// The endpoint is in use.
fn active(practice: PracticeId, id: WebhookId) -> Statement {
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM webhooks WHERE practice_id = ?1 AND id = ?2 AND state = 'active')",
        [text(practice), text(id)],
    )
}
