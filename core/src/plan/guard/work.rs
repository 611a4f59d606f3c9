//! Conditions on the staff's work.

use crate::base::id::{CaseId, ClaimId, PracticeId, SessionId, UserId};
use crate::plan::work::records::Pace;
use alloc::vec::Vec;

/// A condition on the staff's work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkGuard {
    /// The claims of these practices still have these versions.
    Claims(Vec<(PracticeId, ClaimId, i64)>),
    /// The case of the practice still has this version.
    Case {
        /// The practice.
        practice: PracticeId,
        /// The case.
        case: CaseId,
        /// The version.
        version: i64,
    },
    /// The person may open the patient of a claim without confirming the second factor again.
    Patients {
        /// The limit.
        pace: Pace,
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
    },
    /// No alert was left about what the session has opened since its second factor was last confirmed.
    NotAlerted {
        /// The account.
        user: UserId,
        /// The session.
        session: SessionId,
    },
}
