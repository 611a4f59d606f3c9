//! Waiting for what comes after an answer.

use crate::host;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine: only what never comes lasts as long.
const TOO_LONG: Duration = Duration::from_secs(120);
const LONGEST_PAUSE: Duration = Duration::from_millis(300);
/// How long workerd has for work after an answer. It does not tell when this work ends.
const QUIET: Duration = Duration::from_millis(500);

/// Waits until something is so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    found(what, || is_so().then_some(()));
}

/// Waits until there is something, and returns it.
#[track_caller]
pub fn found<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + TOO_LONG;
    let mut pause = Duration::from_millis(5);
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < end, "in vain: {what}");
        thread::sleep(pause);
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// Waits for the work after the answers so far, before a test says that it changed nothing. The entrance of the native
/// program waits by itself.
pub fn quiet() {
    if !host::is_native() {
        thread::sleep(QUIET);
    }
}
