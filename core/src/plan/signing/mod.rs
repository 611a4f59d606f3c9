//! The writes about signatures, and the signing status of a claim.

pub mod drawing;
pub mod link;
pub(super) mod signature;
pub(super) mod status;

pub use signature::{NewSignature, Relation, SealedSignature};
pub use status::{Signing, SigningStatus, Url, is_asked};
