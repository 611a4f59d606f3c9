//! The queue of webhook messages.

use overturn_service::host::QueueMessage;
use overturn_service::host::{MessageQueue, PlatformError, Step};
use std::time::Duration;
use worker::{MessageBuilder, Queue};

/// The binding.
pub(crate) struct WorkerQueue(Queue);

impl WorkerQueue {
    pub(crate) const fn new(queue: Queue) -> Self {
        Self(queue)
    }
}

impl MessageQueue for WorkerQueue {
    fn send<'a>(&'a self, message: &'a QueueMessage, delay: Duration) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let seconds = u32::try_from(delay.as_secs()).unwrap_or(u32::MAX);
            let message = MessageBuilder::new(message.clone()).delay_seconds(seconds).build();
            // The cause adds nothing.
            self.0.send(message).await.map_err(|_| PlatformError)
        })
    }
}
