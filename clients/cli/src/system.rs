//! The clock and randomness of the machine. Nothing else in this crate may ask for either.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use crate::error::CommandError;
use chrono::{DateTime, Utc};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

/// The context for the rules. They need only today's date. The CLI creates no ids, so the seed is empty.
pub(crate) fn ctx() -> Ctx {
    Ctx::new(Instant(now().timestamp_millis()), [0; 32])
}

/// The same with fresh ids.
///
/// # Errors
///
/// [`CommandError::Usage`] if the machine gives no randomness.
pub(crate) fn fresh() -> Result<Ctx, CommandError> {
    Ok(Ctx::new(Instant(now().timestamp_millis()), random()?))
}

/// Bytes of the machine's cryptographic source.
///
/// # Errors
///
/// [`CommandError::Usage`] if there is none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], CommandError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| CommandError::Usage(format!("there is no randomness: {error}")))?;
    Ok(bytes)
}

pub(crate) fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

pub(crate) fn instant() -> std::time::Instant {
    std::time::Instant::now()
}

/// A random number below `bound`. It spreads out retries of callers that failed at the same time.
pub(crate) fn below(bound: u64) -> u64 {
    RandomState::new().build_hasher().finish().checked_rem(bound).unwrap_or(0)
}
