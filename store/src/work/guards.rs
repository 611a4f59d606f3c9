//! What must hold of claims when a batch runs.

use super::sql;
use crate::json::json;
use crate::statement::{Param, Statement};
use overturn_core::plan::WorkGuard;

/// The statement of a guard.
pub(crate) fn lower(WorkGuard::Claims(versions): &WorkGuard) -> Statement {
    Statement::new(sql::GUARD_CLAIMS, [Param::Text(json(versions))])
}
