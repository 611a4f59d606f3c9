//! Documents, as written.

use crate::base::id::{ClaimId, DocumentId, PracticeId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

names! {
    /// What a document is.
    DocumentKind {
        /// The payer's letter about a denial.
        DenialLetter = "denial_letter",
        /// A part of the patient's medical record.
        MedicalRecord = "medical_record",
        /// A remittance advice.
        Remittance = "remittance",
        /// An authorization by the payer or the patient.
        Authorization = "authorization",
        /// Other letters.
        Correspondence = "correspondence",
        /// Anything else.
        Other = "other",
    }
}

names! {
    DocumentState {
        /// The virus scan found nothing. The document can be downloaded.
        Available = "available",
        /// The virus scan could not be made yet. The document cannot be downloaded.
        Quarantined = "quarantined",
        /// A later virus scan found something. The object is removed.
        Infected = "infected",
        /// It was deleted. The object is removed.
        Deleted = "deleted",
    }
}

names! {
    /// A kind of record that a document is attached to.
    UseKind {
        Case = "case",
        Report = "report",
    }
}

/// The key of a document's object. `Debug` does not print it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ObjectKey(pub [u8; 32]);

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectKey(…)")
    }
}

/// The sealed part of a document. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedPart {
    /// The name of the file, which can name the patient.
    pub name: String,
    /// The key of the object, in hexadecimal.
    pub key: String,
}

impl fmt::Debug for SealedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedPart(…)")
    }
}

/// A new document, whose object is complete in the bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewDocument {
    pub practice_id: PracticeId,
    /// Its id, which also names the object.
    pub id: DocumentId,
    /// The claim that it belongs to.
    pub claim_id: Option<ClaimId>,
    pub kind: DocumentKind,
    /// `Available` or `Quarantined`.
    pub state: DocumentState,
    /// The media type, by content.
    pub content_type: &'static str,
    /// The size of the file in bytes.
    pub size: i64,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The name of the file and the key of the object.
    pub sealed: SealedPart,
    /// The person who uploaded it.
    pub uploaded_by: UserId,
    /// When the next virus scan is due.
    pub scan_at: Option<Instant>,
}

/// A document of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocumentPlace {
    pub practice_id: PracticeId,
    pub id: DocumentId,
}

/// A document and a record that uses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocumentUse {
    pub of: DocumentPlace,
    /// The kind of record.
    pub kind: UseKind,
    pub record: Uuid,
}

/// How long a practice keeps documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DocumentSettings {
    /// The number of their edits.
    pub version: i64,
    /// Days after a claim is final, or after the upload if a document has no claim.
    pub retention_days: i64,
    /// True if nothing may be deleted.
    pub legal_hold: bool,
}

/// 7 years.
pub const RETENTION_DAYS: i64 = 2_557;

impl Default for DocumentSettings {
    fn default() -> Self {
        Self { version: 1, retention_days: RETENTION_DAYS, legal_hold: false }
    }
}
