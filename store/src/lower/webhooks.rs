//! Endpoints and what they are told, as statements.

use super::{CannotLower, Means, sealed};
use crate::json::json;
use crate::sql::settings::webhooks as sql;
use crate::{Param, Statement, instant, text};
use overturn_core::ctx::Instant;
use overturn_core::intake::Fills;
use overturn_core::plan::{Plan, Write};
use overturn_core::sealed::Place;
use overturn_core::settings::webhooks::{NewWebhook, WebhookEdit};
use overturn_core::webhook::message::{Message, MessageKind};

/// The statement of a write about endpoints, `None` for any other.
pub(super) fn record(
    write: &Write<'_>,
    now: Instant,
    means: &mut Means<'_>,
) -> Result<Option<Statement>, CannotLower> {
    Ok(Some(match write {
        Write::Webhook(new) => insert(new, means)?,
        Write::WebhookEdit(edit) => update(edit),
        Write::WebhookSecret {
            practice_id,
            id,
            secret,
            old,
            old_until,
        } => {
            let (practice, id) = (*practice_id, *id);
            let new = means.seal(Place::WebhookSecret { practice, id }, secret.as_bytes())?;
            let old = means.seal(Place::OldWebhookSecret { practice, id }, old.as_bytes())?;
            let until = [Param::Int(old_until.0)];
            let of = [text(practice), text(id)];
            let params = [&of[..], &sealed(new), &until, &sealed(old)].concat();
            Statement::new(sql::ROTATE_WEBHOOK, params)
        }
        Write::WebhookRemoved(practice, id) => {
            Statement::new(sql::REMOVE_WEBHOOK, [text(practice), text(id)])
        }
        Write::WebhookDisabled(practice, id) => Statement::new(
            sql::DISABLE_WEBHOOK,
            [text(practice), text(id), Param::Int(now.0)],
        ),
        Write::Told(messages) => told(messages, now),
        Write::DeliveryReplayed(practice, webhook, id) => Statement::new(
            sql::REPLAY_DELIVERY,
            [text(practice), text(webhook), text(id), Param::Int(now.0)],
        ),
        Write::MissedReplayed(practice, webhook, messages) => {
            let messages = Param::Text(json(messages));
            let params = [text(practice), text(webhook), messages, Param::Int(now.0)];
            Statement::new(sql::REPLAY_MISSED, params)
        }
        _ => return Ok(None),
    }))
}

fn insert(new: &NewWebhook, means: &mut Means<'_>) -> Result<Statement, CannotLower> {
    let place = Place::WebhookSecret {
        practice: new.practice_id,
        id: new.id,
    };
    let [version, sealed] = sealed(means.seal(place, new.secret.as_bytes())?);
    let events: Vec<&str> = new.events.iter().map(|kind| kind.name()).collect();
    Ok(Statement::new(
        sql::INSERT_WEBHOOK,
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
        sql::UPDATE_WEBHOOK,
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

fn told(messages: &[Message], now: Instant) -> Statement {
    let row = |message: &Message| {
        let kind = MessageKind::name(message.kind());
        (message.practice_id, message.id, kind, message.body(now))
    };
    let rows: Vec<_> = messages.iter().map(row).collect();
    let params = [Param::Text(json(&rows)), Param::Int(now.0)];
    Statement::new(sql::INSERT_DELIVERIES, params)
}

/// The statement that tells of the deadlines that resends gave, each only where it did. `None` where no endpoint is told.
pub(super) fn told_of_fills(fills: &Fills<'_>, plan: &Plan<'_>) -> Option<Statement> {
    let told = fills.claims.iter().filter_map(|fill| {
        let message = fill.message.as_ref()?;
        let kind = MessageKind::name(message.kind());
        let body = message.body(plan.at);
        let practice = message.practice_id;
        Some((practice, message.id, kind, body, fill.id, fill.version))
    });
    let rows: Vec<_> = told.collect();
    let params = [
        Param::Text(json(&rows)),
        Param::Int(plan.at.0),
        text(plan.request_id),
    ];
    (!rows.is_empty()).then(|| Statement::new(sql::INSERT_DELIVERIES_OF_FILLS, params))
}
