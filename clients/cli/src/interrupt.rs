//! Ctrl-C: the first one asks the program to stop, the second ends it at once.

use crate::error::CommandError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a wait checks for an interruption.
pub(crate) const GLANCE: Duration = Duration::from_millis(50);

/// Set once the user asked the program to stop.
#[derive(Clone, Default, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From here on, SIGINT and SIGTERM set the flag. A second signal ends the program.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] when the system refuses the signal handlers.
    pub(crate) fn watch() -> Result<Self, CommandError> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the conditional shutdown must not see the flag that the same signal sets.
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&interrupt.0))
                .and_then(|_| flag::register(signal, Arc::clone(&interrupt.0)))
                .map_err(|error| CommandError::Usage(format!("cannot watch for signals: {error}")))?;
        }
        Ok(interrupt)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    ///
    /// [`CommandError::Interrupted`] when the flag is set.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        if self.is_set() { Err(CommandError::Interrupted) } else { Ok(()) }
    }

    /// Sleeps.
    ///
    /// # Errors
    ///
    /// [`CommandError::Interrupted`] soon after the flag is set.
    pub(crate) fn sleep(&self, mut left: Duration) -> Result<(), CommandError> {
        while !left.is_zero() {
            self.check()?;
            let nap = left.min(GLANCE);
            thread::sleep(nap);
            left = left.saturating_sub(nap);
        }
        self.check()
    }

    /// Sets the flag, as a signal does.
    #[cfg(test)]
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
