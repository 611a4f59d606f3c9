//! The re-seal as statements.

use crate::accounts::sql as accounts;
use crate::json::json;
use crate::records::sql as trail;
use crate::settings::sql::data_keys;
use crate::statement::{Param, Statement, optional, text};
use overturn_core::base::id::AuditId;
use overturn_core::plan::operations::{ResealAudit, RewrappedDataKey};
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Plan};
use serde::Serialize;

/// The statements of a change of what is sealed.
pub(crate) fn lower(write: &OperationsWrite, plan: &Plan<'_>) -> Vec<Statement> {
    match write {
        OperationsWrite::DataKeysRewrapped(keys) => vec![rewrapped(keys)],
        OperationsWrite::FactorsResealed { key_version, rows } => {
            vec![Statement::new(accounts::factors::RESEAL_FACTORS, [of_rows(rows), Param::Int(key_version.0)])]
        }
        OperationsWrite::ResealAudited(audit) => vec![audited(audit, plan)],
    }
}

fn of_rows(rows: &impl Serialize) -> Param {
    Param::Text(json(rows))
}

fn rewrapped(keys: &[RewrappedDataKey]) -> Statement {
    let row = |of: &RewrappedDataKey| (of.practice_id, of.version, of.was, of.key_version, of.wrapped.clone());
    let rows: Vec<_> = keys.iter().map(row).collect();
    Statement::new(data_keys::REWRAP_ALL, [of_rows(&rows)])
}

fn audited(audit: &ResealAudit, plan: &Plan<'_>) -> Statement {
    let row = |(trail, id): &(Trail, AuditId)| {
        let trail = trail.to_string();
        serde_json::json!({ "trail": trail, "id": id })
    };
    let rows: Vec<_> = audit.rows.iter().map(row).collect();
    Statement::new(
        trail::AUDIT_RESEAL,
        [
            of_rows(&rows),
            Param::Int(plan.at.0),
            text(plan.actor),
            text(plan.request_id),
            text(audit.key_version.0),
            text(audit.event.name()),
            optional(plan.address()),
        ],
    )
}
