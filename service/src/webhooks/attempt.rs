//! The schedule of attempts, and the handling of an endpoint that keeps failing.

use crate::auth::disclosure::{self, PracticeState};
use crate::config::Schedule;
use crate::request::error::RequestError;
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_core::names;
use overturn_core::webhooks::schedule::EndpointAnswer;

/// How long an endpoint has to answer, in milliseconds.
pub(super) const TIME_OUT_MS: i64 = 10_000;
/// How long a lease on a message lasts, in milliseconds of the real clock. If its holder crashes, another attempt starts after it.
pub(super) const LEASE_MS: i64 = 60_000;
/// How long a completed message is kept for display and replay, in milliseconds: 30 days.
pub(super) const KEPT_MS: i64 = 30 * DAY_MS;
/// How long a message is kept that an endpoint missed while it was switched off, in milliseconds: 7 days.
pub(super) const MISSED_MS: i64 = 7 * DAY_MS;
names! {
    /// Why an attempt failed, or was not made.
    Failure {
        /// The endpoint took too long.
        TimedOut = "timed_out",
        /// There was no connection, or it broke.
        NotConnected = "not_connected",
        /// The endpoint answered with a redirect, which is not followed.
        Redirected = "redirected",
        /// The endpoint answered with a status that is not success.
        Refused = "refused",
        /// The endpoint is disabled or was removed.
        EndpointInactive = "endpoint_inactive",
        /// The practice is not active.
        PracticeInactive = "practice_inactive",
        /// The practice's agreement is not in force.
        AgreementEnded = "agreement_ended",
        /// The secret cannot be read.
        NoSecret = "no_secret",
        /// The attempt was interrupted, again and again.
        Interrupted = "interrupted",
    }
}

/// What follows an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The endpoint took the message.
    Delivered,
    /// The next attempt is at this instant.
    Again(Instant),
    /// There is no other attempt.
    Failed,
}

/// The facts about an attempt that the rules need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AttemptFacts {
    /// The number of the attempt, counted from 1.
    pub(super) attempt: usize,
    /// True if the endpoint is active.
    pub(super) endpoint_active: bool,
    pub(super) practice: PracticeState,
    /// Whether the practice's agreement is in force.
    pub(super) agreement_in_force: bool,
    /// Since when every attempt at the endpoint has failed.
    pub(super) failing_since: Option<Instant>,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The endpoint answered.
    Answered(EndpointAnswer),
    /// It did not answer.
    Failed(Failure),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AttemptResult {
    /// The next step for the message.
    pub(super) next: Next,
    /// The status of the answer, if there was one.
    pub(super) status: Option<u16>,
    /// Why it failed.
    pub(super) failure: Option<Failure>,
    /// True if the result counts for the endpoint's health.
    pub(super) of_endpoint: bool,
    /// True if the endpoint is to be disabled.
    pub(super) disable: bool,
}

/// The reason not to send a message now, if there is one.
pub(super) fn stop(turn: AttemptFacts, schedule: &Schedule) -> Option<AttemptResult> {
    let failure = if let Err(denied) = disclosure::allowed(turn.practice, turn.agreement_in_force) {
        match denied {
            RequestError::PracticeInactive => Failure::PracticeInactive,
            _ => Failure::AgreementEnded,
        }
    } else if !turn.endpoint_active {
        Failure::EndpointInactive
    } else if turn.attempt > schedule.attempts() {
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
pub(super) fn judge(turn: AttemptFacts, outcome: Outcome, schedule: &Schedule, now: Instant) -> AttemptResult {
    let (answer, failure) = match outcome {
        Outcome::Answered(answer) => (Some(answer), refusal(answer)),
        Outcome::Failed(failure) => (None, Some(failure)),
    };
    let gone = answer.is_some_and(EndpointAnswer::is_gone);
    let status = answer.map(|answer| answer.status);
    let next = match (failure, schedule.wait_after_ms(turn.attempt, answer)) {
        (None, _) => Next::Delivered,
        (Some(_), Some(wait)) => Next::Again(now.plus(wait)),
        (Some(_), None) => Next::Failed,
    };
    // Without its secret the endpoint was not called, which is not its fault.
    let of_endpoint = failure != Some(Failure::NoSecret);
    let long = turn.failing_since.is_some_and(|since| now.since(since) >= schedule.total_ms());
    AttemptResult { next, status, failure, of_endpoint, disable: gone || (next == Next::Failed && of_endpoint && long) }
}

const fn refusal(answer: EndpointAnswer) -> Option<Failure> {
    match answer.status {
        _ if answer.is_success() => None,
        300..=399 => Some(Failure::Redirected),
        _ => Some(Failure::Refused),
    }
}

#[cfg(test)]
mod tests;
