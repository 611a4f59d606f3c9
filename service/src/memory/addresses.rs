//! The addresses that this instance knows (`crate::ip_ban`).

use overturn_core::base::instant::Instant;
use std::cell::RefCell;
use std::collections::HashMap;

/// How many requests are counted as one. The limit of `IP_LIMITER` in wrangler.toml is smaller by this factor.
const COUNTED_AT_ONCE: u32 = 10;
/// Addresses remembered before the memory is cleared.
const MEMO_MAX: usize = 10_000;

/// What this isolate knows about an address.
#[derive(Clone, Copy)]
struct Memo {
    status: Status,
    /// Requests since the last counted one.
    uncounted: u32,
}

/// Whether an address is banned.
#[derive(Clone, Copy)]
pub(crate) enum Status {
    Unknown,
    BannedUntil(Instant),
    ClearUntil(Instant),
}

/// The addresses that this instance knows.
#[derive(Default)]
pub(crate) struct Addresses(RefCell<HashMap<String, Memo>>);

impl Addresses {
    /// The state of a request's address, and whether its requests since the last count must be counted now.
    pub(crate) fn arrive(&self, address: &str) -> (Status, bool) {
        let mut memory = self.0.borrow_mut();
        let memo = of(&mut memory, address);
        memo.uncounted = memo.uncounted.saturating_add(1);
        let counts = memo.uncounted >= COUNTED_AT_ONCE;
        if counts {
            memo.uncounted = 0;
        }
        (memo.status, counts)
    }

    pub(crate) fn remember(&self, address: &str, status: Status) {
        of(&mut self.0.borrow_mut(), address).status = status;
    }
}

fn of<'m>(memory: &'m mut HashMap<String, Memo>, address: &str) -> &'m mut Memo {
    if memory.len() >= MEMO_MAX && !memory.contains_key(address) {
        memory.clear();
    }
    memory.entry(address.to_owned()).or_insert(Memo { status: Status::Unknown, uncounted: 0 })
}
