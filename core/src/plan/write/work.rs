//! Changes of claims by staff or patients.

use crate::plan::work::change::ClaimChange;
use alloc::vec::Vec;

/// One change of the work of the staff.
#[derive(Clone, Debug)]
pub enum WorkWrite {
    /// Changes of claims by staff or patients.
    Claims(Vec<ClaimChange>),
}
