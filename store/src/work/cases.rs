//! Reports and cases as statements.

use crate::json::json;
use crate::statement::{Param, Statement, instant, optional, text};
use crate::work::sql::{cases, levels, reports};
use overturn_core::base::money::Cents;
use overturn_core::plan::Plan;
use overturn_core::plan::work::appeal::{LevelResult, LevelWrite};
use overturn_core::plan::work::level::LevelRow;
use overturn_core::plan::work::records::{CaseOutcome, NewCase, NewReport};

/// Inserts a report with its claims.
pub(crate) fn report(new: &NewReport, plan: &Plan<'_>) -> [Statement; 2] {
    let (practice, id) = (text(new.practice_id), text(new.id));
    let (at, by) = (Param::Int(plan.at.0), text(new.delivered_by));
    let claims = Param::Text(json(&new.claims));
    [
        Statement::new(reports::INSERT, [practice.clone(), id.clone(), at, by]),
        Statement::new(reports::INSERT_CLAIMS, [practice, id, claims]),
    ]
}

pub(crate) fn case(new: &NewCase, plan: &Plan<'_>) -> Statement {
    Statement::new(
        cases::INSERT,
        [text(new.practice_id), text(new.id), text(&new.payer_name), Param::Int(plan.at.0), text(new.opened_by)],
    )
}

pub(crate) fn level(row: &LevelRow, plan: &Plan<'_>) -> Statement {
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
            optional(level.decision_due),
            optional(level.decision_source.map(|source| source.name())),
            optional(level.follow_up_on),
        ],
    )
}

pub(crate) fn outcome(of: &CaseOutcome, plan: &Plan<'_>) -> Statement {
    Statement::new(
        cases::UPDATE_OUTCOME,
        [
            text(of.practice_id),
            text(of.case_id),
            text(of.claim_id),
            text(of.outcome.name()),
            optional(of.amount.map(Cents::get)),
            optional(of.reason.map(|reason| reason.name())),
            Param::Int(plan.at.0),
        ],
    )
}

/// Records the results of claims at a level of a case.
pub(crate) fn at_level(of: &LevelWrite) -> Statement {
    let place = [text(of.practice_id), text(of.case_id), Param::Int(of.level)];
    let (sql, more) = match &of.what {
        LevelResult::Filed(claims) => (levels::FILED, vec![Param::Text(json(claims))]),
        LevelResult::NotFiled => (levels::NOT_FILED, vec![]),
        LevelResult::Paid(claim, paid) => (
            levels::PAID,
            vec![
                text(claim),
                optional(paid.map(|paid| paid.amount.get())),
                instant(paid.map(|paid| paid.at)),
                Param::Int(paid.is_some_and(|paid| paid.stands).into()),
            ],
        ),
    };
    Statement::new(sql, [&place[..], &more].concat())
}
