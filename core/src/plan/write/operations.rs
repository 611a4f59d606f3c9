//! Changes of what is sealed, by the operator.

use crate::base::sealed::KeyVersion;
use crate::plan::operations::{ResealAudit, ResealedFactor, RewrappedDataKey};
use alloc::vec::Vec;

/// One change of what is sealed, by the operator. Each has at least one row.
#[derive(Clone, Debug)]
pub enum OperationsWrite {
    /// Data keys get the current key of the service.
    DataKeysRewrapped(Vec<RewrappedDataKey>),
    /// Second factors get the current key of the service.
    FactorsResealed {
        key_version: KeyVersion,
        /// The factors.
        rows: Vec<ResealedFactor>,
    },
    /// The trails record that their records got another key.
    ResealAudited(ResealAudit),
}
