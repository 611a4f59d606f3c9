//! Conditions on claims.

use crate::plan::claims::mismatches::Mismatches;

/// A condition on claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimsGuard {
    /// These additional mismatches stay within the limits, and the claims of the matches have room for one more.
    Mismatches(Mismatches),
}
