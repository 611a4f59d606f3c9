//! `/api/v1/settings/webhooks/{id}/deliveries`: the deliveries of an endpoint, and their replay.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::MessageId;
use crate::base::time::Time;
use crate::plan::WebhooksGuard;
use crate::plan::WebhooksWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::webhooks::message::MessageKind;
use crate::plan::webhooks::{DeliveryState, Failure, WebhookState};
use crate::plan::{Guard, Write};
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use crate::request::reason::Reason;
use crate::webhooks::endpoints::WebhookView;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A delivery, as shown: a message, and the attempts to send it to one endpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeliveryView {
    /// The message's id, `webhook-id` of every attempt.
    pub id: MessageId,
    /// The kind of the message.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// Its state.
    pub state: DeliveryState,
    /// How many attempts there were since the last replay.
    pub attempts: usize,
    /// When it was written.
    pub created_at: Time,
    /// When the next attempt is; `None` if there is none.
    pub next_at: Option<Time>,
    /// When the last attempt was.
    pub last_at: Option<Time>,
    /// The status of the last answer.
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    pub last_error: Option<Failure>,
}

/// A page of deliveries, newest first.
#[must_use]
pub fn list(page: Page, deliveries: Vec<DeliveryView>) -> Listed<DeliveryView> {
    page.list("deliveries", deliveries, |delivery| delivery.id.0)
}

/// A delivery to replay, with its endpoint.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredDelivery {
    webhook: WebhookView,
    delivery: DeliveryView,
}

/// Schedules a message again from the first attempt, whatever its state.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a delivery that the practice does not have, [`RequestError::Conflict`] if the endpoint is
/// disabled.
pub fn replay(
    stored: Option<StoredDelivery>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let StoredDelivery { webhook, delivery } =
        stored.ok_or(RequestError::NotFound("no such delivery"))?;
    if webhook.state == WebhookState::Disabled {
        return Err(RequestError::Conflict(
            Reason::WebhookDisabled,
            "the webhook is disabled",
        ));
    }
    let webhook = webhook.id;
    let view = DeliveryView {
        state: DeliveryState::Pending,
        attempts: 0,
        next_at: Some(Time(ctx.now)),
        ..delivery
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DeliveryReplayed, view.id)
        .detail(json!({ "webhook": webhook }));
    Ok(Change::new(audit, Answer::new(202, &view))
        .guard(Guard::Webhooks(WebhooksGuard::Active {
            practice: practice_id,
            webhook,
        }))
        .write(Write::Webhooks(WebhooksWrite::Replayed {
            practice: practice_id,
            webhook,
            message: view.id,
        })))
}
