//! What must hold of the work of the staff when a batch runs.

use super::{pace, sql};
use crate::json::json;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::{Plan, WorkGuard};

/// The statement of a guard.
pub(crate) fn lower(guard: &WorkGuard, plan: &Plan<'_>) -> Statement {
    match guard {
        WorkGuard::Claims { practice, versions } => claims(*practice, versions),
        WorkGuard::Case {
            practice,
            case,
            version,
        } => Statement::new(
            sql::cases::GUARD,
            vec![text(practice), text(case), Param::Int(*version)],
        ),
        WorkGuard::Patients {
            pace,
            practice,
            claim,
        } => pace::guard(*pace, *practice, *claim, plan.at),
        WorkGuard::NotAlerted { user, session } => pace::not_alerted(*user, *session),
    }
}

/// The claims of a practice still have their versions.
fn claims(practice: PracticeId, versions: &[(ClaimId, i64)]) -> Statement {
    Statement::new(
        sql::GUARD_CLAIMS,
        [text(practice), Param::Text(json(&versions))],
    )
}
