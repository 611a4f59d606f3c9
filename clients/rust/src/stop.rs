//! A flag that ends calls and waits early.

use crate::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a wait looks at the flag.
pub const GLANCE: Duration = Duration::from_millis(50);

/// Set once the caller wants it to stop.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The flag itself, for a handler of signals.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    ///
    /// [`Error::Interrupted`] when the flag is set.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Sleeps.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] soon after the flag is set.
    pub fn sleep(&self, mut left: Duration) -> Result<(), Error> {
        while !left.is_zero() {
            self.check()?;
            let nap = left.min(GLANCE);
            thread::sleep(nap);
            left = left.saturating_sub(nap);
        }
        self.check()
    }

    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
