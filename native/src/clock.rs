//! The clock, entropy and timers of the machine. Only this module may use them.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use overturn_core::base::instant::Instant;
use overturn_service::host::{Clock, Entropy, EntropyError, Step, Timer};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

/// The time of day. A test can move it ahead, for all threads.
#[derive(Clone, Default)]
pub(crate) struct Wall {
    ahead_ms: Arc<AtomicI64>,
}

#[cfg(test)]
impl Wall {
    /// Moves the clock ahead.
    pub(crate) fn advance(&self, ms: i64) {
        self.ahead_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for Wall {
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let ms = since.map_or(0, |since| since.as_millis());
        let ms = i64::try_from(ms).unwrap_or(i64::MAX);
        Instant(ms).plus(self.ahead_ms.load(Ordering::Relaxed))
    }
}

/// A moment that only differences are taken of.
pub(crate) fn moment() -> std::time::Instant {
    std::time::Instant::now()
}

/// The random bytes of the operating system.
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError> {
        // The cause says no more.
        getrandom::fill(buffer).map_err(|_| EntropyError)
    }
}

/// The timers of the thread's runtime.
pub(crate) struct RuntimeTimer;

impl Timer for RuntimeTimer {
    fn sleep(&self, time: Duration) -> Step<'static, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}
