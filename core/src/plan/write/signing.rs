//! Changes of the patient's signature.

use crate::base::id::{ClaimId, PracticeId, SigningLinkId};
use crate::plan::signing::NewSignature;
use crate::plan::signing::link::NewSigningLink;
use alloc::string::String;

/// One change of the patient's signature.
#[derive(Clone, Debug)]
pub enum SigningWrite {
    /// A link to the page on which a patient signs. It revokes those of the claim before it.
    NewLink(NewSigningLink),
    /// Every link of a claim that can still be used is worth nothing from now on.
    LinksRevoked {
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
    },
    /// A date of birth is about to be compared for the link of this hash: the try counts, whatever comes of it.
    Tried(String),
    /// A try at the date of birth was right, and does not count.
    TryReturned {
        /// The practice.
        practice: PracticeId,
        /// The claim.
        claim: ClaimId,
        /// The link.
        link: SigningLinkId,
    },
    /// A patient's signature, for which its link was used.
    NewSignature(NewSignature),
}
