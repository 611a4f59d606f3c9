//! Turns changes of endpoints and messages to them into statements.

use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::statement::{Param, Statement, count, instant, optional, text};
use overturn_core::base::id::WebhookId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::Plan;
use overturn_core::plan::WebhooksWrite;
use overturn_core::plan::claims::Fills;
use overturn_core::plan::webhooks::message::{Message, MessageKind};
use overturn_core::plan::webhooks::{DeliveryLease, NewWebhook, Next, SettledAttempt, WebhookEdit};

/// The row of a message `j` for each endpoint that subscribes to its kind. An endpoint that is switched off misses the
/// message, which may be delivered later.
macro_rules! deliveries_of {
    ($more:literal) => {
        concat!(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at, state, last_error)
             SELECT w.practice_id, w.id, j.value ->> 1, j.value ->> 2, j.value ->> 3, ?2, ?2,
               iif(w.state = 'active', 'pending', 'failed'), iif(w.state = 'active', NULL, 'endpoint_inactive')
             FROM json_each(?1) j CROSS JOIN webhooks w
             WHERE w.practice_id = j.value ->> 0 AND w.state <> 'removed'
               AND instr(' ' || w.events || ' ', ' ' || (j.value ->> 2) || ' ') > 0",
            $more,
            " ON CONFLICT (practice_id, webhook_id, id) DO NOTHING"
        )
    };
}

/// The statement of a change of endpoints or of messages to them.
pub(crate) fn lower(write: &WebhooksWrite, now: Instant, sealer: &mut Sealer<'_>) -> Result<Statement, SealError> {
    Ok(match write {
        WebhooksWrite::NewEndpoint(new) => insert(new, sealer)?,
        WebhooksWrite::EndpointEdit(edit) => update(edit),
        WebhooksWrite::SecretRotated { practice_id, id, secret, old, old_until } => {
            let (practice, id) = (*practice_id, *id);
            let new = sealer.seal(SealedPlace::WebhookSecret { practice, id }, secret.as_bytes())?;
            let old = sealer.seal(SealedPlace::OldWebhookSecret { practice, id }, old.as_bytes())?;
            let until = [Param::Int(old_until.0)];
            let of = [text(practice), text(id)];
            let params = [&of[..], &sealed(new), &until, &sealed(old)].concat();
            Statement::new("UPDATE webhooks SET old_key_version = ?6, old_sealed = ?7, old_until = ?5, key_version = ?3, sealed = ?4
     WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'", params)
        }
        WebhooksWrite::EndpointRemoved { practice, webhook: id } => Statement::new(
            "UPDATE webhooks SET state = 'removed' WHERE practice_id = ?1 AND id = ?2",
            [text(practice), text(id)],
        ),
        WebhooksWrite::EndpointDisabled { practice, webhook: id } => Statement::new(
            "UPDATE webhooks SET state = 'disabled', disabled_at = ?3, version = version + 1
     WHERE practice_id = ?1 AND id = ?2 AND state = 'active'",
            [text(practice), text(id), Param::Int(now.0)],
        ),
        WebhooksWrite::Test { webhook, message } => test(*webhook, message, now),
        WebhooksWrite::Messages(messages) => told(messages, now),
        WebhooksWrite::DeliveryLeased(lease) => leased(lease, now),
        WebhooksWrite::AttemptSettled(settled) => attempt_settled(settled),
        WebhooksWrite::EndpointWorks { practice, webhook } => Statement::new(
            "UPDATE webhooks SET failing_since = NULL
     WHERE practice_id = ?1 AND id = ?2 AND failing_since IS NOT NULL",
            [text(practice), text(webhook)],
        ),
        WebhooksWrite::EndpointFails { practice, webhook } => Statement::new(
            "UPDATE webhooks SET failing_since = ?3
     WHERE practice_id = ?1 AND id = ?2 AND failing_since IS NULL",
            [text(practice), text(webhook), Param::Int(now.0)],
        ),
        WebhooksWrite::DeliveriesForgotten(before) => Statement::new(
            "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
       SELECT practice_id, webhook_id, id FROM deliveries
       WHERE state <> 'pending' AND last_at < CAST(?1 AS INTEGER) LIMIT 1000)",
            [Param::Int(before.0)],
        ),
        WebhooksWrite::MissedForgotten(before) => Statement::new(
            "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
       SELECT practice_id, webhook_id, id FROM deliveries INDEXED BY deliveries_missed
       WHERE state = 'failed' AND attempts = 0 AND created_at < CAST(?1 AS INTEGER) LIMIT 1000)",
            [Param::Int(before.0)],
        ),
        WebhooksWrite::Replayed { practice, webhook, message: id } => Statement::new(
            "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = ?4
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3",
            [text(practice), text(webhook), text(id), Param::Int(now.0)],
        ),
        WebhooksWrite::MissedReplayed { practice, webhook, messages } => {
            let messages = Param::Text(json(messages));
            let params = [text(practice), text(webhook), messages, Param::Int(now.0)];
            Statement::new(
                "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = ?4
     WHERE practice_id = ?1 AND webhook_id = ?2 AND state = 'failed' AND id IN (SELECT value FROM json_each(?3))",
                params,
            )
        }
    })
}

fn insert(new: &NewWebhook, sealer: &mut Sealer<'_>) -> Result<Statement, SealError> {
    let place = SealedPlace::WebhookSecret { practice: new.practice_id, id: new.id };
    let [version, sealed] = sealed(sealer.seal(place, new.secret.as_bytes())?);
    let events: Vec<&str> = new.events.iter().map(|kind| kind.name()).collect();
    Ok(Statement::new(
        "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
     VALUES (?1, ?2, ?3, ?4, 'active', ?5, ?6, ?7, ?8) ON CONFLICT (practice_id, id) DO NOTHING",
        [
            text(new.practice_id),
            text(new.id),
            text(&new.url),
            text(events.join(" ")),
            version,
            sealed,
            Param::Int(new.created_at.0),
            text(new.created_by),
        ],
    ))
}

fn update(edit: &WebhookEdit) -> Statement {
    Statement::new(
        "UPDATE webhooks SET url = ?3, events = ?4, state = ?5, failing_since = ?6, disabled_at = ?7
     WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'",
        [
            text(edit.practice_id),
            text(edit.id),
            text(&edit.url),
            text(&edit.events),
            text(edit.state.name()),
            instant(edit.failing_since),
            instant(edit.disabled_at),
        ],
    )
}

/// Changes nothing if the delivery is not due, so that a batch that runs twice counts one attempt.
fn leased(lease: &DeliveryLease, now: Instant) -> Statement {
    let [practice, webhook, id] = super::place(lease.delivery);
    let (at, until) = (Param::Int(now.0), Param::Int(lease.until.0));
    Statement::new(
        "UPDATE deliveries SET attempts = attempts + 1, last_at = ?4, next_at = ?5
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3
       AND state = 'pending' AND next_at <= CAST(?4 AS INTEGER)",
        [practice, webhook, id, at, until],
    )
}

fn attempt_settled(settled: &SettledAttempt) -> Statement {
    let [practice, webhook, id] = super::place(settled.delivery);
    let (state, next) = match settled.next {
        Next::Delivered => ("delivered", Param::Null),
        Next::Again(at) => ("pending", Param::Int(at.0)),
        Next::Failed => ("failed", Param::Null),
    };
    let status = settled.status.map(|status| Param::Int(status.into()));
    Statement::new(
        "UPDATE deliveries SET state = ?4, next_at = coalesce(CAST(?5 AS INTEGER), next_at), last_status = ?6, last_error = ?7
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3 AND state = 'pending'
       AND (?4 = 'delivered' OR attempts = CAST(?8 AS INTEGER))",
        [
            practice,
            webhook,
            id,
            text(state),
            next,
            status.unwrap_or(Param::Null),
            optional(settled.failure.map(|why| why.name())),
            count(settled.attempt),
        ],
    )
}

fn test(webhook: WebhookId, message: &Message, now: Instant) -> Statement {
    Statement::new(
        "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at, state)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 'pending') ON CONFLICT (practice_id, webhook_id, id) DO NOTHING",
        [
            text(message.practice_id),
            text(webhook),
            text(message.id),
            text(message.kind().name()),
            text(message.body(now)),
            Param::Int(now.0),
        ],
    )
}

fn told(messages: &[Message], now: Instant) -> Statement {
    let row = |message: &Message| {
        let kind = MessageKind::name(message.kind());
        (message.practice_id, message.id, kind, message.body(now))
    };
    let rows: Vec<_> = messages.iter().map(row).collect();
    let params = [Param::Text(json(&rows)), Param::Int(now.0)];
    Statement::new(deliveries_of!(""), params)
}

/// Writes messages about the deadlines that resends set, each only if it did. `None` if no endpoint subscribes.
pub(crate) fn messages_of_fills(fills: &Fills<'_>, plan: &Plan<'_>) -> Option<Statement> {
    let told = fills.claims.iter().filter_map(|fill| {
        let message = fill.message.as_ref()?;
        let kind = MessageKind::name(message.kind());
        let body = message.body(plan.at);
        let practice = message.practice_id;
        Some((practice, message.id, kind, body, fill.id, fill.version))
    });
    let rows: Vec<_> = told.collect();
    let params = [Param::Text(json(&rows)), Param::Int(plan.at.0), text(plan.request_id)];
    (!rows.is_empty()).then(|| {
        Statement::new(
            deliveries_of!(
    " AND EXISTS (SELECT 1 FROM claim_events e WHERE e.practice_id = j.value ->> 0 AND e.claim_id = j.value ->> 4
         AND e.version = (j.value ->> 5) + 1 AND e.kind = 'filled_in' AND e.request_id = ?3)"
),
            params,
        )
    })
}
