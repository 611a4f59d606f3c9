//! The clock and randomness of the machine. Nothing else in this crate may ask for either.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use crate::error::CommandError;
pub(crate) use overturn_client::system::{ctx, now};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;

/// A context with fresh ids.
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

pub(crate) fn instant() -> std::time::Instant {
    std::time::Instant::now()
}
