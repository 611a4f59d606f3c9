//! The staff's work as statements.

use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::statement::{Param, Statement, text};
use crate::work::sql;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::change::{ClaimChange, ClaimEdit};
use overturn_core::plan::work::records::NewNote;
use overturn_core::plan::{Plan, WorkWrite};
use serde::Serialize;
use serde_json::Value;

/// The statements of a change of the work of the staff.
pub(crate) fn lower(write: &WorkWrite, plan: &Plan<'_>, sealer: &mut Sealer<'_>) -> Result<Vec<Statement>, SealError> {
    let now = plan.at;
    let at = Param::Int(plan.at.0);
    Ok(match write {
        WorkWrite::Claims(of) => changes(of, plan).into(),
        WorkWrite::NewNote(new) => vec![note(new, plan, sealer)?],
        WorkWrite::NewReport(new) => super::cases::report(new, plan).into(),
        WorkWrite::NewCase(new) => vec![super::cases::case(new, plan)],
        WorkWrite::CaseVersion { practice, case, version } => {
            vec![Statement::new(sql::cases::UPDATE_VERSION, [text(practice), text(case), Param::Int(*version)])]
        }
        WorkWrite::CaseLevel(row) => vec![super::cases::level(row, plan)],
        WorkWrite::CaseClaims { practice, case, claims } => {
            vec![Statement::new(sql::cases::INSERT_CLAIMS, [text(practice), text(case), Param::Text(json(claims)), at])]
        }
        WorkWrite::CaseOutcome(outcome) => vec![super::cases::outcome(outcome, plan)],
        WorkWrite::ClaimLevels(of) => vec![super::cases::at_level(of)],
        WorkWrite::PatientOpened { pace, practice, claim } => super::pace::opened(*pace, *practice, *claim, now).into(),
        WorkWrite::OpenedForgotten(until) => vec![super::pace::opened_forgotten(*until)],
        WorkWrite::PatientsAlerted { user, session } => {
            vec![super::pace::alerted(*user, *session, now)]
        }
    })
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

fn changes(changes: &[ClaimChange], plan: &Plan<'_>) -> [Statement; 2] {
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
    [Statement::new(sql::INSERT_CHANGE_EVENTS, event), Statement::new(sql::UPDATE_CHANGED, common)]
}

/// Inserts a note, sealed for its place.
pub(crate) fn note(note: &NewNote, plan: &Plan<'_>, sealer: &mut Sealer<'_>) -> Result<Statement, SealError> {
    let place = SealedPlace::Note { practice: note.practice_id, claim: note.claim_id, id: note.id };
    let [version, sealed] = sealed(sealer.seal(place, note.text.as_bytes())?);
    Ok(Statement::new(
        sql::INSERT_NOTE,
        [
            text(note.practice_id),
            text(note.claim_id),
            text(note.id),
            Param::Int(plan.at.0),
            text(note.author),
            version,
            sealed,
        ],
    ))
}
