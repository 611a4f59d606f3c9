//! Repeats calls until they are answered (interface: retry rules, rate-limit response).
//!
//! Every call may be repeated: reads change nothing, and sends are idempotent by claim number. So it does not matter
//! whether the service carried out a call whose answer was lost.

use crate::answer;
use crate::call::{Answer, Call, CallError, Wire};
use crate::error::Error;
use crate::stop::Stop;
use crate::system;
use crate::text::shown;
use std::time::Duration;

/// How many times a call is made before we give up.
const ATTEMPTS: u32 = 7;
/// How many times in a row we obey an answer that asks us to wait.
const RATE_WAITS_MAX: u32 = 20;
const FIRST_WAIT_MS: u64 = 500;
const LONGEST_WAIT_MS: u64 = 30_000;
/// The minimum wait after a `429` that does not say how long. A caller that comes back too early may be banned for
/// minutes.
const DEFAULT_RATE_WAIT: Duration = Duration::from_secs(5);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest wait. If the service asks for more, we end and ask the user to come back later.
const LONGEST_RATE_WAIT: Duration = Duration::from_secs(15 * 60);

/// The wait after this many failures: 500 ms, 1 s, 2 s, 4 s, 8 s, 16 s, then 30 s.
fn back_off(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    Duration::from_millis((FIRST_WAIT_MS << doublings).min(LONGEST_WAIT_MS))
}

/// Adds up to ten percent.
fn with_jitter(wait: Duration) -> Duration {
    let tenth = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) / 10;
    wait.saturating_add(Duration::from_millis(system::below(tenth.saturating_add(1))))
}

/// How long to wait before the next attempt, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// The service has a rate limit.
    Limited(Duration),
    /// A temporary failure.
    Failed(Duration),
}

/// Waits. Tests replace it.
pub trait Clock {
    /// # Errors
    ///
    /// [`Error::Interrupted`] once there is no time left.
    fn check(&self) -> Result<(), Error>;

    /// # Errors
    ///
    /// [`Error::Interrupted`].
    fn wait(&self, wait: Duration) -> Result<(), Error>;
}

impl Clock for Stop {
    fn check(&self) -> Result<(), Error> {
        Stop::check(self)
    }

    fn wait(&self, wait: Duration) -> Result<(), Error> {
        self.sleep(with_jitter(wait))
    }
}

/// Repeats a call until an answer is final. Every answer is final except a `5xx`, `408` or `429`. A `429` is final,
/// too, if it names claims that cannot be sent today, because the other claims need not wait for them. `note` gets each
/// wait. No call begins after an interruption.
///
/// # Errors
///
/// [`Error::Service`] when the service cannot be reached, and [`Error::Interrupted`].
pub fn deliver(call: &Call, wire: &dyn Wire, clock: &dyn Clock, note: &dyn Fn(&str, Wait)) -> Result<Answer, Error> {
    let (mut failures, mut rate_waits) = (0_u32, 0_u32);
    loop {
        clock.check()?;
        let (what, asked) = match wire.exchange(call) {
            Ok(answer) if answer.status == 429 && answer::stopped(&answer).is_none() => {
                rate_waits = rate_waits.saturating_add(1);
                let (wait, why) = rate_wait(&answer, rate_waits)?;
                let line = format!("too many requests: waiting {} s{why}", seconds(wait));
                note(&line, Wait::Limited(wait));
                clock.wait(wait)?;
                continue;
            }
            Ok(answer) if is_passing(answer.status) => {
                (format!("the service answers {}", answer.status), answer.retry_after)
            }
            Ok(answer) => return Ok(answer),
            Err(CallError::Lost(why)) => (shown(&why), None),
            Err(CallError::Lasting(why)) => {
                let why = shown(&why);
                return Err(Error::Service(format!("cannot call the service: {why}. Check its address")));
            }
            Err(CallError::Interrupted) => return Err(Error::Interrupted),
        };
        failures = failures.saturating_add(1);
        if failures >= ATTEMPTS {
            return Err(Error::Service(format!(
                "{ATTEMPTS} attempts failed, the last one with: {what}. Check the address and the network, and run this again"
            )));
        }
        let wait = back_off(failures).max(Duration::from_secs(asked.unwrap_or(0)));
        let wait = bounded(wait)?;
        let next = failures.saturating_add(1);
        let line = format!("{what}; attempt {next} of {ATTEMPTS} in {} s", seconds(wait));
        note(&line, Wait::Failed(wait));
        clock.wait(wait)?;
    }
}

fn is_passing(status: u16) -> bool {
    status == 408 || (500..600).contains(&status)
}

/// How long to wait after this many answers of `429`, and the reason as text.
fn rate_wait(answer: &Answer, rate_waits: u32) -> Result<(Duration, &'static str), Error> {
    if rate_waits > RATE_WAITS_MAX {
        return Err(Error::Service(format!(
            "there were too many requests {RATE_WAITS_MAX} times in a row. Run this again later, and alone: the limit is for all that use the key"
        )));
    }
    let asked = answer.retry_after.or_else(|| answer::retry_after(&answer.body));
    let Some(asked) = asked else {
        return Ok((back_off(rate_waits).max(DEFAULT_RATE_WAIT), ""));
    };
    // Without a minimum, a wait of 0 would make a busy loop.
    let wait = bounded(Duration::from_secs(asked.max(1)))?;
    Ok((wait, ", as the service asks"))
}

fn bounded(wait: Duration) -> Result<Duration, Error> {
    if wait > LONGEST_RATE_WAIT {
        let wait = if wait > DAY { "more than a day".to_owned() } else { format!("{} s", seconds(wait)) };
        return Err(Error::Service(format!("the service asks to wait {wait}. Run this again then")));
    }
    Ok(wait)
}

fn seconds(wait: Duration) -> String {
    if wait.subsec_millis() == 0 { wait.as_secs().to_string() } else { format!("{:.1}", wait.as_secs_f64()) }
}

#[cfg(test)]
mod tests;
