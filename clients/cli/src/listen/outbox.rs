//! The messages that wait to be posted, in the order of their time.

use super::changes::Told;
use crate::endpoint::{Endpoint, Outgoing};
use crate::error::CommandError;
use crate::screen::Screen;
use crate::system;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::MessageId;
use overturn_core::base::instant::Instant;
use overturn_core::webhooks::message::MessageKind;
use overturn_core::webhooks::schedule::{EndpointAnswer, Schedule};

/// The seconds between attempts, the last one again and again: a receiver on a laptop may come up late.
const WAITS: &str = "1,2,5,10,30";

pub(super) struct Outbox {
    /// The kinds that are posted; none means all.
    kinds: Vec<MessageKind>,
    schedule: Schedule,
    /// Each with the time of its next attempt.
    waiting: Vec<(Instant, Outgoing)>,
    pub(super) delivered: u64,
}

impl Outbox {
    pub(super) fn new(kinds: &[MessageKind]) -> Self {
        Self {
            kinds: kinds.into(),
            schedule: Schedule::parse(WAITS).unwrap_or_default(),
            waiting: Vec::new(),
            delivered: 0,
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Adds the messages about changes, as far as they are wanted.
    pub(super) fn add(&mut self, told: Vec<Told>) -> Result<(), CommandError> {
        let ctx = system::fresh()?;
        for (n, (at, data, about)) in told.into_iter().enumerate() {
            let kind = data.kind();
            if self.kinds.is_empty() || self.kinds.contains(&kind) {
                let id = MessageId(ctx.id(Purpose::Message, n));
                let message = Outgoing { id, kind, about, body: data.body(at, false), attempts: 0 };
                self.waiting.push((ctx.now, message));
            }
        }
        Ok(())
    }

    /// Posts the next message that is due. False if none is.
    pub(super) fn post_one(&mut self, endpoint: &Endpoint, screen: &mut Screen) -> Result<bool, CommandError> {
        let now = system::ctx().now;
        let Some(place) = self.waiting.iter().position(|(at, _)| *at <= now) else {
            return Ok(false);
        };
        let (_, mut message) = self.waiting.remove(place);
        let answer = endpoint.post(&mut message, screen);
        if answer.as_ref().is_ok_and(|answer| answer.is_some_and(EndpointAnswer::is_success)) {
            self.delivered = self.delivered.saturating_add(1);
            return Ok(true);
        }
        // A post that was interrupted waits, too: nobody knows whether it arrived.
        match self.wait_after_ms(message.attempts, answer.as_ref().ok().copied().flatten()) {
            Some(wait) => {
                if answer.is_ok() {
                    screen.note(&format!("next try in {} s", wait / 1000));
                }
                self.waiting.insert(place, (system::ctx().now.plus(wait), message));
            }
            None => screen.note(&format!("{} is given up", message.kind.name())),
        }
        answer.map(|_| true)
    }

    /// Milliseconds to wait after the nth attempt, which failed. `None` if the receiver wants no messages any more.
    fn wait_after_ms(&self, attempt: usize, answer: Option<EndpointAnswer>) -> Option<i64> {
        let last = self.schedule.attempts().saturating_sub(1);
        self.schedule.wait_after_ms(attempt.min(last), answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_tried_again_after_thirty_seconds_at_most_until_it_is_taken() {
        let outbox = Outbox::new(&[]);
        let waits: Vec<_> = (1..=20).map(|attempt| outbox.wait_after_ms(attempt, None)).collect();
        assert_eq!(waits[..5], [1, 2, 5, 10, 30].map(|seconds| Some(seconds * 1000)));
        assert!(waits[5..].iter().all(|wait| *wait == Some(30_000)));
        let gone = EndpointAnswer { status: 410, retry_after: None };
        assert_eq!(outbox.wait_after_ms(1, Some(gone)), None);
    }
}
