//! What must hold of the work of the staff when a batch runs.

use super::{pace, sql};
use crate::json::json;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::{Plan, WorkGuard};

/// The statement of a guard.
pub(crate) fn lower(guard: &WorkGuard, plan: &Plan<'_>) -> Statement {
    match guard {
        WorkGuard::Claims(versions) => claims(versions),
        WorkGuard::Filed(read) => Statement::new(sql::GUARD_FILED, [Param::Text(json(read))]),
        WorkGuard::Case { practice, case, version } => {
            Statement::new(sql::cases::GUARD, vec![text(practice), text(case), Param::Int(*version)])
        }
        WorkGuard::Patients { pace, of } => pace::guard(*pace, *of, plan.at),
        WorkGuard::NotAlerted { user, session } => pace::not_alerted(*user, *session),
    }
}

/// The claims still have their versions.
fn claims(versions: &[(PracticeId, ClaimId, i64)]) -> Statement {
    Statement::new(sql::GUARD_CLAIMS, [Param::Text(json(&versions))])
}
