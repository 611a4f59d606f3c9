//! The return and the destruction of a practice's data, as written.

use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::base::names::names;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// The number of records of each kind, by the name of the kind.
pub type Counts = BTreeMap<String, i64>;

names! {
    /// The kind of a job.
    JobKind {
        /// It returns all data to an owner.
        Return = "return",
        /// It destroys all data.
        Destruction = "destruction",
    }
}

names! {
    /// The state of a job.
    JobState {
        /// A destruction that has not begun.
        Waiting = "waiting",
        /// It is running.
        Running = "running",
        /// It was canceled.
        Cancelled = "cancelled",
        /// It is complete.
        Done = "done",
    }
}

/// A new job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewJob {
    /// The practice.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: DataJobId,
    /// Its kind.
    pub kind: JobKind,
    /// The requester, as [`crate::plan::Actor`] writes it.
    pub requested_by: String,
    /// When a destruction begins.
    pub due_at: Option<Instant>,
    /// The number of records of each kind.
    pub totals: Counts,
}

/// The state of a job after a page was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The practice.
    pub practice_id: PracticeId,
    /// The job.
    pub id: DataJobId,
    /// The start of the page.
    pub from: String,
    /// The start of the next page; `None` at the end.
    pub next: Option<String>,
    /// How many of each kind were returned so far.
    pub counts: Counts,
    /// How many of them have a sealed part that no key opens.
    pub unreadable: i64,
    /// The length of all pages so far.
    pub bytes: i64,
    /// The state of the digest over all pages so far.
    pub digest: String,
}
