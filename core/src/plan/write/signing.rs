//! Changes of the patient's signature.

use crate::base::id::{ClaimId, PracticeId, SigningLinkId};
use crate::plan::signing::NewSignature;
use crate::plan::signing::link::NewSigningLink;
use alloc::string::String;
use alloc::vec::Vec;

/// One change of the patient's signature.
#[derive(Clone, Debug)]
pub enum SigningWrite {
    /// Signing links, each of another claim. Each revokes its claim's earlier ones.
    NewLinks(Vec<NewSigningLink>),
    /// Revokes every usable link of these claims.
    LinksRevoked(Vec<(PracticeId, ClaimId)>),
    /// A date of birth is about to be compared for the link of this hash. The try counts, whatever its result.
    Tried(String),
    /// Takes back the count of an attempt, because the date of birth was correct.
    TryReturned { practice: PracticeId, claim: ClaimId, link: SigningLinkId },
    /// A patient's signature, which uses up its link.
    NewSignature(NewSignature),
}
