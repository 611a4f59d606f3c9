//! Webhook deliveries: the queue sends messages at once, `sweep` sends leftover ones, and `post` makes the request.
//!
//! The rows of `deliveries` decide. They are written together with the change. A queue message only says where to look;
//! if it is lost or never sent, that costs a minute at most.

mod disable;
mod dispatcher;
pub(crate) mod handlers;
mod post;
mod sweep;

pub(crate) use dispatcher::consume;
pub(crate) use sweep::sweep;
