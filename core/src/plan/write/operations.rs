//! Changes of what is sealed, by the operator.

use crate::base::sealed::KeyVersion;
use crate::plan::operations::{
    MadeDataKey, ResealAudit, ResealedClaim, ResealedFactor, ResealedSecret, RewrappedDataKey, SealedTable,
};
use alloc::vec::Vec;

/// One change of what is sealed, by the operator. Each has at least one row.
#[derive(Clone, Debug)]
pub enum OperationsWrite {
    /// Practices without a data key get one, and their trails record it.
    DataKeysMade(Vec<MadeDataKey>),
    /// Data keys get the current key of the service.
    DataKeysRewrapped(Vec<RewrappedDataKey>),
    /// Claims get the data keys of their practices.
    ClaimsResealed(Vec<ResealedClaim>),
    /// Second factors get the current key of the service.
    FactorsResealed {
        key_version: KeyVersion,
        /// The factors.
        rows: Vec<ResealedFactor>,
    },
    /// Rows of a table get the data keys of their practices.
    SecretsResealed { table: SealedTable, rows: Vec<ResealedSecret> },
    /// The trails record that their records got another key.
    ResealAudited(ResealAudit),
}
