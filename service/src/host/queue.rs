//! The queue of webhook messages.

use super::step::{PlatformError, Step};
use overturn_core::base::id::{MessageId, PracticeId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A message of the queue: where to look for due deliveries of webhook messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueueMessage {
    pub practice_id: PracticeId,
    pub messages: Vec<MessageId>,
}

/// A queue of messages that come at least once, in any order.
pub trait MessageQueue {
    /// Puts a message on the queue. It comes after a delay.
    ///
    /// # Errors
    ///
    /// It may have been queued.
    fn send<'a>(&'a self, message: &'a QueueMessage, delay: Duration) -> Step<'a, Result<(), PlatformError>>;
}
