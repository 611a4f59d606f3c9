//! The writes of a rotation of the service's key: rows that get another key. Their values are already sealed.

use crate::base::id::{AuditId, FactorId, PracticeId, UserId};
use crate::base::sealed::KeyVersion;
use crate::plan::audit::Event;
use crate::plan::settings::trail::Trail;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// A second factor under the current key. A row whose key changed since it was read stays as it is.
#[derive(Clone, Debug, Serialize)]
pub struct ResealedFactor {
    pub user_id: UserId,
    /// The factor.
    pub id: FactorId,
    /// The key that it was read under.
    pub was: KeyVersion,
    /// The sealed secret.
    pub sealed: String,
}

/// A data key under the current key of the service. A key that was destroyed or wrapped again since it was read stays
/// as it is.
#[derive(Clone, Debug)]
pub struct RewrappedDataKey {
    pub practice_id: PracticeId,
    /// Its number.
    pub version: u32,
    /// The key that wrapped it.
    pub was: KeyVersion,
    /// The key that wraps it from now on.
    pub key_version: KeyVersion,
    /// The wrapped key.
    pub wrapped: String,
}

/// A row in each trail whose records got another key.
#[derive(Clone, Debug)]
pub struct ResealAudit {
    pub event: Event,
    /// The current key of the service.
    pub key_version: KeyVersion,
    /// The trails, each with the id of its row.
    pub rows: Vec<(Trail, AuditId)>,
}
