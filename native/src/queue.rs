//! The queue of webhook messages, in memory. What a crash loses, the sweep of the next minute finds.

use overturn_service::host::{MessageQueue, PlatformError, QueueMessage, Step};
use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, sleep_until, timeout_at};

/// The most messages that are consumed together, as on Workers.
const MOST: usize = 10;
/// How long the consumer waits if nothing is due.
const IDLE: Duration = Duration::from_secs(3600);

/// The end of the queue that takes messages, for any thread.
#[derive(Clone)]
pub(crate) struct Queue {
    sender: UnboundedSender<(Instant, QueueMessage)>,
    waiting: Arc<AtomicU64>,
}

/// The end that gives them.
pub(crate) struct Due {
    receiver: UnboundedReceiver<(Instant, QueueMessage)>,
    /// By when they are due, and by when they came.
    messages: BTreeMap<(Instant, u64), QueueMessage>,
    came: u64,
    waiting: Arc<AtomicU64>,
}

pub(crate) fn queue() -> (Queue, Due) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let waiting = Arc::<AtomicU64>::default();
    let queue = Queue { sender, waiting: Arc::clone(&waiting) };
    let due = Due { receiver, messages: BTreeMap::new(), came: 0, waiting };
    (queue, due)
}

impl Queue {
    /// How many messages wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl MessageQueue for Queue {
    fn send<'a>(&'a self, message: &'a QueueMessage, delay: Duration) -> Step<'a, Result<(), PlatformError>> {
        let now = Instant::now();
        let due = now.checked_add(delay).unwrap_or(now);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let sent = self.sender.send((due, message.clone()));
        Box::pin(ready(sent.map_err(|_| {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            PlatformError
        })))
    }
}

impl Due {
    /// The messages that are due, at most ten. Waits for the first. `None` if no more can come.
    pub(crate) async fn next(&mut self) -> Option<Vec<QueueMessage>> {
        loop {
            while let Ok(message) = self.receiver.try_recv() {
                self.put(message);
            }
            let due = self.take(Instant::now());
            if !due.is_empty() {
                return Some(due);
            }
            let next = self.messages.keys().next().map(|(due, _)| *due);
            let until = next.or_else(|| Instant::now().checked_add(IDLE))?;
            match timeout_at(until, self.receiver.recv()).await {
                Ok(Some(message)) => self.put(message),
                // Those that wait still come.
                Ok(None) => sleep_until(next?).await,
                Err(_) => {}
            }
        }
    }

    fn put(&mut self, (due, message): (Instant, QueueMessage)) {
        self.came = self.came.wrapping_add(1);
        self.messages.insert((due, self.came), message);
    }

    fn take(&mut self, now: Instant) -> Vec<QueueMessage> {
        let mut due = Vec::new();
        while due.len() < MOST
            && let Some(first) = self.messages.first_entry()
            && first.key().0 <= now
        {
            due.push(first.remove());
        }
        self.waiting.fetch_sub(due.len() as u64, Ordering::Relaxed);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_core::base::id::PracticeId;

    fn message() -> QueueMessage {
        let id = "01890000-0000-7000-8000-000000000000";
        let practice_id: PracticeId = serde_json::from_value(id.into()).unwrap();
        let messages = Vec::new();
        QueueMessage { practice_id, messages }
    }

    #[test]
    fn messages_come_when_they_are_due_and_ten_at_most() {
        let (queue, mut due) = queue();
        let sender = queue.clone();
        let send = move |ms| {
            let message = message();
            let sent = sender.send(&message, Duration::from_millis(ms));
            futures_util::FutureExt::now_or_never(sent).unwrap().unwrap();
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(async {
            send(80);
            for _ in 0..12 {
                send(0);
            }
            let began = Instant::now();
            assert_eq!(due.next().await.unwrap().len(), 10);
            assert_eq!(due.next().await.unwrap().len(), 2);
            assert_eq!(queue.waiting(), 1);
            assert_eq!(due.next().await.unwrap().len(), 1);
            assert!(began.elapsed() >= Duration::from_millis(80));
            assert_eq!(queue.waiting(), 0);
            send(20);
            drop((send, queue));
            assert_eq!(due.next().await.unwrap().len(), 1);
            assert!(due.next().await.is_none());
        });
    }
}
