//! Conditions on the claims that staff work on.

use crate::base::id::{ClaimId, PracticeId};
use alloc::vec::Vec;

/// A condition on the staff's work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkGuard {
    /// The claims of these practices still have these versions.
    Claims(Vec<(PracticeId, ClaimId, i64)>),
}
