//! Conditions on the staff's work.

use crate::base::id::{CaseId, ClaimId, PracticeId, SessionId, UserId};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::records::Pace;
use alloc::vec::Vec;

/// A condition on the staff's work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkGuard {
    /// The claims of these practices still have these versions.
    Claims(Vec<(PracticeId, ClaimId, i64)>),
    /// Something is filed for each claim, or nothing, as when it was read. A filing changes the version only of the claims
    /// whose deadline it changes.
    Filed(Vec<(PracticeId, ClaimId, bool)>),
    /// The case of the practice still has this version.
    Case { practice: PracticeId, case: CaseId, version: i64 },
    /// The person may open the patient of a claim without confirming the second factor again, or one who was not opened
    /// yet.
    Patients {
        /// The limit.
        pace: Pace,
        /// The claim with its practice.
        of: Option<(PracticeId, ClaimId)>,
    },
    /// No alert was left about what the session has opened since its second factor was last confirmed.
    NotAlerted { user: UserId, session: SessionId },
}

impl WorkGuard {
    /// Claims whose new deadlines depend on what was filed for them.
    #[must_use]
    pub fn filed<'a>(practice: PracticeId, claims: impl Iterator<Item = &'a StoredWorkClaim>) -> Self {
        let read = claims.map(|claim| (practice, claim.id, claim.appeal.is_filed(None)));
        Self::Filed(read.collect())
    }
}
