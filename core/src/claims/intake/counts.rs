//! Today's counts of mismatches.

use crate::base::id::ClaimId;
use alloc::collections::BTreeMap;
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

/// A row of today's counts: the claim (`None` for the practice), the count, and which notices the owners got.
pub type MismatchRow = (Option<ClaimId>, u32, u8);

/// Today's counts of a practice.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct MismatchCounts {
    claims: BTreeMap<ClaimId, u32>,
    practice: u32,
    pub(super) told: u8,
}

impl FromIterator<MismatchRow> for MismatchCounts {
    fn from_iter<T: IntoIterator<Item = MismatchRow>>(rows: T) -> Self {
        let mut counts = Self::default();
        for (claim, count, told) in rows {
            match claim {
                Some(id) => drop(counts.claims.insert(id, count)),
                None => (counts.practice, counts.told) = (count, told),
            }
        }
        counts
    }
}

impl MismatchCounts {
    /// Answers no further mismatch of the practice today.
    pub(crate) const fn close(&mut self) {
        self.practice = u32::MAX;
    }

    pub(super) fn reached(&self, claim: ClaimId, bounds: Bounds) -> Option<Bound> {
        let of_claim = self.claims.get(&claim).copied().unwrap_or(0);
        if self.practice >= bounds.practice {
            Some(Bound::Practice)
        } else {
            (of_claim >= bounds.claim).then_some(Bound::Claim)
        }
    }

    /// True if the sender may be guessing: the claim had a mismatch today, or the practice used up half of its limit.
    /// The store then confirms a match before the answer, because other guesses may have reached the limit after the
    /// load.
    pub(crate) fn is_suspicious(&self, claim: ClaimId, bounds: Bounds) -> bool {
        self.claims.contains_key(&claim) || self.practice >= bounds.practice.div_ceil(2).max(1)
    }

    /// True if `more` further mismatches may be answered.
    pub(crate) fn allow(&self, more: usize, bounds: Bounds) -> bool {
        let left = bounds.practice.saturating_sub(self.practice);
        u32::try_from(more).is_ok_and(|more| more <= left)
    }
}
