//! Time and random bytes of the host, in the forms that the service needs.

use crate::host::{Basics, EntropyError};
use crate::store::seal::Nonce;
use futures_util::future::{Either, select};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::pin::pin;
use std::time::Duration;

impl Basics {
    /// The current instant. Within a request, the clock of some platforms only moves at IO.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Waits.
    pub(crate) async fn sleep(&self, time: Duration) {
        self.timer.sleep(time).await;
    }

    /// The result if it comes in time, otherwise `None`. The work may still continue.
    pub(crate) async fn within<T>(&self, time: Duration, doing: impl Future<Output = T>) -> Option<T> {
        match select(pin!(doing), self.timer.sleep(time)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// The context of one request: its instant and the seed of its ids.
    pub(crate) fn ctx(&self) -> Result<Ctx, EntropyError> {
        self.bytes().map(|seed| Ctx::new(self.now(), seed))
    }

    /// Several nonces from one call.
    pub(crate) fn nonces(&self, count: usize) -> Result<impl FnMut() -> Nonce + use<'_>, EntropyError> {
        let mut pool = vec![[0_u8; size_of::<Nonce>()]; count];
        self.entropy.fill(pool.as_flattened_mut())?;
        let mut pool = pool.into_iter();
        // A nonce beyond the count is a mistake of the caller. A new one is drawn, so that none is repeated.
        Ok(move || pool.next().or_else(|| self.bytes().ok()).unwrap_or_default())
    }

    /// Several secrets of 32 bytes from one call.
    pub(crate) fn secrets(&self, count: usize) -> Result<Vec<[u8; 32]>, EntropyError> {
        let mut secrets = vec![[0_u8; 32]; count];
        self.entropy.fill(secrets.as_flattened_mut())?;
        Ok(secrets)
    }

    /// A number below `bound`, for jitter.
    pub(crate) fn below(&self, bound: u64) -> u64 {
        self.bytes::<8>().map_or(0, |bytes| u64::from_be_bytes(bytes).checked_rem(bound).unwrap_or(0))
    }

    /// Bytes of a cryptographic source.
    pub(crate) fn bytes<const N: usize>(&self) -> Result<[u8; N], EntropyError> {
        let mut bytes = [0_u8; N];
        self.entropy.fill(&mut bytes)?;
        Ok(bytes)
    }
}
