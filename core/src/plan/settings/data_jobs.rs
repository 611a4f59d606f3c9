//! The return and the destruction of a practice's data, as written.

use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::base::names::names;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// The number of records of each kind, by the name of the kind.
pub type RecordCounts = BTreeMap<String, i64>;

names! {
    JobKind {
        /// It returns all data to an owner.
        Return = "return",
        /// It destroys all data.
        Destruction = "destruction",
    }
}

names! {
    JobState {
        /// A destruction that has not begun.
        Waiting = "waiting",
        Running = "running",
        /// It was canceled.
        Cancelled = "cancelled",
        /// It is complete.
        Done = "done",
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewJob {
    pub practice_id: PracticeId,
    pub id: DataJobId,
    pub kind: JobKind,
    /// The requester, as [`crate::plan::Actor`] writes it.
    pub requested_by: String,
    /// When a destruction begins.
    pub due_at: Option<Instant>,
    /// The number of records of each kind.
    pub totals: RecordCounts,
}

/// The state of a job after a page was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    pub practice_id: PracticeId,
    /// The job.
    pub id: DataJobId,
    /// The start of the page.
    pub from: String,
    /// The start of the next page; `None` at the end.
    pub next: Option<String>,
    /// How many of each kind were returned so far.
    pub counts: RecordCounts,
    /// How many of them have a sealed part that no key opens.
    pub unreadable: i64,
    /// The length of all pages so far.
    pub bytes: i64,
    /// The state of the digest over all pages so far.
    pub digest: String,
}

names! {
    /// A table whose rows a destruction removes, in the order in which the tables are emptied: a row is deleted after
    /// the rows that belong to it.
    DestructionStage {
        /// Deliveries to endpoints.
        Delivery = "delivery",
        /// Endpoints.
        Webhook = "webhook",
        /// The cases and reports that documents are attached to.
        DocumentUse = "document_use",
        /// Documents. Their objects become due to be removed from the bucket.
        Document = "document",
        /// How long the practice keeps documents.
        DocumentSettings = "document_settings",
        /// Signatures of patients.
        Signature = "signature",
        /// Links to sign with.
        SigningLink = "signing_link",
        /// Notes about claims.
        Note = "note",
        ClaimEvent = "claim_event",
        /// The results of claims at a level.
        LevelClaim = "level_claim",
        CaseLevel = "case_level",
        CaseClaim = "case_claim",
        Case = "case",
        ReportClaim = "report_claim",
        Report = "report",
        Claim = "claim",
        /// Answers that are kept for the practice's people.
        Answer = "answer",
        /// Answers that are kept for the staff, of all practices.
        StaffAnswer = "staff_answer",
    }
}

/// A page of a destruction. It may run twice: it counts what it removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DestructionPage {
    pub practice_id: PracticeId,
    /// The job, which must be running.
    pub id: DataJobId,
    /// The table.
    pub stage: DestructionStage,
    /// The most rows that it removes.
    pub rows: usize,
    /// Answers that are kept for the staff are removed if they are from before this instant.
    pub staff_answers_before: Instant,
}
