//! What must hold of the settings of a practice when a batch runs.

use super::sql::data_jobs as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{AgreementId, DataJobId, PracticeId};
use overturn_core::plan::settings::data_jobs::JobKind;
use overturn_core::plan::{Plan, SettingsGuard};

/// `?1` the practice, `?2` the version, `?3` the agreement that this batch signs.
const UNSIGNED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM agreements WHERE practice_id = ?1 AND kind = 'baa' AND version = ?2 AND ended_at IS NULL AND id <> ?3)";

/// The statement of a guard.
pub(crate) fn lower(guard: &SettingsGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        SettingsGuard::Unsigned { practice, version, agreement: id } => {
            Statement::new(UNSIGNED, vec![text(practice), text(version), text(id)])
        }
        SettingsGuard::AgreementInForce { practice, agreement: id } => in_force(*practice, *id),
        SettingsGuard::NoAgreement(practice) => no_agreement(*practice),
        SettingsGuard::NoDataJob { practice, kind, job: id } => no_job(*practice, *kind, *id),
        SettingsGuard::NoDestructionOpen(practice) => no_destruction(*practice, true),
        SettingsGuard::NoDestruction(practice) => no_destruction(*practice, false),
        SettingsGuard::NothingLeft(practice) => nothing_left(*practice),
        SettingsGuard::NoticeDue { practice, notice } => {
            Statement::new(sql::GUARD_NOTICE_DUE, [text(practice), text(notice), at])
        }
        SettingsGuard::DataJob { practice, job: id, version } => job(*practice, *id, *version),
    }
}

fn in_force(practice: PracticeId, id: AgreementId) -> Statement {
    Statement::new(sql::GUARD_IN_FORCE, [text(practice), text(id)])
}

fn no_agreement(practice: PracticeId) -> Statement {
    Statement::new(sql::GUARD_NO_AGREEMENT, [text(practice)])
}

fn no_job(practice: PracticeId, kind: JobKind, id: DataJobId) -> Statement {
    let params = [text(practice), text(kind.name()), text(id)];
    Statement::new(sql::GUARD_NO_JOB, params)
}

fn no_destruction(practice: PracticeId, open: bool) -> Statement {
    let sql = if open { sql::GUARD_NO_DESTRUCTION_OPEN } else { sql::GUARD_NO_DESTRUCTION };
    Statement::new(sql, [text(practice)])
}

fn nothing_left(practice: PracticeId) -> Statement {
    Statement::new(sql::destruction::GUARD_NOTHING_LEFT, [text(practice)])
}

fn job(practice: PracticeId, id: DataJobId, version: i64) -> Statement {
    let params = [text(practice), text(id), Param::Int(version)];
    Statement::new(sql::GUARD_JOB, params)
}
