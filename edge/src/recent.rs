//! A state that anybody may ask for, so not every call may find it out.

use crate::platform;
use overturn_core::base::instant::Instant;
use std::cell::Cell;
use std::thread::LocalKey;

/// How long a state is kept, in milliseconds.
const KEPT_MS: i64 = 3_000;

/// The last known state of something in this isolate, and when it was asked for.
pub(crate) type Recent = Cell<Option<(Instant, bool)>>;

/// The last known state, or a new one.
pub(crate) async fn recent(
    last: &'static LocalKey<Recent>,
    find: impl Future<Output = bool>,
) -> bool {
    if let Some((at, state)) = last.get() {
        if platform::now().since(at) < KEPT_MS {
            return state;
        }
        // Calls that come before the new state is known get the last one.
        last.set(Some((platform::now(), state)));
    }
    let state = find.await;
    last.set(Some((platform::now(), state)));
    state
}
