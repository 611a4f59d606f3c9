//! The schedule of attempts, and the handling of an endpoint that keeps failing.

use crate::auth::disclosure::{self, PracticeState};
use crate::base::instant::Instant;
use crate::plan::webhooks::{Failure, Next};
use crate::request::error::RequestError;
use alloc::vec::Vec;

/// How long an endpoint has to answer, in milliseconds.
pub const TIME_OUT_MS: i64 = 10_000;
/// How long a lease on a message lasts, in milliseconds. If its holder crashes, another attempt starts after it.
pub const LEASE_MS: i64 = 60_000;
/// How long a completed message is kept for display and replay, in milliseconds: 30 days.
pub const KEPT_MS: i64 = 30 * 86_400_000;
/// How long a message is kept that an endpoint missed while it was switched off, in milliseconds: 7 days.
pub const MISSED_MS: i64 = 7 * 86_400_000;
/// The longest wait that an endpoint may request, in milliseconds: a day.
const RETRY_AFTER_MAX_MS: i64 = 86_400_000;
/// The waits between the attempts, in seconds: 10 attempts in a little over three days.
const WAITS: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// The waits between the attempts at one message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule(Vec<i64>);

impl Default for Schedule {
    fn default() -> Self {
        Self(WAITS.into())
    }
}

impl Schedule {
    /// A schedule of whole seconds, separated by commas; `None` if the text is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let waits = text.split(',').map(|wait| wait.trim().parse::<u32>());
        let waits: Result<Vec<_>, _> = waits.map(|wait| wait.map(i64::from)).collect();
        waits.ok().map(Self)
    }

    /// Milliseconds to wait after the nth attempt, counted from 1; `None` if it was the last.
    fn wait_ms(&self, attempt: usize) -> Option<i64> {
        let wait = self.0.get(attempt.checked_sub(1)?)?;
        Some(wait.saturating_mul(1000))
    }

    /// Milliseconds from the first attempt to the last, if each fails at once.
    fn total_ms(&self) -> i64 {
        let all = self.0.iter().fold(0_i64, |all, wait| all.saturating_add(*wait));
        all.saturating_mul(1000)
    }
}

/// The facts about an attempt that the rules need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttemptFacts {
    /// The number of the attempt, counted from 1.
    pub attempt: usize,
    /// True if the endpoint is active.
    pub endpoint_active: bool,
    pub practice: PracticeState,
    /// Whether the practice's agreement is in force.
    pub agreement_in_force: bool,
    /// Since when every attempt at the endpoint has failed.
    pub failing_since: Option<Instant>,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The endpoint answered.
    Answered {
        status: u16,
        /// `Retry-After` in seconds, if it was a number.
        retry_after: Option<i64>,
    },
    /// It did not answer.
    Failed(Failure),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttemptResult {
    /// The next step for the message.
    pub next: Next,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// True if the result counts for the endpoint's health.
    pub of_endpoint: bool,
    /// True if the endpoint is to be disabled.
    pub disable: bool,
}

/// The reason not to send a message now, if there is one.
#[must_use]
pub fn stop(turn: AttemptFacts, schedule: &Schedule) -> Option<AttemptResult> {
    let failure = if let Err(denied) = disclosure::allowed(turn.practice, turn.agreement_in_force) {
        match denied {
            RequestError::PracticeInactive => Failure::PracticeInactive,
            _ => Failure::AgreementEnded,
        }
    } else if !turn.endpoint_active {
        Failure::EndpointInactive
    } else if turn.attempt > schedule.0.len().saturating_add(1) {
        Failure::Interrupted
    } else {
        return None;
    };
    Some(AttemptResult { next: Next::Failed, status: None, failure: Some(failure), of_endpoint: false, disable: false })
}

/// Decides the next step for a message and its endpoint, after an attempt that ended at `now`.
///
/// Only a status from 200 to 299 is success. A `410` disables the endpoint at once. So does the last failure of a
/// message if the endpoint accepted nothing during all attempts at it.
#[must_use]
pub fn judge(turn: AttemptFacts, outcome: Outcome, schedule: &Schedule, now: Instant) -> AttemptResult {
    let (status, asked_ms, failure) = match outcome {
        Outcome::Answered { status, retry_after } => {
            let asked = retry_after.filter(|_| matches!(status, 429 | 503));
            (Some(status), asked.unwrap_or(0).saturating_mul(1000), refusal(status))
        }
        Outcome::Failed(failure) => (None, 0, Some(failure)),
    };
    let gone = status == Some(410);
    let wait = schedule.wait_ms(turn.attempt).filter(|_| !gone);
    let next = match (failure, wait) {
        (None, _) => Next::Delivered,
        (Some(_), Some(wait)) => Next::Again(now.plus(wait.max(asked_ms.min(RETRY_AFTER_MAX_MS)))),
        (Some(_), None) => Next::Failed,
    };
    // Without its secret the endpoint was not called, which is not its fault.
    let of_endpoint = failure != Some(Failure::NoSecret);
    let long = turn.failing_since.is_some_and(|since| now.since(since) >= schedule.total_ms());
    AttemptResult { next, status, failure, of_endpoint, disable: gone || (next == Next::Failed && of_endpoint && long) }
}

const fn refusal(status: u16) -> Option<Failure> {
    match status {
        200..=299 => None,
        300..=399 => Some(Failure::Redirected),
        _ => Some(Failure::Refused),
    }
}

#[cfg(test)]
mod tests;
