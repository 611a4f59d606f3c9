//! A claim that staff work on.

use crate::plan::signing::status::is_asked;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::reason::Reason;
use overturn_core::base::id::{CaseId, ClaimId, UserId};
use overturn_core::claims::ClaimNumber;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::PlanType;
use overturn_core::claims::SigningStatus;
use overturn_core::claims::appeal::Appeal;
use overturn_core::request::problem::Rule;
use serde::Deserialize;

/// The stored facts about a claim before a change.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredWorkClaim {
    pub id: ClaimId,
    pub claim_number: ClaimNumber,
    /// The number of its changes.
    pub version: i64,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<UserId>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// The facts about its appeal.
    #[serde(flatten)]
    pub appeal: Appeal,
}

impl StoredWorkClaim {
    /// What decides which actions it allows.
    #[must_use]
    pub fn state(&self) -> ClaimState {
        ClaimState {
            status: self.status,
            signing_status: self.signing_status,
            taken_by: self.taken_by,
            was_appealed: self.case_id.is_some(),
            was_paid: self.appeal.paid().is_some(),
        }
    }

    /// The claim, if the caller has seen its current version.
    ///
    /// # Errors
    ///
    /// [`UNKNOWN`], then those of [`Seen::is`].
    pub fn seen(stored: Option<Self>, seen: Seen) -> Result<Self, RequestError> {
        let stored = stored.ok_or(UNKNOWN)?;
        seen.is(stored.version)?;
        Ok(stored)
    }

    /// Its kind of plan, if it is known.
    #[must_use]
    pub fn plan(&self) -> Option<PlanType> {
        self.appeal.known().0
    }
}

/// What decides which actions a claim allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimState {
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<UserId>,
    /// True if it is, or was, in a case.
    pub was_appealed: bool,
    /// True if it has a recorded payment.
    pub was_paid: bool,
}

impl ClaimState {
    /// Checks that staff can decide whether a signature is needed.
    ///
    /// # Errors
    ///
    /// [`RequestError::Stuck`] if the patient has signed, or the claim's appeal has ended.
    pub fn signing_is_open(self) -> Result<(), RequestError> {
        if self.signing_status == SigningStatus::Signed {
            return Err(RequestError::stuck(Reason::AlreadySigned, "signing_status", Rule::Is("signed")));
        }
        if !is_asked(self.status, SigningStatus::Needed) {
            return Err(stuck(self.status));
        }
        Ok(())
    }
}

/// The refusal if the practice has no such claim.
pub const UNKNOWN: RequestError = RequestError::NotFound("no such claim");

/// The refusal if the claim's status does not allow the action.
#[must_use]
pub fn stuck(status: ClaimStatus) -> RequestError {
    RequestError::stuck(Reason::MoveNotPossible, "status", Rule::Is(status.name()))
}
