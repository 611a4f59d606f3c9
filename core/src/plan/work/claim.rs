//! A claim that staff work on.

use crate::base::id::{CaseId, ClaimId, UserId};
use crate::plan::claims::number::ClaimNumber;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::signing::status::SigningStatus;
use crate::plan::work::appeal::Appeal;
use crate::request::denied::Denied;
use crate::request::problem::Rule;
use serde::Deserialize;

/// The stored facts about a claim before a change.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredWorkClaim {
    /// The claim.
    pub id: ClaimId,
    /// The claim number.
    pub claim_number: ClaimNumber,
    /// The number of its changes.
    pub version: i64,
    /// Its status.
    pub status: ClaimStatus,
    /// Its signing status.
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<UserId>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// The facts about its appeal.
    #[serde(flatten)]
    pub appeal: Appeal,
}

/// The refusal if the practice has no such claim.
pub const UNKNOWN: Denied = Denied::NotFound("no such claim");

/// The refusal if the claim's status does not allow the action.
#[must_use]
pub fn stuck(status: ClaimStatus) -> Denied {
    Denied::stuck("status", Rule::Is(status.name()))
}
