//! The writes of the re-seal: rows that get another key. Their values are already sealed, because a page has the keys
//! of many practices.

use crate::base::id::{AuditId, ClaimId, DataKeyId, FactorId, PracticeId, UserId};
use crate::base::names::names;
use crate::base::sealed::KeyVersion;
use crate::plan::settings::trail::Trail;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use uuid::Uuid;

names! {
    /// A sealed column of a practice, beside that of the claims.
    SealedTable {
        Notes = "notes",
        /// Links to sign with.
        SigningLinks = "signing_links",
        Signatures = "signatures",
        /// Secrets of endpoints.
        Webhooks = "webhooks",
        /// Secrets of endpoints from before their last rotation.
        OldWebhooks = "old_webhooks",
        /// Names and keys of documents.
        Documents = "documents",
    }
}

/// A claim under another key. A row whose key changed since it was read stays as it is.
#[derive(Clone, Debug, Serialize)]
pub struct ResealedClaim {
    pub practice_id: PracticeId,
    pub id: ClaimId,
    /// The key that it was read under.
    pub was: KeyVersion,
    /// The key that it is under from now on.
    pub key_version: KeyVersion,
    /// The sealed part.
    pub sealed: String,
    /// The fingerprint of the patient.
    pub patient_tag: String,
    /// The fingerprint of the procedure, if the claim has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure_tag: Option<String>,
}

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

/// A row of a [`SealedTable`] under another key. A row whose key changed since it was read stays as it is.
#[derive(Clone, Debug, Serialize)]
pub struct ResealedSecret {
    /// The practice, what the row belongs to, and the row.
    pub key: [Uuid; 3],
    /// The key that it was read under.
    pub was: KeyVersion,
    /// The key that it is under from now on.
    pub key_version: KeyVersion,
    /// The sealed value.
    pub sealed: String,
}

/// A data key of a practice that had none.
#[derive(Clone, Debug)]
pub struct MadeDataKey {
    pub practice_id: PracticeId,
    /// Its number.
    pub version: u32,
    pub id: DataKeyId,
    /// The key of the service that wraps it.
    pub key_version: KeyVersion,
    /// The wrapped key.
    pub wrapped: String,
    /// The row of the practice's trail.
    pub audit_id: AuditId,
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
    /// The name of the event.
    pub event: String,
    /// The current key of the service.
    pub key_version: KeyVersion,
    /// The trails, each with the id of its row.
    pub rows: Vec<(Trail, AuditId)>,
}
