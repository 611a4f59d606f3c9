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
