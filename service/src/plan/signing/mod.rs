//! The signing status of a claim, and its link.

pub mod link;
pub(super) mod status;

pub use overturn_core::claims::SigningStatus;
pub use status::{Signing, Url, is_asked};
