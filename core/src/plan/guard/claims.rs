//! Conditions on claims.

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::plan::claims::mismatches::{Bound, Mismatches};

/// A condition on claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimsGuard {
    /// These additional mismatches stay within the limits, and the claims of the matches have room for one more.
    Mismatches(Mismatches),
    /// The owners have not been notified about this limit on this day.
    OwnersNotAlerted { practice: PracticeId, day: Date, bound: Bound },
}
