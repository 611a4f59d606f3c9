//! Ctrl-C: the first asks to stop, the second stops.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long any wait goes on before it looks up.
pub(crate) const GLANCE: Duration = Duration::from_millis(50);

/// Whether somebody asked us to stop.
#[derive(Clone, Default, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From here on SIGINT and SIGTERM set this, and end the program when they come again.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] where the system lets us not.
    pub(crate) fn watch() -> Result<Self, Failure> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order, so that the first signal does not find the flag set by itself.
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&interrupt.0))
                .and_then(|_| flag::register(signal, Arc::clone(&interrupt.0)))
                .map_err(|error| Failure::Usage(format!("cannot watch for signals: {error}")))?;
        }
        Ok(interrupt)
    }

    /// Whether it was asked for.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    ///
    /// [`Failure::Interrupted`] when it was asked for.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.is_set() {
            Err(Failure::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Sleeps.
    ///
    /// # Errors
    ///
    /// [`Failure::Interrupted`] soon after it was asked for.
    pub(crate) fn sleep(&self, mut left: Duration) -> Result<(), Failure> {
        while !left.is_zero() {
            self.check()?;
            let nap = left.min(GLANCE);
            thread::sleep(nap);
            left = left.saturating_sub(nap);
        }
        self.check()
    }

    /// Asks for it, as a signal does.
    #[cfg(test)]
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
