//! Changes of endpoints and the messages to them.

use crate::base::id::{MessageId, PracticeId, WebhookId};
use crate::base::instant::Instant;
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
}
