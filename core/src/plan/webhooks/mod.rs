//! The writes about webhooks: endpoints, their secrets and messages.

pub(super) mod delivery;
pub(super) mod endpoint;
pub mod message;
pub mod secret;

pub use delivery::{Delivery, DeliveryLease, DeliveryState, Failure, Next, SettledAttempt};
pub use endpoint::{NewWebhook, WebhookEdit, WebhookState};
