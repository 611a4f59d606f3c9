//! Changes of the work of the staff.

use crate::base::id::{CaseId, ClaimId, PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::plan::work::appeal::LevelWrite;
use crate::plan::work::change::ClaimChange;
use crate::plan::work::level::LevelRow;
use crate::plan::work::records::{CaseOutcome, NewCase, NewNote, NewReport, Pace};
use alloc::vec::Vec;

/// One change of the work of the staff.
#[derive(Clone, Debug)]
pub enum WorkWrite {
    /// Changes of claims by staff or patients.
    Claims(Vec<ClaimChange>),
    /// A note about a claim.
    NewNote(NewNote),
    /// A report, with its claims.
    NewReport(NewReport),
    NewCase(NewCase),
    /// The new version of a case.
    CaseVersion {
        practice: PracticeId,
        case: CaseId,
        version: i64,
    },
    /// The new values of a level of a case.
    CaseLevel(LevelRow),
    /// Claims that join a case or return to it.
    CaseClaims {
        practice: PracticeId,
        case: CaseId,
        claims: Vec<ClaimId>,
    },
    /// The result of a claim in its case.
    CaseOutcome(CaseOutcome),
    /// The results of claims at a level of a case.
    ClaimLevels(LevelWrite),
    /// Records that a staff member opens the patient of a claim.
    PatientOpened {
        /// The limit.
        pace: Pace,
        practice: PracticeId,
        claim: ClaimId,
    },
    /// The patients that were opened until an instant no longer count.
    OpenedForgotten(Instant),
    /// Records an alert about a session that opened too many patients.
    PatientsAlerted {
        user: UserId,
        session: SessionId,
    },
}
