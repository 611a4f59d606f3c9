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
    /// An endpoint.
    NewEndpoint(NewWebhook),
    /// An endpoint as it is from now on.
    EndpointEdit(WebhookEdit),
    /// An endpoint's new secret. The one before signs as well until an instant.
    SecretRotated {
        /// The practice.
        practice_id: PracticeId,
        /// The endpoint.
        id: WebhookId,
        /// The secret.
        secret: WebhookSecret,
        /// The one before.
        old: WebhookSecret,
        /// When the one before ends.
        old_until: Instant,
    },
    /// An endpoint is told nothing more, and nobody sees it.
    EndpointRemoved {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
    /// An endpoint is told nothing until somebody sets it to active again.
    EndpointDisabled {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
    /// A message is told to an endpoint again.
    Replayed {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
        /// The message.
        message: MessageId,
    },
    /// Messages that an endpoint did not take are told to it again.
    MissedReplayed {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
        /// The messages.
        messages: Vec<MessageId>,
    },
    /// A practice's endpoints are told, as far as they want to be.
    Messages(Vec<Message>),
    /// A dispatcher takes a delivery for its next attempt.
    DeliveryLeased(DeliveryLease),
    /// The result of an attempt.
    AttemptSettled(SettledAttempt),
    /// The endpoint took a message: it does not fail any more.
    EndpointWorks {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
    /// The endpoint did not take a message. The first failure since the last success sets the time from which it fails.
    EndpointFails {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
    /// Removes some of the deliveries that ended before an instant.
    DeliveriesForgotten(Instant),
    /// Removes some of the messages from before an instant that a switched-off endpoint missed.
    MissedForgotten(Instant),
}
