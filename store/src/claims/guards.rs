//! What must hold of claims as billing systems send them when a batch runs.

use super::mismatches;
use crate::statement::Statement;
use overturn_core::plan::ClaimsGuard;

/// The statement of a guard.
pub(crate) fn lower(guard: &ClaimsGuard) -> Statement {
    let ClaimsGuard::Mismatches(found) = guard;
    mismatches::guard(found)
}
