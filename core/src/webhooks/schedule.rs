//! When a message is sent again.

use crate::base::instant::DAY_MS;
use alloc::vec::Vec;

/// The waits between the attempts, in seconds: 10 attempts in a little over three days.
const DEFAULT_WAITS: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// The longest wait that an endpoint may request, in milliseconds: a day.
const RETRY_AFTER_MAX_MS: i64 = DAY_MS;

/// An answer of an endpoint: its status, and `Retry-After` in seconds if that was a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndpointAnswer {
    pub status: u16,
    pub retry_after: Option<i64>,
}

impl EndpointAnswer {
    /// True if the endpoint took the message.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// True if the endpoint wants no messages any more.
    #[must_use]
    pub const fn is_gone(self) -> bool {
        self.status == 410
    }

    fn asked_ms(self) -> i64 {
        let asked = self.retry_after.filter(|_| matches!(self.status, 429 | 503));
        asked.unwrap_or(0).saturating_mul(1000).min(RETRY_AFTER_MAX_MS)
    }
}

/// The waits between the attempts at one message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule(Vec<i64>);

impl Default for Schedule {
    fn default() -> Self {
        Self(DEFAULT_WAITS.into())
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

    /// How many attempts there are.
    #[must_use]
    pub fn attempts(&self) -> usize {
        self.0.len().saturating_add(1)
    }

    /// Milliseconds to wait after the nth attempt, counted from 1; `None` if it was the last.
    #[must_use]
    pub fn wait_ms(&self, attempt: usize) -> Option<i64> {
        let wait = self.0.get(attempt.checked_sub(1)?)?;
        Some(wait.saturating_mul(1000))
    }

    /// Milliseconds to wait after the nth attempt, which failed with this answer or with none. `None` if it was the last.
    #[must_use]
    pub fn wait_after_ms(&self, attempt: usize, answer: Option<EndpointAnswer>) -> Option<i64> {
        if answer.is_some_and(EndpointAnswer::is_gone) {
            return None;
        }
        let asked = answer.map_or(0, EndpointAnswer::asked_ms);
        Some(self.wait_ms(attempt)?.max(asked))
    }

    /// Milliseconds from the first attempt to the last, if each fails at once.
    #[must_use]
    pub fn total_ms(&self) -> i64 {
        let all = self.0.iter().fold(0_i64, |all, wait| all.saturating_add(*wait));
        all.saturating_mul(1000)
    }
}
