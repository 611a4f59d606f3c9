//! The queue: messages come at least once, unless they are lost, and in any order.

use super::Ground;
use crate::clock::{MS, SECOND};
use crate::faults::Fault;
use crate::scheduler::Group;
use overturn_service::host::{MessageQueue, PlatformError, QueueMessage, Step};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// How late a late message is, at most.
const LATE: u64 = 90 * SECOND;

/// The end that gives messages to a consumer.
pub(crate) type Due = UnboundedReceiver<QueueMessage>;

#[derive(Clone)]
pub(crate) struct Queue {
    ground: Ground,
    due: UnboundedSender<QueueMessage>,
}

pub(super) fn queue(ground: Ground) -> (Queue, Due) {
    let (due, receiver) = mpsc::unbounded_channel();
    (Queue { ground, due }, receiver)
}

impl Queue {
    fn deliver(&self, message: QueueMessage, wait: u64) {
        let (scheduler, due) = (&self.ground.scheduler, self.due.clone());
        let waited = scheduler.sleep(wait);
        scheduler.spawn(Group::World, async move {
            waited.await;
            let _over = due.send(message);
        });
    }
}

impl MessageQueue for Queue {
    fn send<'a>(&'a self, message: &'a QueueMessage, delay: Duration) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let Ground { faults, dice, .. } = &self.ground;
            self.ground.trip().await;
            if faults.strike(Fault::MessageLost) {
                // It may say so.
                return if dice.chance(5_000) { Err(PlatformError) } else { Ok(()) };
            }
            let delay = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX / 2);
            let mut wait = delay + dice.between(MS, 2 * SECOND);
            if faults.strike(Fault::MessageLate) {
                wait += dice.below(LATE);
            }
            if faults.strike(Fault::MessageTwice) {
                // Often both come at once.
                let between = if dice.chance(5_000) { 5 * MS } else { LATE };
                self.deliver(message.clone(), wait + dice.below(between));
            }
            self.deliver(message.clone(), wait);
            Ok(())
        })
    }
}
