//! A practice's settings as statements.

use super::sql;
use crate::records;
use crate::statement::{Param, Statement, instant, optional, text};
use overturn_core::auth::disclosure::PracticeState;
use overturn_core::base::id::PracticeId;
use overturn_core::plan::settings::{Agreement, ApiKeyRecord, Practice};
use overturn_core::plan::{Plan, SettingsWrite};

/// The statements of a change of a practice's settings.
pub(crate) fn lower(write: &SettingsWrite, plan: &Plan<'_>) -> Vec<Statement> {
    let now = plan.at;
    let at = Param::Int(plan.at.0);
    match write {
        SettingsWrite::NewPractice(new) => vec![new_practice(new)],
        SettingsWrite::PracticeState { practice: id, state } => vec![practice_state(*id, *state)],
        SettingsWrite::NewAgreement(new) => agreement(new).into(),
        SettingsWrite::AgreementEnded { practice, agreement: id } => {
            vec![super::data_job_writes::end_agreement(*practice, *id, now)]
        }
        SettingsWrite::Notice(notice) => vec![records::notice(notice, now)],
        SettingsWrite::DataDestroyed(page) => super::data_job_writes::destroy(*page),
        SettingsWrite::NewDataJob(new) => vec![super::data_job_writes::insert(new, now)],
        SettingsWrite::DataJobTaken(taken) => vec![super::data_job_writes::taken(taken, now)],
        SettingsWrite::DataJobBegun { practice, job: id } => super::data_job_writes::begin(*practice, *id, now).into(),
        SettingsWrite::DataJobEnded { practice, job: id, state } => {
            vec![super::data_job_writes::end(*practice, *id, *state, now)]
        }
        SettingsWrite::NewApiKey(new) => vec![new_api_key(new)],
        SettingsWrite::ApiKeyRevoked { practice, key: id } => {
            vec![Statement::new(sql::REVOKE_API_KEY, [text(practice), text(id), at])]
        }
        SettingsWrite::ApiKeyUsed(caller) => {
            vec![Statement::new(sql::TOUCH_API_KEY, [text(caller.practice_id), text(caller.api_key_id), at])]
        }
    }
}

pub(crate) fn practice_state(id: PracticeId, state: PracticeState) -> Statement {
    Statement::new(sql::UPDATE_PRACTICE_STATE, [text(id), text(state.name())])
}

/// Inserts a signed agreement, and ends earlier ones.
pub(crate) fn agreement(record: &Agreement) -> [Statement; 2] {
    let (practice, id) = (text(record.practice_id), text(record.id));
    let at = Param::Int(record.signed_at.0);
    let (by, from) = record.signed_by.as_ref().map_or((Param::Null, Param::Null), |(by, from)| (text(by), text(from)));
    [
        Statement::new(sql::END_OTHER_AGREEMENTS, [practice.clone(), id.clone(), at.clone()]),
        Statement::new(
            sql::INSERT_AGREEMENT,
            [practice, id, text(&record.version), text(&record.signer_name), text(&record.signer_title), at, by, from],
        ),
    ]
}

fn new_practice(record: &Practice) -> Statement {
    Statement::new(
        sql::INSERT_PRACTICE,
        [
            text(record.id),
            text(&record.name),
            text(record.state.name()),
            Param::Int(i64::from(record.appeal_button)),
            Param::Int(record.created_at.0),
        ],
    )
}

fn new_api_key(record: &ApiKeyRecord) -> Statement {
    Statement::new(
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
            instant(record.revoked_at),
            optional(record.created_by),
        ],
    )
}
