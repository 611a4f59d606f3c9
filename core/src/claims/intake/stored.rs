//! A stored claim that a send names again.

use crate::base::date::Date;
use crate::base::id::ClaimId;
use crate::base::money::Cents;
use crate::base::sealed::KeyVersion;
use crate::claims::{ClaimStatus, Present};
use alloc::string::String;
use core::fmt;
use serde::Deserialize;

/// The parts of a stored claim that a send needs. `Debug` prints none of its numbers.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredClaim {
    pub claim_number: String,
    pub id: ClaimId,
    pub status: ClaimStatus,
    /// The key of its tags.
    pub key_version: KeyVersion,
    pub patient_tag: String,
    /// The tag of its procedure code.
    pub procedure_tag: Option<String>,
    pub date_of_service: Date,
    pub payer_claim_number: String,
    /// Its billed amount.
    pub billed: Option<Cents>,
    /// Its denied amount.
    pub denied: Option<Cents>,
    /// The optional parts that it has.
    pub present: Present,
}

impl fmt::Debug for StoredClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredClaim").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}
