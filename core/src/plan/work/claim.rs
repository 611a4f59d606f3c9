//! A claim that staff work on, as far as the store knows it.

use crate::base::id::{CaseId, ClaimId, UserId};
use crate::plan::claims::number::ClaimNumber;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::signing::status::SigningStatus;
use crate::plan::work::appeal::Appeal;
use crate::request::denied::Denied;
use crate::request::problem::Rule;
use serde::Deserialize;

/// A claim to be changed, as far as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredWorkClaim {
    /// The claim.
    pub id: ClaimId,
    /// The practice's number for it.
    pub claim_number: ClaimNumber,
    /// Counts its changes.
    pub version: i64,
    /// Where it stands.
    pub status: ClaimStatus,
    /// Where its signature stands.
    pub signing_status: SigningStatus,
    /// Who has taken it.
    pub taken_by: Option<UserId>,
    /// The case that it is, or was last, appealed in.
    pub case_id: Option<CaseId>,
    /// What is known of its appeal.
    #[serde(flatten)]
    pub appeal: Appeal,
}

/// That there is no such claim in the practice.
pub const UNKNOWN: Denied = Denied::NotFound("no such claim");

/// That a claim does not allow something where it stands.
#[must_use]
pub fn stuck(status: ClaimStatus) -> Denied {
    Denied::stuck("status", Rule::Is(status.name()))
}
