//! The return and the destruction of a practice's data, as they are written.

use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::base::names::names;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// How many records of each kind, by the name of the kind.
pub type Counts = BTreeMap<String, i64>;

names! {
    /// What a job does.
    JobKind {
        /// It returns all data to an owner.
        Return = "return",
        /// It destroys all data.
        Destruction = "destruction",
    }
}

names! {
    /// Where a job stands.
    JobState {
        /// A destruction that begins later.
        Waiting = "waiting",
        /// It is under way.
        Running = "running",
        /// Somebody stopped it.
        Cancelled = "cancelled",
        /// It is complete.
        Done = "done",
    }
}

/// A job to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewJob {
    /// The practice.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: DataJobId,
    /// What it does.
    pub kind: JobKind,
    /// Who requested it, as [`crate::plan::Actor`] writes it.
    pub requested_by: String,
    /// When a destruction begins.
    pub due_at: Option<Instant>,
    /// How many records of each kind there are.
    pub totals: Counts,
}

/// What a job is once a page was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The practice.
    pub practice_id: PracticeId,
    /// The job.
    pub id: DataJobId,
    /// Where the page began.
    pub from: String,
    /// Where the next one begins; `None` once all was taken.
    pub next: Option<String>,
    /// How many of each kind were taken so far.
    pub counts: Counts,
    /// How many of them had a sealed part that no key opens.
    pub unreadable: i64,
    /// The length of all pages so far.
    pub bytes: i64,
    /// The state of the digest over all pages so far.
    pub digest: String,
}

names! {
    /// A table whose rows a destruction removes, in the order in which the tables are emptied: no row goes before what belongs to it.
    DestructionStage {
        /// Deliveries to endpoints.
        Delivery = "delivery",
        /// Endpoints.
        Webhook = "webhook",
        /// Signatures of patients.
        Signature = "signature",
        /// Links to sign with.
        SigningLink = "signing_link",
        /// Notes about claims.
        Note = "note",
        /// Events of claims.
        ClaimEvent = "claim_event",
        /// What came of claims at a level.
        LevelClaim = "level_claim",
        /// Levels of cases.
        CaseLevel = "case_level",
        /// Claims of cases.
        CaseClaim = "case_claim",
        /// Cases.
        Case = "case",
        /// Claims of reports.
        ReportClaim = "report_claim",
        /// Reports.
        Report = "report",
        /// Claims.
        Claim = "claim",
        /// Submissions.
        Submission = "submission",
        /// Answers that are kept for the practice's people.
        Answer = "answer",
        /// Answers that are kept for the staff, of all practices.
        StaffAnswer = "staff_answer",
    }
}

/// A page of a destruction. It may run twice: it counts what it removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DestructionPage {
    /// The practice.
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
