//! What became of a claim payment, and what stands in the end.

use crate::reasons::{Hold, Skip};
use crate::record::{Entry, Record};
use alloc::vec::Vec;

/// A decision of a payer that stands. Its records are parts of one claim, in the order of payment.
pub(crate) struct Adjudication {
    pub(crate) records: Vec<usize>,
    /// Why it may not be the payer's last word.
    pub(crate) doubt: Option<Hold>,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Stands,
    /// It never said anything about the claim.
    Silent,
    Lost(Skip),
    /// A reversal that found its adjudication.
    Reversal,
    /// A reversal that found none.
    Unmatched,
}

/// True for an answer that decides nothing: it replaces no earlier decision.
pub(crate) fn is_silent(record: &Record) -> bool {
    matches!(record.entry, Entry::Skip(Skip::Duplicate | Skip::Pending | Skip::Predetermination | Skip::Forwarded))
}

pub(crate) fn set(at: usize, fate: Fate, fates: &mut [Fate]) {
    if let Some(place) = fates.get_mut(at) {
        *place = fate;
    }
}
