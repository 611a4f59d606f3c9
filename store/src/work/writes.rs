//! Changes of claims as statements.

use crate::json::json;
use crate::statement::{Param, Statement, text};
use crate::work::sql;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::change::ClaimEdit;
use overturn_core::plan::{Plan, WorkWrite};
use serde::Serialize;
use serde_json::Value;

/// The statements of a change of the work of the staff.
pub(crate) fn lower(WorkWrite::Claims(changes): &WorkWrite, plan: &Plan<'_>) -> Vec<Statement> {
    let rows: Vec<ClaimChangeRow<'_>> = changes
        .iter()
        .map(|change| ClaimChangeRow {
            practice: change.practice_id,
            id: change.id,
            version: change.version,
            kind: change.kind.name(),
            status: change.status.name(),
            signing: change.signing,
            set: &change.set,
            detail: change.history(),
        })
        .collect();
    let common = [Param::Text(json(&rows)), Param::Int(plan.at.0)];
    let event = [&common[..], &[text(plan.actor), text(plan.request_id)]].concat();
    vec![Statement::new(sql::INSERT_CHANGE_EVENTS, event), Statement::new(sql::UPDATE_CHANGED, common)]
}

/// A claim's change, in the form that the statements read.
#[derive(Serialize)]
struct ClaimChangeRow<'a> {
    practice: PracticeId,
    id: ClaimId,
    version: i64,
    kind: &'static str,
    status: &'static str,
    signing: SigningStatus,
    set: &'a ClaimEdit,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Value>,
}
