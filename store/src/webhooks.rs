//! The endpoints of practices: queries, changes, and delivery attempts.

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
