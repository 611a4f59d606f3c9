//! Holds back the claims of a batch until the batch was read to its end. An error of the whole batch may show only
//! there, and then none of its claims is sent. A batch too large for one request is released earlier, because it may
//! not fit into memory.

use crate::check::Claim;
use overturn_core::claims::intake::{BODY_MAX, ITEMS_MAX};
use std::mem;

/// The valid claims of the batch that is being read.
#[derive(Default, Debug)]
pub(super) struct Held {
    claims: Vec<Claim>,
    bytes: usize,
    /// How many claims of the batch were released early.
    free: u64,
    /// How many claims came after the batch was known to be wrong.
    withheld: u64,
}

/// What happened to the claims of a batch that is wrong as a whole, as counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dropped {
    /// Claims that were held back and are not sent.
    pub(super) unsent: u64,
    withheld: u64,
    free: u64,
}

impl Dropped {
    /// A hint for the user, if the batch had a claim to send.
    pub(super) fn hint(self) -> Option<String> {
        match self {
            Self { unsent: 0, withheld: 0, free: 0 } => None,
            Self { free: 0, .. } => Some("none of its claims is sent".into()),
            Self { free, .. } => Some(format!(
                "that showed only behind its first {free} valid claims, which are sent all the same; no other of it is"
            )),
        }
    }
}

impl Held {
    /// Adds a claim. Returns the claims that may be sent now.
    pub(super) fn push(&mut self, claim: Claim) -> Vec<Claim> {
        self.bytes = self.bytes.saturating_add(claim.item.len());
        self.claims.push(claim);
        let fits = self.claims.len() <= ITEMS_MAX
            && overturn_client::claim::body_length(self.claims.len(), self.bytes) <= BODY_MAX;
        if fits && self.free == 0 {
            return Vec::new();
        }
        self.free = self.free.saturating_add(count(&self.claims));
        self.bytes = 0;
        mem::take(&mut self.claims)
    }

    /// Counts a claim that is not sent.
    pub(super) fn withhold(&mut self) {
        self.withheld = self.withheld.saturating_add(1);
    }

    /// Ends the batch. Returns the claims that may be sent now.
    pub(super) fn release(&mut self) -> Vec<Claim> {
        mem::take(self).claims
    }

    /// Ends a batch that is wrong as a whole.
    pub(super) fn drop_batch(&mut self) -> Dropped {
        let held = mem::take(self);
        Dropped { unsent: count(&held.claims), withheld: held.withheld, free: held.free }
    }
}

fn count(claims: &[Claim]) -> u64 {
    u64::try_from(claims.len()).unwrap_or(u64::MAX)
}
