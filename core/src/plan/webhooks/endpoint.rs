//! An endpoint as it is written.

use crate::base::id::{PracticeId, UserId, WebhookId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::plan::webhooks::message::MessageKind;
use crate::plan::webhooks::secret::WebhookSecret;
use alloc::string::String;
use alloc::vec::Vec;

names! {
    /// The state of an endpoint.
    WebhookState {
        /// It gets messages.
        Active = "active",
        /// It gets no messages until it is set to active again.
        Disabled = "disabled",
    }
}

/// A new endpoint. Its secret is sealed in the store.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    pub practice_id: PracticeId,
    pub id: WebhookId,
    pub url: String,
    pub events: Vec<MessageKind>,
    /// The signing secret.
    pub secret: WebhookSecret,
    pub created_at: Instant,
    /// The person who made it.
    pub created_by: UserId,
}

/// The new state of an endpoint.
#[derive(Clone, Debug)]
pub struct WebhookEdit {
    pub practice_id: PracticeId,
    pub id: WebhookId,
    pub url: String,
    /// The names of its events, separated by spaces.
    pub events: String,
    pub state: WebhookState,
    /// Since when every attempt has failed.
    pub failing_since: Option<Instant>,
    /// When it was disabled.
    pub disabled_at: Option<Instant>,
}
