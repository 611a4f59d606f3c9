//! The answer to a send (interface: send response body, result item).

use super::stored::StoredClaim;
use crate::base::id::{ClaimId, SubmissionId};
use crate::claims::identity::Mismatch;
use crate::claims::{ClaimStatus, Item};
use alloc::vec::Vec;
use core::fmt;
use serde::Serialize;

/// The send response body.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct SendResponse<'a> {
    /// The results of the claims, in the order sent.
    pub claims: Vec<ResultItem<'a>>,
    /// The submission of the new claims, `null` if none was new.
    pub submission_id: Option<SubmissionId>,
}

/// The result of one item. `Debug` does not print the claim number.
#[derive(PartialEq, Eq, Serialize)]
pub struct ResultItem<'a> {
    pub claim_number: &'a str,
    /// True if this request created the claim.
    pub created: bool,
    /// The claim's id, absent if the item was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<ClaimId>,
    /// The claim's status, absent if the item was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ClaimStatus>,
    /// Why the item was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'static str>,
}

impl fmt::Debug for ResultItem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultItem")
            .field("created", &self.created)
            .field("id", &self.id)
            .field("status", &self.status)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl<'a> ResultItem<'a> {
    pub(super) fn created(item: &'a Item<'_>, id: ClaimId) -> Self {
        Self {
            claim_number: &item.claim.claim_number,
            created: true,
            id: Some(id),
            status: Some(ClaimStatus::Received),
            error: None,
        }
    }

    pub(super) fn accepted(item: &'a Item<'_>, stored: &StoredClaim, created: bool) -> Self {
        Self {
            claim_number: &item.claim.claim_number,
            created,
            id: Some(stored.id),
            status: Some(stored.status),
            error: None,
        }
    }

    pub(super) fn refused(item: &'a Item<'_>, mismatch: Mismatch) -> Self {
        Self {
            claim_number: &item.claim.claim_number,
            created: false,
            id: None,
            status: None,
            error: Some(mismatch.message()),
        }
    }
}
