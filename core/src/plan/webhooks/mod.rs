//! The writes about webhooks: endpoints, their secrets and messages.

pub(super) mod endpoint;
pub mod message;
pub mod secret;

pub use endpoint::{NewWebhook, WebhookEdit, WebhookState};
