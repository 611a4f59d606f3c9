//! What must hold of claims as billing systems send them when a batch runs.

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::plan::claims::mismatches::{Bound, Mismatches};

/// What must hold of claims as billing systems send them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimsGuard {
    /// So many mismatches more are within the bounds, and the claims of the matches have room for one.
    Mismatches(Mismatches),
    /// The owners were not told yet that this bound was reached on this day.
    OwnersNotAlerted {
        /// The practice.
        practice: PracticeId,
        /// The day.
        day: Date,
        /// The bound.
        bound: Bound,
    },
}
