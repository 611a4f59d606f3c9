//! Ctrl-C: the first one asks the program to stop, the second ends it at once.

use crate::error::CommandError;
pub(crate) use overturn_client::{GLANCE, Stop as Interrupt};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// From here on, SIGINT and SIGTERM set the flag. A second signal ends the program.
///
/// # Errors
///
/// [`CommandError::Usage`] when the system refuses the signal handlers.
pub(crate) fn watch() -> Result<Interrupt, CommandError> {
    let interrupt = Interrupt::default();
    for signal in [SIGINT, SIGTERM] {
        // In this order: the conditional shutdown must not see the flag that the same signal sets.
        flag::register_conditional_shutdown(signal, 130, interrupt.flag())
            .and_then(|_| flag::register(signal, interrupt.flag()))
            .map_err(|error| CommandError::Usage(format!("cannot watch for signals: {error}")))?;
    }
    Ok(interrupt)
}
