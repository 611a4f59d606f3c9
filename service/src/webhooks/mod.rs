//! Webhooks: a practice's endpoints, the messages that go to them, and their attempts (interface: Events, which it
//! leaves open).
//!
//! A message is written in the batch of the change that it reports, one row of `deliveries` for each endpoint that
//! subscribes to its kind. It is sent until the endpoint accepts it or the schedule of [`attempt`] ends. The queue
//! sends messages at once, and [`sweep`](mod@sweep) sends leftover ones.
//!
//! The rows decide. A queue message only says where to look; if it is lost or never sent, that costs a minute at most.

pub(crate) mod address;
mod attempt;
pub(crate) mod attempts;
pub(crate) mod deliveries;
mod disable;
mod dispatch;
pub(crate) mod endpoints;
mod lease;
pub(crate) mod missed;
mod post;
pub(crate) mod secrets;
mod sweep;
#[cfg(test)]
mod tests;

pub use attempt::Failure;
pub use deliveries::{DeliveryState, WebhookTest};
pub(crate) use dispatch::{consume, deliver};
pub use endpoints::{NewWebhook, WebhookEdit, WebhookState};
pub use missed::Replay;
pub(crate) use sweep::sweep;
