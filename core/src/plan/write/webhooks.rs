//! Changes of endpoints and the messages to them.

use crate::base::id::{MessageId, PracticeId, WebhookId};
use crate::base::instant::Instant;
use crate::plan::webhooks::delivery::{DeliveryLease, SettledAttempt};
use crate::plan::webhooks::endpoint::{NewWebhook, WebhookEdit};
use crate::plan::webhooks::message::Message;
use crate::plan::webhooks::secret::WebhookSecret;
use alloc::vec::Vec;

/// One change of endpoints and the messages to them.
#[derive(Clone, Debug)]
pub enum WebhooksWrite {
    NewEndpoint(NewWebhook),
    /// The new state of an endpoint.
    EndpointEdit(WebhookEdit),
    /// An endpoint's new secret. The old one also signs until an instant.
    SecretRotated {
        practice_id: PracticeId,
        id: WebhookId,
        secret: WebhookSecret,
        old: WebhookSecret,
        /// When the old one ends.
        old_until: Instant,
    },
    /// Removes an endpoint. It gets no more messages and is no longer shown.
    EndpointRemoved {
        practice: PracticeId,
        webhook: WebhookId,
    },
    /// Disables an endpoint until it is set to active again.
    EndpointDisabled {
        practice: PracticeId,
        webhook: WebhookId,
    },
    /// Schedules a message for an endpoint again.
    Replayed {
        practice: PracticeId,
        webhook: WebhookId,
        message: MessageId,
    },
    /// Schedules messages that an endpoint missed.
    MissedReplayed {
        practice: PracticeId,
        webhook: WebhookId,
        messages: Vec<MessageId>,
    },
    /// A message to one endpoint, whatever it subscribes to.
    Test {
        webhook: WebhookId,
        message: Message,
    },
    /// Messages to a practice's endpoints that subscribe to them.
    Messages(Vec<Message>),
    /// A dispatcher takes a delivery for its next attempt.
    DeliveryLeased(DeliveryLease),
    /// The result of an attempt.
    AttemptSettled(SettledAttempt),
    /// The endpoint accepted a message, so it is no longer failing.
    EndpointWorks {
        practice: PracticeId,
        webhook: WebhookId,
    },
    /// The endpoint did not accept a message. The first failure since the last success sets the time since when it
    /// fails.
    EndpointFails {
        practice: PracticeId,
        webhook: WebhookId,
    },
    /// Removes some of the deliveries that ended before an instant.
    DeliveriesForgotten(Instant),
    /// Removes some of the messages from before an instant that a switched-off endpoint missed.
    MissedForgotten(Instant),
}
