//! Counting resends that do not match the claim of their number.

use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId};
use crate::plan::audit::Entry;
use crate::plan::notice::Notice;
use alloc::vec::Vec;
use serde::Serialize;

/// The limits on mismatches that are answered in one UTC day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub claim: u32,
    /// For all claims of a practice.
    pub practice: u32,
}

impl Bounds {
    /// No limit. Mismatches are still counted.
    pub const NONE: Self = Self { claim: u32::MAX, practice: u32::MAX };
}

impl Default for Bounds {
    fn default() -> Self {
        Self { claim: 20, practice: 200 }
    }
}

/// The limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    Claim,
    Practice,
}

impl Bound {
    /// Its bit in the record of today's notices to the owners.
    #[must_use]
    pub const fn bit(self) -> u8 {
        match self {
            Self::Claim => 1,
            Self::Practice => 2,
        }
    }
}

/// The comparisons of one round of a send: mismatches to count, and matches to confirm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatches {
    pub practice_id: PracticeId,
    /// The UTC day.
    pub day: Date,
    /// The limits. If they do not hold when the batch runs, it writes nothing.
    pub bounds: Bounds,
    /// The claims of the mismatches, with the indexes of their items.
    pub claims: Vec<(usize, ClaimId)>,
    /// The claims of the matches, in the same form. They are not counted, and are answered only if one more mismatch of
    /// the claim would be. So a correct guess among many parallel ones gets the same treatment as in a sequence.
    pub matches: Vec<(usize, ClaimId)>,
    /// There are more mismatches than the practice may still have: none is answered, and nothing more is compared
    /// today. Otherwise the refusal would reveal for free how many there were.
    pub closes: bool,
}

/// The email to the owners and its audit row. They are written if the batch reaches a limit about which the owners were
/// not notified on that day.
#[derive(Clone, Debug)]
pub struct Alarm {
    pub practice_id: PracticeId,
    /// The UTC day.
    pub day: Date,
    pub bound: Bound,
    /// How many mismatches reach it.
    pub most: u32,
    /// The claims that may have reached it, empty for the practice's limit.
    pub claims: Vec<ClaimId>,
    /// The row of the trail.
    pub entry: Entry,
    pub notice: Notice,
}
