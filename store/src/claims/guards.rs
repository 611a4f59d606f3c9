//! What must hold of claims as billing systems send them when a batch runs.

use super::mismatches;
use crate::statement::Statement;
use overturn_core::plan::ClaimsGuard;

/// The statement of a guard.
pub(crate) fn lower(guard: &ClaimsGuard) -> Statement {
    match guard {
        ClaimsGuard::Mismatches(found) => mismatches::guard(found),
        ClaimsGuard::OwnersNotAlerted { practice, day, bound } => mismatches::guard_untold(*practice, *day, *bound),
    }
}
