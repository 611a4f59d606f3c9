//! `/api/v1/settings/webhooks/{id}/deliveries`: the deliveries of an endpoint, their replay, and a test of the endpoint.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::MessageId;
use crate::base::time::Time;
use crate::plan::WebhooksGuard;
use crate::plan::WebhooksWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::webhooks::message::{Data, Message, MessageKind};
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
    #[serde(rename = "type")]
    pub kind: MessageKind,
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
pub fn replay(stored: Option<StoredDelivery>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let StoredDelivery { webhook, delivery } = stored.ok_or(RequestError::NotFound("no such delivery"))?;
    active(&webhook)?;
    let webhook = webhook.id;
    let view = DeliveryView { state: DeliveryState::Pending, attempts: 0, next_at: Some(Time(ctx.now)), ..delivery };
    let audit =
        Entry::new(ctx, 0, Some(practice_id), Event::DeliveryReplayed, view.id).detail(json!({ "webhook": webhook }));
    Ok(Change::new(audit, Answer::new(202, &view))
        .guard(Guard::Webhooks(WebhooksGuard::Active { practice: practice_id, webhook }))
        .write(Write::Webhooks(WebhooksWrite::Replayed { practice: practice_id, webhook, message: view.id })))
}

/// The most tests of an endpoint in [`TESTS_MS`].
pub const TESTS_MAX: usize = 5;

/// How long a test counts: one minute.
pub const TESTS_MS: i64 = 60_000;

/// Sends a test message to an endpoint, whatever it subscribes to. `stored` has the number of its latest tests.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an endpoint that the practice does not have, [`RequestError::Conflict`] if it is disabled
/// or was tested too often.
pub fn test(stored: Option<(WebhookView, usize)>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let (webhook, tests) = stored.ok_or(RequestError::NotFound("no such webhook"))?;
    active(&webhook)?;
    if tests >= TESTS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a webhook has at most 5 tests in a minute"));
    }
    let webhook = webhook.id;
    let data = Data::Test { id: webhook, test: true };
    let message = Message::new(ctx, 0, practice_id, data);
    let view = DeliveryView {
        id: message.id,
        kind: message.kind(),
        state: DeliveryState::Pending,
        attempts: 0,
        created_at: Time(ctx.now),
        next_at: Some(Time(ctx.now)),
        last_at: None,
        last_status: None,
        last_error: None,
    };
    let audit =
        Entry::new(ctx, 0, Some(practice_id), Event::WebhookTested, webhook).detail(json!({ "delivery": view.id }));
    Ok(Change::new(audit, Answer::new(202, &view))
        .guard(Guard::Webhooks(WebhooksGuard::Active { practice: practice_id, webhook }))
        .write(Write::Webhooks(WebhooksWrite::Test { webhook, message })))
}

fn active(webhook: &WebhookView) -> Result<(), RequestError> {
    if webhook.state == WebhookState::Disabled {
        return Err(RequestError::Conflict(Reason::WebhookDisabled, "the webhook is disabled"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::base::id::WebhookId;
    use crate::base::instant::Instant;
    use crate::testing::{person, test};
    use uuid::Uuid;

    fn asked(state: WebhookState, tests: usize) -> Result<Change, RequestError> {
        let webhook = WebhookView {
            id: WebhookId(Uuid::from_u128(7)),
            version: 1,
            url: "https://hooks.example/".into(),
            events: [MessageKind::ReportDelivered.name().into()].into(),
            state,
            created_at: Time(Instant(0)),
            failing_since: None,
            disabled_at: None,
            old_secret_until: None,
        };
        let person = person(Role::Owner, Action::ManageWebhooks);
        let ctx = Ctx::new(Instant(1_800_000_000_000), [1; 32]);
        super::test(Some((webhook, tests)), &person, &ctx)
    }

    #[test]
    fn a_test_is_one_message_to_one_endpoint() {
        let change = asked(WebhookState::Active, TESTS_MAX - 1).unwrap();
        let sent = change.writes.iter().find_map(|write| match write {
            Write::Webhooks(WebhooksWrite::Test { webhook, message }) => Some((*webhook, message)),
            _ => None,
        });
        let (webhook, message) = sent.unwrap();
        assert_eq!(webhook, WebhookId(Uuid::from_u128(7)));
        assert_eq!(message.kind(), MessageKind::WebhookTest);
        assert_eq!(change.guards.len(), 1);
    }

    #[test]
    fn a_disabled_endpoint_and_one_that_was_tested_too_often_get_none() {
        for (state, tests, reason) in [
            (WebhookState::Disabled, 0, Reason::WebhookDisabled),
            (WebhookState::Active, TESTS_MAX, Reason::LimitReached),
        ] {
            let refused = asked(state, tests).unwrap_err();
            assert!(matches!(refused, RequestError::Conflict(why, _) if why == reason));
        }
        let person = person(Role::Owner, Action::ManageWebhooks);
        let ctx = Ctx::new(Instant(0), [1; 32]);
        let unknown = super::test(None, &person, &ctx).unwrap_err();
        assert!(matches!(unknown, RequestError::NotFound(_)));
    }
}
