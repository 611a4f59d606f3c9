//! The API keys that this isolate knows to exist.
//!
//! A limiter is a Durable Object, and calling it creates it. A caller can make up any number of well-formed keys, so a
//! key's limiter is called only if the database has the key. If the isolate has seen the key before, it calls the
//! limiter while it loads, so the caller waits for both in parallel. Only a key's first call in an isolate does one
//! after the other.
//!
//! This gives no access. Every call reads from the database whether the key is valid.

use std::cell::RefCell;
use std::collections::HashSet;

/// How many keys are remembered before all are forgotten: 16 bytes each.
const MOST: usize = 20_000;

/// Half of the hash of each key.
#[derive(Default)]
pub(crate) struct KnownKeys(RefCell<HashSet<u128>>);

impl KnownKeys {
    /// True if a key, by its hash, is known to exist.
    pub(crate) fn contains(&self, hash: &str) -> bool {
        digits(hash).is_some_and(|key| self.0.borrow().contains(&key))
    }

    /// Records that a key, by its hash, exists.
    pub(crate) fn remember(&self, hash: &str) {
        let Some(key) = digits(hash) else { return };
        let mut seen = self.0.borrow_mut();
        if seen.len() >= MOST {
            seen.clear();
        }
        seen.insert(key);
    }
}

/// The first half of a SHA-256 in hexadecimal. It is unique in practice.
fn digits(hash: &str) -> Option<u128> {
    u128::from_str_radix(hash.get(..32)?, 16).ok()
}
