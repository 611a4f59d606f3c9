//! The clock and randomness of the machine. Nothing else in this crate may ask for either.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use chrono::{DateTime, Utc};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

/// The context for the rules. They need only today's date. A client creates no ids, so the seed is empty.
#[must_use]
pub fn ctx() -> Ctx {
    Ctx::new(Instant(now().timestamp_millis()), [0; 32])
}

#[must_use]
pub fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// A random number below `bound`. It spreads out retries of callers that failed at the same time.
pub(crate) fn below(bound: u64) -> u64 {
    RandomState::new().build_hasher().finish().checked_rem(bound).unwrap_or(0)
}
