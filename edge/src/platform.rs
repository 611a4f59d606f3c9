//! The clock and entropy of the platform. Only this module may use them.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use futures_util::future::{Either, select};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use overturn_store::error::DatabaseError;
use overturn_store::seal::Nonce;
use std::pin::pin;
use std::time::Duration;
use worker::Delay;

/// The platform gave no entropy. Nothing that needs an id or a nonce can continue.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no entropy")]
pub(crate) struct EntropyError(#[from] getrandom::Error);

impl From<EntropyError> for DatabaseError {
    fn from(_: EntropyError) -> Self {
        Self::Broken("no entropy")
    }
}

/// The current instant. Within a request the platform's clock only moves at IO.
pub(crate) fn now() -> Instant {
    #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
    Instant(worker::js_sys::Date::now() as i64)
}

/// The result if it comes in time, otherwise `None`. The work may still continue.
pub(crate) async fn within<T>(time: Duration, doing: impl Future<Output = T>) -> Option<T> {
    match select(pin!(doing), pin!(Delay::from(time))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// The context of one request: its instant and the seed of its ids.
pub(crate) fn ctx() -> Result<Ctx, EntropyError> {
    bytes().map(|seed| Ctx::new(now(), seed))
}

/// Several nonces from one call.
pub(crate) fn nonces(count: usize) -> Result<impl FnMut() -> Nonce, EntropyError> {
    let mut pool = vec![[0_u8; size_of::<Nonce>()]; count];
    getrandom::fill(pool.as_flattened_mut())?;
    let mut pool = pool.into_iter();
    // A nonce beyond the count is a mistake of the caller. A new one is drawn, so that none is repeated.
    Ok(move || pool.next().or_else(|| bytes().ok()).unwrap_or_default())
}

/// Several secrets of 32 bytes from one call.
pub(crate) fn secrets(count: usize) -> Result<Vec<[u8; 32]>, EntropyError> {
    let mut secrets = vec![[0_u8; 32]; count];
    getrandom::fill(secrets.as_flattened_mut())?;
    Ok(secrets)
}

/// A number below `bound`, for jitter.
pub(crate) fn below(bound: u64) -> u64 {
    bytes::<8>().map_or(0, |bytes| {
        u64::from_be_bytes(bytes).checked_rem(bound).unwrap_or(0)
    })
}

/// Bytes of a cryptographic source.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], EntropyError> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
