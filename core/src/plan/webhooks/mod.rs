//! What a plan writes of webhooks: endpoints, their secrets and the messages to them.

pub(super) mod delivery;
pub(super) mod endpoint;
pub mod message;
pub mod secret;

pub use delivery::{Delivery, DeliveryLease, Failure, Next, SettledAttempt};
pub use endpoint::{NewWebhook, WebhookEdit, WebhookState};
