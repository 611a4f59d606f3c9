//! Reports and cases as statements.

use crate::store::json::json;
use crate::store::sql::work::{cases, reports};
use crate::store::{Param, Statement, optional, text};
use overturn_core::plan::Plan;
use overturn_core::work::cases::{NewCase, Outcome};
use overturn_core::work::levels::LevelRow;
use overturn_core::work::reports::NewReport;

/// A report with its claims.
pub(super) fn report(new: &NewReport, plan: &Plan<'_>) -> [Statement; 2] {
    let (practice, id) = (text(new.practice_id), text(new.id));
    let (at, by) = (Param::Int(plan.at.0), text(new.delivered_by));
    let claims = Param::Text(json(&new.claims));
    [
        Statement::new(reports::INSERT, [practice.clone(), id.clone(), at, by]),
        Statement::new(reports::INSERT_CLAIMS, [practice, id, claims]),
    ]
}

pub(super) fn case(new: &NewCase, plan: &Plan<'_>) -> Statement {
    Statement::new(
        cases::INSERT,
        [
            text(new.practice_id),
            text(new.id),
            text(&new.payer_name),
            Param::Int(plan.at.0),
            text(new.opened_by),
        ],
    )
}

pub(super) fn level(row: &LevelRow, plan: &Plan<'_>) -> Statement {
    let level = &row.level;
    Statement::new(
        cases::UPSERT_LEVEL,
        [
            text(row.practice_id),
            text(row.case_id),
            Param::Int(level.level),
            text(level.kind.name()),
            optional(level.due_on),
            optional(level.filed_on),
            optional(level.decided_on),
            optional(level.outcome.map(|outcome| outcome.name())),
            Param::Int(plan.at.0),
            text(row.by),
        ],
    )
}

pub(super) fn outcome(of: &Outcome, plan: &Plan<'_>) -> Statement {
    Statement::new(
        cases::UPDATE_OUTCOME,
        [
            text(of.practice_id),
            text(of.case_id),
            text(of.claim_id),
            text(of.outcome.name()),
            of.amount
                .map_or(Param::Null, |amount| Param::Int(amount.get())),
            optional(of.reason.map(|reason| reason.name())),
            Param::Int(plan.at.0),
        ],
    )
}
