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
    /// Changes of claims by those who work on them, all of one practice.
    Claims(Vec<ClaimChange>),
    /// A note about a claim.
    NewNote(NewNote),
    /// A report, with its claims.
    NewReport(NewReport),
    /// A case.
    NewCase(NewCase),
    /// The version of a case from now on.
    CaseVersion {
        /// The practice.
        practice: PracticeId,
        /// The case.
        case: CaseId,
        /// The version.
        version: i64,
    },
    /// A level of a case, as it is from now on.
    CaseLevel(LevelRow),
    /// Claims join a case, or are in it again.
    CaseClaims {
        /// The practice.
        practice: PracticeId,
        /// The case.
        case: CaseId,
        /// The claims.
        claims: Vec<ClaimId>,
    },
    /// What came of a claim in its case.
    CaseOutcome(CaseOutcome),
    /// What came of claims at a level of a case.
    ClaimLevels(LevelWrite),
    /// Somebody of the staff opens the patient of a claim.
    PatientOpened {
        /// The limit.
        pace: Pace,
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
    },
    /// The patients that were opened until an instant are counted no longer.
    OpenedForgotten(Instant),
    /// An alert is left about a session that opened too many patients.
    PatientsAlerted {
        /// The account.
        user: UserId,
        /// The session.
        session: SessionId,
    },
}
