//! The signing status of a claim, and its link.

pub mod link;
pub(super) mod status;

pub use status::{Signing, SigningStatus, Url, is_asked};
