//! What must hold of the settings of a practice when a batch runs.

use super::sql::data_jobs as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{AgreementId, DataJobId, PracticeId};
use overturn_core::plan::SettingsGuard;
use overturn_core::plan::settings::data_jobs::JobKind;

/// The statement of a guard.
pub(crate) fn lower(guard: &SettingsGuard) -> Statement {
    match guard {
        SettingsGuard::AgreementInForce { practice, agreement: id } => in_force(*practice, *id),
        SettingsGuard::NoAgreement(practice) => no_agreement(*practice),
        SettingsGuard::NoDataJob { practice, kind, job: id } => no_job(*practice, *kind, *id),
        SettingsGuard::NoDestruction(practice) => no_destruction(*practice),
        SettingsGuard::NothingLeft(practice) => nothing_left(*practice),
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

fn no_destruction(practice: PracticeId) -> Statement {
    Statement::new(sql::GUARD_NO_DESTRUCTION, [text(practice)])
}

fn nothing_left(practice: PracticeId) -> Statement {
    Statement::new(sql::destruction::GUARD_NOTHING_LEFT, [text(practice)])
}

fn job(practice: PracticeId, id: DataJobId, version: i64) -> Statement {
    let params = [text(practice), text(id), Param::Int(version)];
    Statement::new(sql::GUARD_JOB, params)
}
