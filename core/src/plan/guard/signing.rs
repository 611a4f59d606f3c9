//! What must hold of the patient's signature when a batch runs.

use crate::base::id::{ClaimId, PracticeId, SigningLinkId};

/// What must hold of the patient's signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SigningGuard {
    /// The link can still be signed with.
    LinkUsable {
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
        /// The link.
        link: SigningLinkId,
    },
}
