//! A state that anybody may ask for, so not every call may find it out.

use crate::host::Basics;
use crate::memory::Recent;

/// How long a state is kept, in milliseconds.
const KEPT_MS: i64 = 3_000;

/// The last known state, or a new one.
pub(crate) async fn recent(basics: &Basics, last: &Recent, find: impl Future<Output = bool>) -> bool {
    if let Some((at, state)) = last.get() {
        if basics.now().since(at) < KEPT_MS {
            return state;
        }
        // Calls that come before the new state is known get the last one.
        last.set(Some((basics.now(), state)));
    }
    let state = find.await;
    last.set(Some((basics.now(), state)));
    state
}
