//! Telling practices' endpoints: `queue` has a message told at once, `sweep` what was left behind, `post` is the request.
//!
//! The rows of `deliveries` are what counts, written with the change itself. A message of the queue only says where to look;
//! one that is lost, or never sent, costs at most a minute.

mod disable;
mod dispatcher;
pub(crate) mod handlers;
mod post;
mod sweep;

pub(crate) use dispatcher::{Dispatcher, consume};
pub(crate) use sweep::sweep;
