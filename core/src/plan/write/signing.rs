//! Changes of the patient's signature.

use crate::base::id::{ClaimId, PracticeId, SigningLinkId};
use crate::plan::signing::NewSignature;
use crate::plan::signing::link::NewSigningLink;
use alloc::string::String;

/// One change of the patient's signature.
#[derive(Clone, Debug)]
pub enum SigningWrite {
    /// A signing link. It revokes the claim's earlier ones.
    NewLink(NewSigningLink),
    /// Revokes every usable link of a claim.
    LinksRevoked {
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
    },
    /// A date of birth is about to be compared for the link of this hash. The try counts, whatever its result.
    Tried(String),
    /// Takes back the count of an attempt, because the date of birth was correct.
    TryReturned {
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
        /// The link.
        link: SigningLinkId,
    },
    /// A patient's signature, which uses up its link.
    NewSignature(NewSignature),
}
