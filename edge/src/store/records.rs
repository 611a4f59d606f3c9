//! Practices, agreements, keys and audit rows as statements.

use super::{Param, Statement, sql, text};
use overturn_core::id::{AuditId, PracticeId};
use overturn_core::plan::Plan;
use overturn_core::practice::{Agreement, ApiKeyRecord, Practice};

pub(super) fn practice(plan: &Plan<'_>, record: &Practice, audit_id: AuditId) -> [Statement; 2] {
    let row = Statement::new(
        sql::INSERT_PRACTICE,
        [
            text(record.id),
            text(&record.name),
            text(record.state.name()),
            Param::Int(i64::from(record.appeal_button)),
            Param::Int(record.created_at.0),
        ],
    );
    [
        row,
        audit(plan, record.id, audit_id, "practice.created", &record.id),
    ]
}

pub(super) fn agreement(plan: &Plan<'_>, record: &Agreement, audit_id: AuditId) -> [Statement; 2] {
    let row = Statement::new(
        sql::INSERT_AGREEMENT,
        [
            text(record.practice_id),
            text(record.id),
            text(&record.version),
            text(&record.signer_name),
            text(&record.signer_title),
            Param::Int(record.signed_at.0),
        ],
    );
    [
        row,
        audit(
            plan,
            record.practice_id,
            audit_id,
            "agreement.signed",
            &record.id,
        ),
    ]
}

pub(super) fn api_key(plan: &Plan<'_>, record: &ApiKeyRecord, audit_id: AuditId) -> [Statement; 2] {
    let row = Statement::new(
        sql::INSERT_API_KEY,
        [
            text(record.practice_id),
            text(record.id),
            text(&record.name),
            text(&record.hash),
            text(&record.hint),
            text(record.scopes),
            Param::Int(record.created_at.0),
            Param::Int(record.expires_at.0),
            record.revoked_at.map_or(Param::Null, |at| Param::Int(at.0)),
        ],
    );
    [
        row,
        audit(
            plan,
            record.practice_id,
            audit_id,
            "api_key.created",
            &record.id,
        ),
    ]
}

fn audit(
    plan: &Plan<'_>,
    practice: PracticeId,
    id: AuditId,
    action: &str,
    record: &impl ToString,
) -> Statement {
    Statement::new(
        sql::AUDIT,
        [
            text(practice),
            text(id),
            Param::Int(plan.at.0),
            text(plan.actor),
            text(action),
            text(record.to_string()),
            text(plan.request_id),
        ],
    )
}
