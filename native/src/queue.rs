//! The queue of webhook messages, in memory. What a crash loses, the sweep of the next minute finds.

use overturn_core::base::id::PracticeId;
use overturn_service::host::{MessageQueue, PlatformError, QueueMessage, Step};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, sleep_until, timeout_at};

/// The most messages of a practice that are consumed together, as on Workers.
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
    /// What is due, by practice. A practice is in it as long as its messages wait or are consumed.
    due: HashMap<PracticeId, VecDeque<QueueMessage>>,
    /// Whose messages are next. Practices take turns, and each has one turn at a time: its endpoints may hang.
    turns: VecDeque<PracticeId>,
    waiting: Arc<AtomicU64>,
}

pub(crate) fn queue() -> (Queue, Due) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let waiting = Arc::<AtomicU64>::default();
    let queue = Queue { sender, waiting: Arc::clone(&waiting) };
    let (messages, due, turns) = Default::default();
    let due = Due { receiver, messages, came: 0, due, turns, waiting };
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
    /// Messages of one practice that are due, at most ten. Waits for the first. `None` if no more can come. Its next ones come
    /// after [`Self::done`].
    pub(crate) async fn next(&mut self) -> Option<(PracticeId, Vec<QueueMessage>)> {
        loop {
            while let Ok(message) = self.receiver.try_recv() {
                self.put(message);
            }
            self.sort(Instant::now());
            if let Some(turn) = self.take() {
                return Some(turn);
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

    /// Gives the messages that are due to their practices.
    fn sort(&mut self, now: Instant) {
        while let Some(first) = self.messages.first_entry()
            && first.key().0 <= now
        {
            let message = first.remove();
            let practice = message.practice_id;
            let of_practice = self.due.entry(practice).or_insert_with(|| {
                self.turns.push_back(practice);
                VecDeque::new()
            });
            of_practice.push_back(message);
        }
    }

    fn take(&mut self) -> Option<(PracticeId, Vec<QueueMessage>)> {
        let practice = self.turns.pop_front()?;
        let of_practice = self.due.get_mut(&practice)?;
        let taken: Vec<_> = of_practice.drain(..of_practice.len().min(MOST)).collect();
        self.waiting.fetch_sub(taken.len() as u64, Ordering::Relaxed);
        Some((practice, taken))
    }

    /// The messages of a practice that were taken are consumed.
    pub(crate) fn done(&mut self, practice: PracticeId) {
        match self.due.get(&practice) {
            Some(left) if !left.is_empty() => self.turns.push_back(practice),
            _ => drop(self.due.remove(&practice)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    fn practice(n: u8) -> PracticeId {
        let id = format!("01890000-0000-7000-8000-{n:012}");
        serde_json::from_value(id.into()).unwrap()
    }

    fn sends(queue: Queue) -> impl Fn(u8, u64) {
        move |n, ms| {
            let message = QueueMessage { practice_id: practice(n), messages: Vec::new() };
            let sent = queue.send(&message, Duration::from_millis(ms));
            sent.now_or_never().unwrap().unwrap();
        }
    }

    fn block(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(test);
    }

    #[test]
    fn messages_come_when_they_are_due_and_ten_at_most() {
        let (queue, mut due) = queue();
        let send = sends(queue.clone());
        let next = async |due: &mut Due| {
            let (practice, messages) = due.next().await.unwrap();
            due.done(practice);
            messages.len()
        };
        block(async {
            send(1, 80);
            for _ in 0..12 {
                send(1, 0);
            }
            let began = Instant::now();
            assert_eq!(next(&mut due).await, 10);
            assert_eq!(next(&mut due).await, 2);
            assert_eq!(queue.waiting(), 1);
            assert_eq!(next(&mut due).await, 1);
            assert!(began.elapsed() >= Duration::from_millis(80));
            assert_eq!(queue.waiting(), 0);
            send(1, 20);
            drop((send, queue));
            assert_eq!(next(&mut due).await, 1);
            assert!(due.next().await.is_none());
        });
    }

    #[test]
    fn practices_take_turns_and_one_whose_messages_are_under_way_waits() {
        let (queue, mut due) = queue();
        let send = sends(queue.clone());
        block(async {
            for _ in 0..15 {
                send(1, 0);
            }
            send(2, 0);
            let turn = async |due: &mut Due| {
                let (practice, messages) = due.next().await.unwrap();
                (practice, messages.len())
            };
            assert_eq!(turn(&mut due).await, (practice(1), 10));
            assert_eq!(turn(&mut due).await, (practice(2), 1));
            send(1, 0);
            assert!(due.next().now_or_never().is_none(), "both are under way");
            assert_eq!(queue.waiting(), 6);
            due.done(practice(2));
            send(2, 0);
            assert_eq!(turn(&mut due).await, (practice(2), 1));
            due.done(practice(1));
            assert_eq!(turn(&mut due).await, (practice(1), 6));
            due.done(practice(1));
            due.done(practice(2));
            assert!(due.due.is_empty(), "nobody is remembered");
        });
    }
}
