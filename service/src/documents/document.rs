//! A stored document, and what its state allows.

use crate::call::Call;
use crate::pipeline::practice_keys::{self, ReportingKeys};
use crate::plan::documents::{DocumentState, SealedPart};
use crate::prelude::*;
use data_encoding::HEXLOWER;
use overturn_core::base::id::{ClaimId, DocumentId, UserId};
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::StoredDataKey;
use std::fmt;
use std::rc::Rc;
use uuid::Uuid;

/// The refusal for a document that the practice does not have.
pub(super) const UNKNOWN: RequestError = RequestError::NotFound("no such document");

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
    /// A kind of record that a document is attached to.
    UseKind {
        Case = "case",
        Report = "report",
    }
}

/// A record that uses a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct StoredUse {
    pub(super) kind: UseKind,
    pub(super) id: Uuid,
}

/// A document of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct DocumentPlace {
    pub(super) practice_id: PracticeId,
    pub(super) id: DocumentId,
}

/// The key of a document's object. `Debug` does not print it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectKey(pub(super) [u8; 32]);

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectKey(…)")
    }
}

/// A stored document. `Debug` does not print its sealed part.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(super) struct StoredDocument {
    pub(super) practice_id: PracticeId,
    pub(super) id: DocumentId,
    pub(super) claim_id: Option<ClaimId>,
    pub(super) claim_number: Option<String>,
    pub(super) kind: DocumentKind,
    pub(super) state: DocumentState,
    /// Its media type.
    pub(super) content_type: String,
    /// The size of the file.
    pub(super) size: u64,
    /// The SHA-256 of the file.
    pub(super) sha256: String,
    /// The version of the key that sealed its sealed part.
    pub(super) key_version: KeyVersion,
    /// Its sealed part; `None` once it is removed.
    pub(super) sealed: Option<String>,
    pub(super) uploaded_by: UserId,
    /// True if a person of the practice uploaded it.
    pub(super) of_practice: bool,
    pub(super) uploaded_at: Time,
    /// What uses it.
    pub(super) uses: Vec<StoredUse>,
    /// True if the practice may delete nothing.
    pub(super) legal_hold: bool,
    /// How many times it was scanned for viruses.
    pub(super) scans: u32,
    /// The newest data key of the practice, under which its sealed part may be.
    pub(super) data_key: Option<StoredDataKey>,
}

/// A document `d` as [`StoredDocument`] reads it.
pub(super) const DOCUMENT: &str = "json_object('practice_id', d.practice_id, 'id', d.id, 'claim_id', d.claim_id,
       'claim_number', (SELECT c.claim_number FROM claims c WHERE c.practice_id = d.practice_id AND c.id = d.claim_id),
       'kind', d.kind, 'state', d.state, 'content_type', d.content_type, 'size', d.size, 'sha256', d.sha256,
       'key_version', d.key_version, 'sealed', d.sealed, 'uploaded_by', d.uploaded_by,
       'of_practice', json(iif((SELECT u.practice_id FROM users u WHERE u.id = d.uploaded_by) IS NULL, 'false', 'true')),
       'uploaded_at', d.uploaded_at, 'scans', d.scans,
       'uses', json((SELECT json_group_array(json_object('kind', u.kind, 'id', u.record_id)) FROM document_uses u
         WHERE u.practice_id = d.practice_id AND u.document_id = d.id)),
       'legal_hold', json(iif(EXISTS (SELECT 1 FROM document_settings s
         WHERE s.practice_id = d.practice_id AND s.legal_hold = 1), 'true', 'false')),
       'data_key', {DATA_KEY})";
pub(super) const DATA_KEY: &str = data_key!("d.practice_id");

pub(super) fn of_practice(practice: PracticeId, id: DocumentId) -> Query<Option<StoredDocument>> {
    select!(
        "documents.document",
        "SELECT {DOCUMENT} AS json FROM documents d WHERE d.practice_id = {practice} AND d.id = {id}"
        [DOCUMENT, DATA_KEY]; practice, id
    )
    .optional()
}

pub(super) fn of_caller(caller: &str, id: DocumentId) -> Query<Option<StoredDocument>> {
    select!(
        "documents.of_caller",
        "SELECT {DOCUMENT} AS json FROM documents d WHERE d.practice_id = {OF_CALLER} AND d.id = {id}"
        [DOCUMENT, DATA_KEY]; caller, id
    )
    .optional()
}

/// The guard that the document still has this state.
pub(super) fn in_state(of: DocumentPlace, state: DocumentState) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM documents WHERE practice_id = {practice} AND id = {id} AND state = {state})";
        practice = of.practice_id, id = of.id, state
    )
}

impl fmt::Debug for StoredDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredDocument({})", self.id)
    }
}

impl StoredDocument {
    pub(super) const fn place(&self) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice_id, id: self.id }
    }

    /// Where its sealed part is.
    pub(super) const fn sealed_at(&self) -> SealedPlace {
        SealedPlace::Document { practice: self.practice_id, id: self.id }
    }

    /// The claim whose patient staff open with it. A document without a claim counts for itself.
    pub(super) fn patient(&self) -> (PracticeId, ClaimId) {
        (self.practice_id, self.claim_id.unwrap_or(ClaimId(self.id.0)))
    }

    /// The keys that open its sealed part.
    pub(super) fn keys<'c>(&self, call: &'c Rc<Call>) -> ReportingKeys<'c> {
        practice_keys::to_open(call, self.practice_id, self.data_key.as_ref())
    }

    /// Refuses a download once it is removed, and while it waits for its virus scan.
    pub(super) fn is_downloadable(&self) -> Result<(), RequestError> {
        match self.state {
            DocumentState::Available => Ok(()),
            DocumentState::Quarantined => {
                Err(RequestError::Conflict(Reason::DocumentWaiting, "the document waits for its virus scan"))
            }
            DocumentState::Infected | DocumentState::Deleted => Err(UNKNOWN),
        }
    }

    /// Checks that staff may attach it to a case or a report.
    pub(super) fn is_attachable(&self) -> Result<(), RequestError> {
        if self.state == DocumentState::Available {
            return Ok(());
        }
        Err(RequestError::Conflict(Reason::DocumentUnavailable, "the document is not available"))
    }

    /// Checks that a person may delete it: an owner or an admin, or who uploaded it while nothing uses it.
    pub(super) fn is_deletable(&self, person: &Person) -> Result<(), RequestError> {
        match self.state {
            DocumentState::Available | DocumentState::Quarantined => {}
            DocumentState::Infected | DocumentState::Deleted => return Err(UNKNOWN),
        }
        let leads = leads(person);
        if !leads && self.uploaded_by != person.user_id {
            return Err(RequestError::NotAuthorized(
                Reason::NotYours,
                "only an owner, an admin or who uploaded the document may delete it",
            ));
        }
        if self.legal_hold {
            return Err(RequestError::Conflict(Reason::LegalHold, "the practice has a legal hold"));
        }
        if !leads && !self.uses.is_empty() {
            return Err(RequestError::Conflict(Reason::DocumentInUse, "a case or a report uses the document"));
        }
        Ok(())
    }

    fn open(&self, keys: &impl Open) -> Result<Option<SealedPart>, Unopened> {
        let sealed = self.sealed.as_ref();
        let opened = sealed.map(|sealed| keys.open_json(self.sealed_at(), self.key_version, sealed));
        opened.transpose()
    }

    /// The name of its file; `None` once it is removed.
    pub(super) fn name(&self, keys: &impl Open) -> Result<Option<String>, Unopened> {
        Ok(self.open(keys)?.map(|opened| opened.name))
    }

    /// The key of its object and the name of its file.
    pub(super) fn opened(&self, keys: &impl Open) -> Result<(ObjectKey, String), RequestError> {
        let opened = self.open(keys)?.ok_or(UNKNOWN)?;
        // The cause stays out: it repeats a part of the key.
        let key = HEXLOWER.decode(opened.key.as_bytes()).ok();
        let key = key.and_then(|key| key.try_into().ok());
        let key = key.ok_or_else(|| keys.tampered(self.sealed_at()))?;
        Ok((ObjectKey(key), opened.name))
    }
}

/// True for an owner or an admin of the practice.
pub(super) fn leads(person: &Person) -> bool {
    person.practice_id.is_some() && person.leads()
}

/// The stored document, if the practice has it.
pub(super) fn found(stored: Option<StoredDocument>) -> Result<StoredDocument, RequestError> {
    stored.ok_or(UNKNOWN)
}
