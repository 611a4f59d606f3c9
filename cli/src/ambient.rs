//! The clock and randomness of the machine. Nothing else in this crate may ask for either.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use chrono::{DateTime, Utc};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

/// What claims are judged by: the rules ask it for today's date only. No id is ever made here, so the seed is none.
pub(crate) fn ctx() -> Ctx {
    Ctx::new(Instant(now().timestamp_millis()), [0; 32])
}

/// The time of the wall clock.
pub(crate) fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// A monotonic instant.
pub(crate) fn instant() -> std::time::Instant {
    std::time::Instant::now()
}

/// A number below `bound`, to keep callers that failed together from coming back together.
pub(crate) fn below(bound: u64) -> u64 {
    RandomState::new()
        .build_hasher()
        .finish()
        .checked_rem(bound)
        .unwrap_or(0)
}
