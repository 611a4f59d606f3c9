//! Conditions on the patient's signature.

use crate::base::id::{ClaimId, PracticeId, SigningLinkId};

/// A condition on the patient's signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SigningGuard {
    /// The link can still be used to sign.
    LinkUsable { practice: PracticeId, claim: ClaimId, link: SigningLinkId },
}
