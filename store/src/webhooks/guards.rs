//! Preconditions about endpoints.

use crate::statement::{Statement, count, instant, text};
use overturn_core::base::id::{PracticeId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::webhooks::WebhookState;

/// The practice has fewer than `most` endpoints.
pub(crate) fn fewer_than(practice: PracticeId, most: usize) -> Statement {
    Statement::new("INSERT INTO guards (failed) SELECT 'record' WHERE (
       SELECT count(*) FROM webhooks WHERE practice_id = ?1 AND state <> 'removed') >= CAST(?2 AS INTEGER)", [text(practice), count(most)])
}

/// The endpoint is unchanged since it was read.
pub(crate) fn as_read(
    (practice, id): (PracticeId, WebhookId),
    (url, events): (&str, &str),
    state: WebhookState,
    old_until: Option<Instant>,
) -> Statement {
    let params = [
        text(practice),
        text(id),
        text(url),
        text(events),
        text(state.name()),
        instant(old_until),
    ];
    Statement::new("INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM webhooks WHERE practice_id = ?1 AND id = ?2 AND url = ?3 AND events = ?4 AND state = ?5
         AND old_until IS CAST(?6 AS INTEGER))", params)
}

/// The endpoint is active.
pub(crate) fn active(practice: PracticeId, id: WebhookId) -> Statement {
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM webhooks WHERE practice_id = ?1 AND id = ?2 AND state = 'active')",
        [text(practice), text(id)],
    )
}
