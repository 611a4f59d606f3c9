//! The API keys that this isolate has seen to exist.
//!
//! A limiter is a Durable Object, and asking for one makes it. A caller can make up keys of the right form without end, so
//! the limiter of a key is asked only once it is known that the database has such a key. An isolate that has seen the
//! key before knows that, and asks the limiter while it loads: an honest caller waits for both at once. Only the first call of
//! a key in an isolate asks one after the other.
//!
//! This lets nobody in. Whether a key counts is read from the database at every call.

use std::cell::RefCell;
use std::collections::HashSet;

/// Keys that are remembered, before all are forgotten: 16 bytes each.
const MOST: usize = 20_000;

thread_local! {
    static SEEN: RefCell<HashSet<u128>> = RefCell::default();
}

/// Whether a key, by its hash, was seen to exist.
pub(crate) fn contains(hash: &str) -> bool {
    digits(hash).is_some_and(|key| SEEN.with_borrow(|seen| seen.contains(&key)))
}

/// Remembers that a key, by its hash, exists.
pub(crate) fn remember(hash: &str) {
    let Some(key) = digits(hash) else { return };
    SEEN.with_borrow_mut(|seen| {
        if seen.len() >= MOST {
            seen.clear();
        }
        seen.insert(key);
    });
}

/// The first half of a SHA-256 in hexadecimal. Nobody finds two keys that have it in common.
fn digits(hash: &str) -> Option<u128> {
    u128::from_str_radix(hash.get(..32)?, 16).ok()
}
