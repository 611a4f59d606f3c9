//! The endpoints of practices: what is read of them, what changes them, and the attempts to deliver messages.

pub mod attempts;
pub(crate) mod guards;
pub mod queries;
pub(crate) mod writes;

use crate::statement::{Param, text};
use overturn_core::plan::webhooks::Delivery;

/// The primary key of a delivery.
fn place(of: Delivery) -> [Param; 3] {
    [text(of.practice_id), text(of.webhook_id), text(of.id)]
}
