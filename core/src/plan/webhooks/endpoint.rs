//! An endpoint as it is written.

use crate::base::id::{PracticeId, UserId, WebhookId};
use crate::base::instant::Instant;
use crate::plan::webhooks::message::MessageKind;
use crate::plan::webhooks::secret::WebhookSecret;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Whether an endpoint is told anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebhookState {
    /// It is.
    Active,
    /// It is not, until somebody sets it to active again.
    Disabled,
}

impl WebhookState {
    /// The state as it is stored and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
        }
    }

    /// The state of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let mut states = [Self::Active, Self::Disabled].into_iter();
        states.find(|state| state.name() == name)
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
