//! An endpoint as it is written.

use crate::base::id::{PracticeId, UserId, WebhookId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::plan::webhooks::message::MessageKind;
use crate::plan::webhooks::secret::WebhookSecret;
use alloc::string::String;
use alloc::vec::Vec;

names! {
    /// Whether an endpoint is told anything.
    WebhookState {
        /// It is.
        Active = "active",
        /// It is not, until somebody sets it to active again.
        Disabled = "disabled",
    }
}

/// An endpoint to be stored. Its secret is sealed on the way.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Whose it is.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: WebhookId,
    /// Where it is.
    pub url: String,
    /// What it is told.
    pub events: Vec<MessageKind>,
    /// What is signed with.
    pub secret: WebhookSecret,
    /// When it was made.
    pub created_at: Instant,
    /// By whom.
    pub created_by: UserId,
}

/// An endpoint as it is to be from now on.
#[derive(Clone, Debug)]
pub struct WebhookEdit {
    /// Whose it is.
    pub practice_id: PracticeId,
    /// Which.
    pub id: WebhookId,
    /// Where it is.
    pub url: String,
    /// The names of what it is told, with a space between.
    pub events: String,
    /// Whether it is told anything.
    pub state: WebhookState,
    /// Since when it has taken nothing.
    pub failing_since: Option<Instant>,
    /// When it was disabled.
    pub disabled_at: Option<Instant>,
}
