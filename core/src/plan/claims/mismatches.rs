//! Resends that are not for the claim of their number, as they are counted.

use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId};
use crate::plan::audit::Entry;
use crate::plan::notice::Notice;
use alloc::vec::Vec;
use serde::Serialize;

/// How many mismatches of one UTC day are answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// For one claim.
    pub claim: u32,
    /// For all claims of a practice.
    pub practice: u32,
}

impl Bounds {
    /// No bound at all. Mismatches are counted all the same.
    pub const NONE: Self = Self {
        claim: u32::MAX,
        practice: u32::MAX,
    };
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            claim: 20,
            practice: 200,
        }
    }
}

/// Which bound was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// That of a claim.
    Claim,
    /// That of the practice.
    Practice,
}

impl Bound {
    /// Its bit in the record of what the owners were told today.
    #[must_use]
    pub const fn bit(self) -> u8 {
        match self {
            Self::Claim => 1,
            Self::Practice => 2,
        }
    }
}

/// What a round of a send has compared: mismatches to be counted, and matches to be confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatches {
    /// The practice.
    pub practice_id: PracticeId,
    /// The UTC day.
    pub day: Date,
    /// The bounds, which still hold when the batch runs, or nothing of it is written.
    pub bounds: Bounds,
    /// The claims of the mismatches, by the places of their items in the request.
    pub claims: Vec<(usize, ClaimId)>,
    /// The same the claims of matches. They are not counted, and are answered only if one more mismatch of the claim would be. So a right guess among many at
    /// once is answered or refused just as it would be if they came one after the other.
    pub matches: Vec<(usize, ClaimId)>,
    /// There are more mismatches than the practice has left: none of them is answered, and nothing more is compared today.
    /// Otherwise the refusal would tell for free how many there were.
    pub closes: bool,
}

/// The letter to the owners and its row of the trail. They are written where the batch that counts mismatches reaches a bound of
/// which the owners were not told on that day.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// The practice.
    pub practice_id: PracticeId,
    /// The UTC day.
    pub day: Date,
    /// The bound.
    pub bound: Bound,
    /// How many mismatches reach it.
    pub most: u32,
    /// The claims of which one may have reached it, empty for the practice's bound.
    pub claims: Vec<ClaimId>,
    /// The row of the trail.
    pub entry: Entry,
    /// The letter.
    pub notice: Notice,
}
