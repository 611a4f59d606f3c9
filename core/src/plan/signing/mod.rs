//! What a plan writes of signatures, and where a claim's signature stands.

pub mod drawing;
pub mod link;
pub(super) mod signature;
pub(super) mod status;

pub use signature::{NewSignature, SealedSignature};
pub use status::{Signing, SigningStatus, Url, is_asked};
